import PaymentCore
import Synchronization

/// What an app of a scenario writes down; it survives the end of its process.
public final class ClientJournal: Sendable {
    /// How far an attempt got.
    public enum Stage: Hashable, Sendable {
        /// Written down; nothing was sent.
        case begun
        /// About to be sent, or sent.
        case submitting
        /// Ended.
        case ended(ClientOutcome)
    }

    /// One attempt.
    public struct Entry: Hashable, Sendable {
        /// Its name, which is its key at the acquirer for ever.
        public let attempt: String
        /// Which sale it is for, counted from one.
        public let sale: Int
        /// How far it got.
        public var stage: Stage
    }

    private struct State {
        var entries: [Entry] = []
        var told: [(sale: Int, attempt: String, outcome: ClientOutcome)] = []
        var process = 0
    }

    private let state = Mutex(State())

    init() {}

    /// A process begins to write; what an earlier one still writes is dropped.
    func begin(process: Int) { state.withLock { $0.process = process } }

    /// The pen of one process.
    public struct Pen: Sendable {
        let journal: ClientJournal
        let process: Int

        /// Whether the process that holds it has not ended.
        public var isInUse: Bool { journal.state.withLock { $0.process == process } }

        /// Writes a new attempt down.
        ///
        /// - Parameter sale: Which sale it is for.
        /// - Returns: Its name; nil when this process has ended.
        public func begin(sale: Int) -> String? {
            journal.write(process) { state in
                let attempt = "attempt-\(state.entries.count + 1)"
                state.entries.append(Entry(attempt: attempt, sale: sale, stage: .begun))
                return attempt
            }
        }

        /// Writes down how far an attempt got.
        public func set(_ attempt: String, _ stage: Stage) {
            _ = journal.write(process) { state -> Bool in
                guard let index = state.entries.firstIndex(where: { $0.attempt == attempt }) else {
                    return false
                }
                state.entries[index].stage = stage
                if case .ended(let outcome) = stage {
                    state.told.append((state.entries[index].sale, attempt, outcome))
                }
                return true
            }
        }

        /// Tells the cashier something about an attempt that has not ended.
        public func tell(_ attempt: String, _ outcome: ClientOutcome) {
            _ = journal.write(process) { state -> Bool in
                let sale = state.entries.first { $0.attempt == attempt }?.sale ?? 0
                state.told.append((sale, attempt, outcome))
                return true
            }
        }

        /// The attempts that have not ended.
        public var open: [Entry] {
            journal.entries.filter { entry in
                if case .ended = entry.stage { false } else { true }
            }
        }

        /// How an attempt ended; nil when it has not.
        public func ending(of attempt: String) -> ClientOutcome? {
            for entry in journal.entries where entry.attempt == attempt {
                if case .ended(let outcome) = entry.stage { return outcome }
            }
            return nil
        }

        /// The sales that have ended.
        public var endedSales: Int {
            Set(journal.entries.map(\.sale)).count - Set(open.map(\.sale)).count
        }
    }

    private func write<Value>(_ process: Int, _ body: (inout State) -> Value?) -> Value? {
        state.withLock { state in
            guard process == state.process else { return nil }
            return body(&state)
        }
    }

    /// Every attempt, in order.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Everything the cashier was told, in order.
    public var told: [ClientOutcome] { state.withLock { $0.told.map(\.outcome) } }

    /// What the cashier was told last about each attempt.
    var lastTold: [String: ClientOutcome] {
        state.withLock { state in
            var last: [String: ClientOutcome] = [:]
            for line in state.told { last[line.attempt] = line.outcome }
            return last
        }
    }
}
