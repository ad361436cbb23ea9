import PaymentCore
public import ReaderSimulation
import Simulation
import Synchronization

/// The cardholder's bank: opens simulated payloads and says yes or no, once for each.
public final class SimulatedIssuer: Sendable {
    /// The issuer's answer.
    public enum Answer: Hashable, Sendable {
        /// Yes, for so many minor units.
        case approved(minorUnits: Int64, approvalCode: String)
        /// No.
        case declined(Refusal)
    }

    /// Why an issuer says no.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// Not enough money.
        case insufficientFunds
        /// No reason given.
        case generic
        /// The payload is worthless: opened before, too old, changed, or for another amount.
        case invalidPayload
    }

    private struct State {
        var seen: Set<String> = []
        var partial = 0
        var codes: SeededGenerator
    }

    private let state: Mutex<State>
    private let time: SimulatedTime

    init(time: SimulatedTime) {
        self.time = time
        state = Mutex(State(codes: time.stream("issuer")))
    }

    /// Approves only half of the next payments, rounded down.
    public func approveInPart(times: Int = 1) { state.withLock { $0.partial += times } }

    /// Decides about a payload.
    ///
    /// - Parameters:
    ///   - payload: The text that the reader made.
    ///   - minorUnits: The total that the acquirer asks for.
    ///   - currency: The currency that the acquirer asks for.
    /// - Returns: The card, if the payload could be opened, and the decision.
    public func decide(
        _ payload: String,
        minorUnits: Int64,
        currency: String
    ) -> (card: SimulatedCard?, answer: Answer) {
        guard let content = CardPayload.open(payload),
            let card = SimulatedCard.named(content.cardID),
            content.currency == currency, content.expiresAt > time.clock.now.offset,
            state.withLock({ $0.seen.insert(content.readID).inserted })
        else { return (nil, .declined(.invalidPayload)) }
        if let refusal = Self.refusals[card.id] { return (card, .declined(refusal)) }
        return state.withLock { state in
            var approved = minorUnits
            if state.partial > 0, minorUnits > 1 {
                state.partial -= 1
                approved /= 2
            }
            let code = (0..<6).map { _ in
                String(UnicodeScalar(UInt8(65 + state.codes.next() % 26)))
            }
            return (card, .approved(minorUnits: approved, approvalCode: code.joined()))
        }
    }

    private static let refusals: [String: Refusal] = ["declined-funds": .insufficientFunds]
}
