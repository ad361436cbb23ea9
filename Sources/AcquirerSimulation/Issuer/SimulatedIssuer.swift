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
        case declined(IssuerRefusal)
        /// Only with a PIN, which may be added to the read under this read's name.
        case asksForPIN(readID: String)
    }

    /// What an issuer decided, and about which card.
    public struct Decision: Sendable {
        /// The card, if the payload could be opened.
        public let card: SimulatedCard?
        /// The answer.
        public let answer: Answer
        /// What a receipt may show; nil when the payload could not be opened.
        public let data: CardData?
        /// What the amount has happen to the answer on its way.
        public let effect: MagicAmounts.Effect
    }

    /// What an issuer says whatever card and amount are; the next payments use them up in order.
    public enum Script: Hashable, Sendable {
        /// Yes.
        case approve
        /// Yes, for so many minor units at most.
        case approvePart(Int64)
        /// Yes, for half of the amount.
        case approveHalf
        /// No.
        case decline(IssuerRefusal)
        /// Only with a PIN.
        case askForPIN
    }

    private struct State {
        var seen: Set<String> = []
        var scripts: [Script] = []
        var tries: [String: Int] = [:]
        var codes: SeededGenerator
        var magic = MagicAmounts.table(.none)
        var healthMerchants: Set<String> = []
    }

    private let state: Mutex<State>
    private let time: SimulatedTime

    init(time: SimulatedTime, magic: MagicAmounts.Profile = .none) {
        self.time = time
        var state = State(codes: time.stream("issuer"))
        state.magic = MagicAmounts.table(magic)
        self.state = Mutex(state)
    }

    /// Has the next payments decided in this way.
    public func script(_ scripts: [Script]) { state.withLock { $0.scripts += scripts } }

    /// Approves only half of the next payments, rounded down.
    public func approveInPart(times: Int = 1) {
        script(Array(repeating: .approveHalf, count: max(times, 0)))
    }

    /// Says that a merchant is of the health trade.
    public func allowHealthCards(at merchant: String) {
        state.withLock { _ = $0.healthMerchants.insert(merchant) }
    }

    /// How many scripted answers nobody has asked for.
    public var waitingScripts: Int { state.withLock { $0.scripts.count } }

    /// Decides about a payload.
    ///
    /// - Parameters:
    ///   - payload: The text that the reader made.
    ///   - minorUnits: The total that the acquirer asks for.
    ///   - currency: The currency that the acquirer asks for.
    /// - Returns: The card, if the payload could be opened, and the decision.
    public func decide(_ payload: String, minorUnits: Int64, currency: String) -> Decision {
        guard let content = CardPayload.open(payload),
            let card = SimulatedCard.named(content.cardID),
            content.currency == currency, content.expiresAt > time.clock.now.offset,
            state.withLock({ $0.seen.insert(content.readID + content.pin.rawValue).inserted })
        else {
            return Decision(
                card: nil,
                answer: .declined(.invalidPayload),
                data: nil,
                effect: .approve
            )
        }
        return state.withLock { state in
            let effect = Self.effect(state, content, card, minorUnits)
            let answer = Self.answer(&state, content, card, minorUnits, effect)
            return Decision(
                card: card,
                answer: answer,
                data: CardData(content, card: card, answer: answer),
                effect: effect
            )
        }
    }

    private static func effect(
        _ state: State,
        _ content: SimulatedPayload,
        _ card: SimulatedCard,
        _ minorUnits: Int64
    ) -> MagicAmounts.Effect {
        // A card with an outcome of its own ignores the amount, and so does what was scripted.
        guard card.outcome == .approves, state.scripts.isEmpty, content.kind == .purchase else {
            return .approve
        }
        return state.magic.effect(of: minorUnits)
    }

    private static func answer(
        _ state: inout State,
        _ content: SimulatedPayload,
        _ card: SimulatedCard,
        _ minorUnits: Int64,
        _ effect: MagicAmounts.Effect
    ) -> Answer {
        if content.isRefusedByCard { return .declined(.refusedByCard) }
        if !state.scripts.isEmpty {
            return answer(&state, state.scripts.removeFirst(), content, minorUnits)
        }
        switch card.outcome {
        case .declines(let refusal): return .declined(refusal)
        case .asksForPIN: if let answer = ask(content) { return answer }
        case .approvesForHealthTrade where !state.healthMerchants.contains(content.merchant):
            return .declined(.restrictedCard)
        case .approves, .approvesForHealthTrade, .approvesWithoutRefunds: break
        }
        if let refusal = judge(&state, content, card, effect) { return .declined(refusal) }
        switch effect {
        case .decline(let refusal): return .declined(refusal)
        case .asksForPINAfterTap(let refusal):
            return ask(content) ?? (content.pin == .bypassed ? .declined(refusal) : nil)
                ?? approve(&state, minorUnits)
        case .approveHalf where minorUnits > 1: return approve(&state, minorUnits / 2)
        default: return approve(&state, minorUnits)
        }
    }

    private static func answer(
        _ state: inout State,
        _ script: Script,
        _ content: SimulatedPayload,
        _ minorUnits: Int64
    ) -> Answer {
        switch script {
        case .approve: approve(&state, minorUnits)
        case .approvePart(let part): approve(&state, min(part, minorUnits))
        case .approveHalf: approve(&state, minorUnits > 1 ? minorUnits / 2 : minorUnits)
        case .decline(let refusal): .declined(refusal)
        case .askForPIN: ask(content) ?? approve(&state, minorUnits)
        }
    }

    /// Asks for a PIN where none was given; a read without one is decided once.
    private static func ask(_ content: SimulatedPayload) -> Answer? {
        guard content.pin == .none else { return nil }
        return .asksForPIN(readID: content.readID)
    }

    /// What is wrong with a PIN; three wrong ones block the card.
    private static func judge(
        _ state: inout State,
        _ content: SimulatedPayload,
        _ card: SimulatedCard,
        _ effect: MagicAmounts.Effect
    ) -> IssuerRefusal? {
        if state.tries[card.id, default: 0] >= mostTries { return .pinTriesExceeded }
        guard content.pin == .wrong, effect != .asksForPIN(anyIsRight: true) else {
            if content.pin == .right { state.tries[card.id] = nil }
            return nil
        }
        state.tries[card.id, default: 0] += 1
        return state.tries[card.id] == mostTries ? .pinTriesExceeded : .incorrectPIN
    }

    private static let mostTries = 3

    private static func approve(_ state: inout State, _ minorUnits: Int64) -> Answer {
        let letters = (0..<6).map { _ in
            String(UnicodeScalar(UInt8(65 + state.codes.next() % 26)))
        }
        return .approved(minorUnits: minorUnits, approvalCode: letters.joined())
    }
}
