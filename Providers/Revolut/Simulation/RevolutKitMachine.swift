/// The states of one flow of the simulated kit; a value with no clock and no task.
public struct RevolutKitMachine: Hashable, Sendable {
    /// What the flow is for.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// One payment of a fixed amount.
        case payment
        /// Payments whose amounts are typed at the kit.
        case series
        /// The first set-up, with a payment to try.
        case setUp
    }

    /// What the flow is at.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Nothing was done yet.
        case idle
        /// Token rounds run.
        case authorising
        /// The reader is set up, terms included.
        case preparing
        /// The introduction is shown.
        case introduction
        /// A test payment is offered.
        case offer
        /// The merchant types an amount.
        case amountEntry
        /// The merchant chooses tap or code.
        case methodChoice
        /// A card may be presented.
        case tapping
        /// The charge is on its way.
        case charging
        /// A code is shown.
        case qrShown
        /// The app was told, and the result is on screen.
        case reported
        /// Nothing is on screen any more.
        case dismissed
    }

    /// What the flow is for.
    public let kind: Kind
    /// Every state that it went through, in order.
    public private(set) var path: [State] = [.idle]
    /// The steps that the table does not have.
    public private(set) var faults: [String] = []

    /// Starts a flow.
    public init(_ kind: Kind) { self.kind = kind }

    /// What the flow is at.
    public var state: State { path[path.count - 1] }

    /// Takes the next state; a step that the table does not have is written down as a fault.
    public mutating func enter(_ next: State) {
        if !Self.next(kind, after: state).contains(next) {
            faults.append("\(kind): \(state) to \(next)")
        }
        path.append(next)
    }

    /// The states that may follow another.
    public static func next(_ kind: Kind, after state: State) -> Set<State> {
        switch (kind, state) {
        case (_, .idle): [.authorising]
        case (.payment, .authorising): [.preparing, .reported]
        case (.series, .authorising): [.amountEntry, .reported]
        case (.setUp, .authorising): [.preparing, .dismissed]
        case (.setUp, .preparing): [.introduction, .offer, .dismissed]
        case (_, .preparing): [.tapping, .qrShown, .reported]
        case (_, .introduction): [.offer]
        case (_, .offer): [.tapping, .qrShown, .reported, .dismissed]
        case (_, .amountEntry): [.methodChoice, .dismissed]
        case (_, .methodChoice): [.preparing, .qrShown, .reported]
        case (.series, .tapping): [.charging, .qrShown, .reported, .amountEntry]
        case (_, .tapping): [.charging, .qrShown, .reported, .dismissed]
        case (.setUp, .charging): [.tapping, .reported, .dismissed]
        case (_, .charging): [.tapping, .reported]
        case (.series, .qrShown): [.reported, .amountEntry]
        case (_, .qrShown): [.reported, .dismissed]
        case (.series, .reported): [.amountEntry, .dismissed]
        case (_, .reported): [.dismissed]
        case (_, .dismissed): []
        }
    }
}
