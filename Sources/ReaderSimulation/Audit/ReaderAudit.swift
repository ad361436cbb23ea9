import Simulation

/// Everything that happened at a simulated reader, kept so that it can be checked afterwards.
public struct ReaderAudit: Sendable {
    /// Something that happened.
    public enum Entry: Sendable {
        /// A call began.
        case called(String, id: Int, process: Int)
        /// A call gave its answer.
        case returned(Int, End)
        /// The reader told an event, before anything was done to it on its way.
        case event(ReaderEvent, operation: Int?, process: Int)
        /// What runs at the reader is another one, or nothing.
        case operation(Int?)
        /// The reader is in another state.
        case state(ReaderState)
        /// A cancel was answered: the call that it ended, if it ended one.
        case cancelAnswered(ended: Int?)
        /// The reader was asked to close.
        case closeAsked
        /// A process of the app ended.
        case processEnded(Int)
    }

    /// How a call ended.
    public enum End: Hashable, Sendable {
        /// With a value; of a read its name.
        case succeeded(readID: String?)
        /// With an error.
        case failed(ReaderError)

        init<Value>(_ result: Result<Value, ReaderError>) {
            switch result {
            case .success(let value): self = .succeeded(readID: (value as? ReadResult)?.readID)
            case .failure(let error): self = .failed(error)
            }
        }
    }

    /// One entry with its time.
    public struct Line: Sendable {
        /// When it happened, counted from the start of the simulation.
        public let at: Duration
        /// What happened.
        public let entry: Entry
    }

    /// Everything, in order.
    public private(set) var lines: [Line] = []
    private var now = Duration.zero
    private var lastState: ReaderState?
    private var lastOperation: Int?

    /// Creates an audit that has seen nothing.
    public init() {}

    /// Takes note of something.
    public mutating func add(_ entry: Entry) { lines.append(Line(at: now, entry: entry)) }

    /// Takes note of something at a time.
    mutating func add(_ entry: Entry, at time: Duration) {
        now = time
        add(entry)
    }

    /// Sees where the reader is, and takes note if that has changed.
    mutating func see(_ state: ReaderState, operation: Int?, at time: Duration) {
        now = time
        if lastOperation != operation { add(.operation(operation)) }
        if lastState != state { add(.state(state)) }
        (lastState, lastOperation) = (state, operation)
    }
}
