import ReaderSimulation
import Simulation
import Synchronization

/// The way from a device in the shop to whichever acquirer takes the payload, and back.
///
/// What is scripted for it holds for the next submission, whoever's it is.
public final class SubmissionLine: Sendable {
    /// What happens to one submission.
    public struct Script: Hashable, Sendable {
        /// How much longer the answer takes.
        public var delay = Duration.zero
        /// Whether the request is lost.
        public var losesRequest = false
        /// Whether the answer is lost.
        public var losesReply = false
        /// Whether the answer comes twice.
        public var duplicatesReply = false

        /// Creates a script in which nothing happens.
        public init() {}
    }

    private let scripts = Mutex<[Script]>([])
    let control: ReaderControl

    init(control: ReaderControl) { self.control = control }

    /// Scripts the next submissions, one each.
    public func script(_ scripts: [Script]) { self.scripts.withLock { $0 += scripts } }

    /// How many scripts no submission has met.
    public var waitingScripts: Int { scripts.withLock { $0.count } }

    /// The script of a submission that begins now, which is used up.
    func next() -> Script {
        scripts.withLock { $0.isEmpty ? Script() : $0.removeFirst() }
    }

    /// Sends a submission off, as far as the network.
    ///
    /// - Returns: What is scripted for the rest of its way.
    /// - Throws: What kept it from being sent.
    func depart(_ check: () throws(ReaderError) -> Void = {}) async throws(ReaderError) -> Script {
        try await control.reach(.submitStarted, .before)
        try check()
        if let error = await control.networkTrouble() { throw error }
        try await control.reach(.submitStarted, .after)
        return next()
    }

    /// Passes one side of a step at the acquirer or on the way back.
    ///
    /// - Returns: False when an error was scripted there. The end of the app stops nothing here.
    func passes(_ transition: ReaderTransition, _ side: ReaderFault.Side) async -> Bool {
        do throws(ReaderError) {
            try await control.reach(transition, side)
            return true
        } catch {
            return error.code == .closed || error.code == .readCancelled
        }
    }
}
