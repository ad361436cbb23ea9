import PaymentCore
public import ReaderSimulation
import Simulation
import Synchronization

/// A plain acquirer for programs that own the reader: takes payloads, once a key, and keeps books.
public final class SubmissionDesk: Sendable {
    /// What is sent.
    public struct Submission: Sendable {
        /// What the reader collected.
        public let payload: CardPayload
        /// The same for every repeat of one attempt.
        public let key: String
        /// The intention to take one amount once.
        public let attempt: String
        /// The merchant.
        public let merchant: String
        /// The amount in minor units.
        public let minorUnits: Int64
        /// The currency's code.
        public let currency: String

        /// Creates a submission.
        public init(
            payload: CardPayload,
            key: String,
            attempt: String,
            merchant: String,
            minorUnits: Int64,
            currency: String
        ) {
            self.payload = payload
            self.key = key
            self.attempt = attempt
            self.merchant = merchant
            self.minorUnits = minorUnits
            self.currency = currency
        }
    }

    /// The acquirer's answer.
    public enum Reply: Hashable, Sendable {
        /// Paid, so many minor units.
        case approved(minorUnits: Int64)
        /// Not paid.
        case declined(IssuerRefusal)
        /// A PIN is wanted for the read.
        case pinRequired
        /// Not decided yet.
        case pending
        /// Cancelled at the acquirer, without money.
        case cancelled
        /// Taken back after it was paid.
        case reversed
        /// Refused before anything was done; the number is that of HTTP.
        case refused(Int)
    }

    /// Why there is no answer.
    public enum Failure: Error, Hashable, Sendable {
        /// Nothing was sent.
        case notSent(ReaderError)
        /// It may have been taken.
        case noReply
    }

    /// What an acquirer answers whatever the issuer would say; used up in order.
    public enum Script: Hashable, Sendable {
        /// Undecided at first, then yes or no.
        case pending(thenApproves: Bool)
        /// An error of the server, before anything was done.
        case errorBefore
        /// An error of the server, after everything was done.
        case errorAfter
        /// Refused with a number of HTTP, once.
        case refuse(Int)
        /// Yes, and taken back later.
        case approveThenReverse
        /// No, and a notice later that says yes.
        case declineThenApprove
    }

    struct Book: Sendable {
        let id: String
        let attempt: String
        let currency: String
        /// Whether money is given back to the card that was read.
        let isRefund: Bool
        var reply: Reply
        var data: CardData?
    }

    struct State {
        var books: [Book] = []
        var byKey: [String: Int] = [:]
        var scripts: [Script] = []
        var hears: [@Sendable (String, Reply) -> Void] = []
        var received = 0
    }

    let state = Mutex(State())
    let world: SimulatedWorld
    private let isLive: Bool

    /// Opens a desk.
    ///
    /// - Parameters:
    ///   - world: Where it books money and whose issuers it asks.
    ///   - isLive: Whether it stands for a real acquirer, which takes nothing simulated.
    public init(world: SimulatedWorld, isLive: Bool = false) {
        self.world = world
        self.isLive = isLive
    }

    /// Scripts the next answers.
    public func script(_ scripts: [Script]) { state.withLock { $0.scripts += scripts } }

    /// How many scripts no submission has met.
    public var waitingScripts: Int { state.withLock { $0.scripts.count } }

    /// How many submissions have arrived.
    public var received: Int { state.withLock { $0.received } }

    /// Sends a payload.
    ///
    /// - Parameter submission: What is sent.
    /// - Returns: The acquirer's answer; a repeat under one key is answered with what is
    ///   booked, and books nothing again.
    /// - Throws: ``Failure``, which says whether it may have been taken.
    public func submit(_ submission: Submission) async throws(Failure) -> Reply {
        if isLive { throw .notSent(ReaderError(.simulatedInLive)) }
        let line: SubmissionLine.Script
        do throws(ReaderError) {
            line = try await world.line.depart { () throws(ReaderError) in
                guard submission.payload.expiresAt > world.time.clock.now.offset else {
                    throw ReaderError(.resultExpired)
                }
            }
        } catch {
            throw .notSent(error)
        }
        await pass(Self.latency)
        if line.losesRequest { throw await lost("request") }
        return try await answer(submission, line)
    }

    private func answer(
        _ submission: Submission,
        _ line: SubmissionLine.Script
    ) async throws(Failure) -> Reply {
        guard await world.line.passes(.submitReceived, .before) else { throw .noReply }
        state.withLock { $0.received += 1 }
        world.time.trace.add("desk", "received \(submission.attempt)")
        // From here on the acquirer goes on by itself, whatever becomes of the app.
        let mayGoOn = await world.line.passes(.submitReceived, .after)
        let decision = mayGoOn ? decide(submission) : Decision(reply: .refused(500))
        let isTold = await world.line.passes(.issuerDecided, .before) && mayGoOn
        _ = await world.line.passes(.issuerDecided, .after)
        await pass(line.delay + Self.latency)
        let mayReply = await world.line.passes(.replySent, .before)
        guard isTold, mayReply, await world.line.passes(.replySent, .after) else { throw .noReply }
        if line.losesReply || decision.isLost { throw await lost("reply") }
        if await world.device.control.networkTrouble() != nil { throw await lost("reply") }
        guard await world.line.passes(.replyReceived, .before) else { throw .noReply }
        world.time.trace.add("desk", "answers \(submission.attempt): \(decision.reply)")
        if line.duplicatesReply || decision.comesTwice {
            world.time.trace.add("desk", "answers \(submission.attempt) again")
            tell(submission.attempt, decision.reply)
        }
        guard await world.line.passes(.replyReceived, .after) else { throw .noReply }
        if decision.reply == .refused(500) { throw .noReply }
        return decision.reply
    }

    private func lost(_ what: String) async -> Failure {
        world.time.trace.add("desk", "the \(what) is lost")
        await pass(Self.patience)
        return .noReply
    }

    private func pass(_ duration: Duration) async {
        try? await world.time.clock.sleep(for: duration)
    }

    private static let latency = Duration.milliseconds(40)
    /// How long a client waits for an answer that does not come.
    private static let patience = Duration.seconds(30)
}
