import PaymentCore
import ReaderSimulation

/// What a person types while a reader is operated by hand.
enum PlayWords {
    static let help = """
        Type one command a line, or pipe them in; piped commands wait for nobody, and
        "wait 5s" lets time pass between them. The exit code is 65 when a piped command
        is not understood, which is told while the others are done.
          link, relink, prepare, status, name, close, cancel
          read AMOUNT CURRENCY         collect a card, without charging it
          sell AMOUNT CURRENCY         collect a card and charge it
          refund AMOUNT CURRENCY       collect a card for a refund
          verify                       look at a card
          present ID, tap ID, both ID ID, remove
          pin correct|wrong|bypass|cancel, terms accepts|closes|fails, customer-cancels
          home, back, inactive, call, endcall, lock, unlock, crash, relaunch, restart
          network up|down|slow|silent|intermittent|captive, expire token|session, revoke
          wait TIME, state, cards, help, quit
        """

    /// How many words may stand behind a command.
    static let arguments: [Substring: Int] = {
        let none = """
            link relink prepare status name close cancel verify remove customer-cancels home back \
            inactive call endcall lock unlock crash relaunch restart revoke state cards help quit exit
            """
        let counts = [none, "present tap pin terms network expire wait", "read sell refund both"]
        return Dictionary(
            uniqueKeysWithValues: counts.enumerated().flatMap { count, names in
                names.split(separator: " ").map { ($0, count) }
            }
        )
    }()

    /// What may stand behind a command, in words.
    static func behind(_ most: Int) -> String {
        ["the command alone", "one word behind it", "two words behind it"][most]
    }

    /// The amount and currency of a command.
    static func amount(_ words: [Substring]) -> Result<Money, PlayError> {
        guard words.count == 3 else { return .failure(PlayError("\(words[0]) AMOUNT CURRENCY")) }
        guard let currency = Currency(code: String(words[2])) else {
            return .failure(PlayError("a code of a currency, such as EUR"))
        }
        do throws(AmountTextError) {
            return .success(try Money.parse(String(words[1]), currency: currency))
        } catch {
            return .failure(PlayError("an amount, such as 12.50: \(error)"))
        }
    }

    /// The card of a command.
    static func card(_ word: Substring?) -> Result<SimulatedCard, PlayError> {
        guard let card = word.flatMap({ SimulatedCard.named(String($0)) }) else {
            return .failure(PlayError("the id of a card; \"cards\" lists them"))
        }
        return .success(card)
    }
}

/// What a command did not say.
struct PlayError: Error, CustomStringConvertible {
    let accepted: String

    init(_ accepted: String) { self.accepted = accepted }

    var description: String { "accepted is \(accepted)" }
}
