/// A card or phone that a simulated customer holds near a reader; it has no full number.
public struct SimulatedCard: Hashable, Sendable {
    /// How it is held near.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// A plastic card.
        case card
        /// A phone or watch with its own verification.
        case phone
    }

    /// What the reader makes of it.
    public enum Behavior: Hashable, Sendable {
        /// It is read.
        case reads
        /// The read stops with an error as soon as the card is detected.
        case stops(ReaderError)
    }

    /// Its name in the catalogue.
    public let id: String
    /// The brand, as a person would say it.
    public let brand: String
    /// The first digits of the published test number, six at most.
    public let prefix: String
    /// The last four digits of it.
    public let lastFour: String
    /// How many digits it has.
    public let length: Int
    /// How it is held near.
    public let entry: Entry
    /// What the reader makes of it.
    public let behavior: Behavior

    /// Every card, in the order of their numbers.
    public static let catalogue: [SimulatedCard] = [
        SimulatedCard("visa-credit", "Visa", "424242", "4242"),
        SimulatedCard("phone-visa", "Visa", "401288", "1881", entry: .phone),
        SimulatedCard("declined-funds", "Visa", "400000", "9995"),
        SimulatedCard(
            "damaged",
            "Discover",
            "601100",
            "4675",
            behavior: .stops(ReaderError(.cardReadFailed))
        ),
    ]

    /// The card of that name, if there is one.
    public static func named(_ id: String) -> SimulatedCard? { catalogue.first { $0.id == id } }

    private init(
        _ id: String,
        _ brand: String,
        _ prefix: String,
        _ lastFour: String,
        length: Int = 16,
        entry: Entry = .card,
        behavior: Behavior = .reads
    ) {
        self.id = id
        self.brand = brand
        self.prefix = prefix
        self.lastFour = lastFour
        self.length = length
        self.entry = entry
        self.behavior = behavior
    }

    /// How the customer is verified without a PIN.
    var verification: SimulatedPayload.Verification { entry == .phone ? .device : .none }
}

extension SimulatedCard: CustomStringConvertible {
    /// The name alone.
    public var description: String { id }
}
