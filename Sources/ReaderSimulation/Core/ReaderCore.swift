import PaymentCore
import Simulation

/// Everything a simulated device and its one running app remember; decides all, waits for nothing.
struct ReaderCore {
    typealias Answer<Value: Sendable> = CheckedContinuation<Result<Value, ReaderError>, Never>
    typealias Step = @Sendable (inout ReaderCore) -> Void

    /// What runs at the reader; at most one.
    struct Operation: Sendable {
        indirect enum Kind: Sendable {
            case link(Answer<Void>, ReaderToken, again: Bool)
            case prepare(Answer<Void>, ReaderToken)
            case read
            case pin(CaptureInProgress)
        }

        let id: Int
        var kind: Kind
        var timers: [VirtualClock.Scheduled] = []
        /// Whether its keypad was used, which takes one PIN.
        var isPINTyped = false
    }

    /// What a preparation made.
    struct Session: Sendable {
        let id: Int
        let token: ReaderToken
        var idleTimer: VirtualClock.Scheduled?
        /// Lost while it was in use; takes effect when the read has ended.
        var lost: SessionEnd?
        /// The reads it has given out, for a PIN that is asked for later.
        var lastRead: FinishedRead?
        /// Whether its token was made to age out.
        var hasExpiredToken = false
    }

    let time: SimulatedTime
    let configuration: SimulatedDeviceConfiguration
    let magic: MagicAmounts
    weak var machine: ReaderMachine?
    var isTelling = false
    var outbox: [@Sendable () -> Void] = []

    // The device.
    var unsupported: ReaderError?
    var traits: DeviceTraits
    var linked: Set<String>
    var configured: Int
    /// When a configuration that nobody awaits any more went on by itself.
    var configuringAlone: VirtualClock.Instant?
    var network = ReaderControl.Network.up
    var isInCall = false
    var customer = SimulatedCustomer()
    /// Who used the reader, and since when, for the limit of accounts a day.
    var accounts: [String: VirtualClock.Instant] = [:]
    var usedTokens: Set<String> = []
    var usedPINTokens: Set<String> = []
    /// Tokens that were issued by then have aged out.
    var tokensEnd: VirtualClock.Instant?
    /// How many payloads each card has given.
    var transactions: [String: Int] = [:]
    /// The cards whose sheet has closed by itself once.
    var closedSheets: Set<String> = []
    var name: String
    var chance: SeededGenerator
    var jitter: SeededGenerator
    var luck: SeededGenerator

    // Faults.
    var faults = FaultBook()
    var edits: [EventEdit] = []
    var heldBack: ReaderEvent?
    var tickets: [Int: Answer<Void>] = [:]
    /// The tickets of cancels, which the system's watchdog looks after.
    var canceling: Set<Int> = []
    var hooks = ProcessHooks()
    var audit: ReaderAudit?
    /// Those who watch the device, whatever process of the app there is.
    var watchers: [@Sendable (ReaderEvent) -> Void] = []

    // The app's process.
    var process = 0
    /// How often the app has left the screen.
    var departures = 0
    var launches = 0
    var state: ReaderState
    var session: Session?
    var operation: Operation?
    /// The read, while one is the operation.
    var reading: ReadInProgress?
    var observers: [(id: Int, observer: @Sendable (ReaderEvent) -> Void)] = []
    var returning: Set<Int> = []
    var waitingForReturn: [Int: [CheckedContinuation<Void, Never>]] = [:]
    var closesAfterRead = false
    private var lastID = 0

    init(time: SimulatedTime, configuration: SimulatedDeviceConfiguration) {
        self.time = time
        self.configuration = configuration
        magic = MagicAmounts.table(configuration.magic)
        unsupported = configuration.unsupported
        traits = configuration.traits
        linked = configuration.linkedMerchants
        configured = configuration.configured
        chance = time.stream("reader")
        jitter = time.stream("reader.jitter")
        luck = time.stream("reader.faults")
        name = "sim-reader-" + Self.letters(chance.next())
        state = ReaderState(isLinked: !configuration.linkedMerchants.isEmpty)
        setTraits(configuration.traits, before: .none)
    }

    var timing: ReaderTiming { configuration.timing }
    var now: VirtualClock.Instant { time.clock.now }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// A word for a number, without digits that could look like a card's.
    static func letters(_ number: UInt64) -> String {
        String(decoding: (0..<12).map { alphabet[Int((number >> ($0 * 4)) & 15)] }, as: UTF8.self)
    }

    private static let alphabet = Array("abcdefghjkmnpqrs".utf8)
}

// MARK: - Telling and waiting

extension ReaderCore {
    /// What is done with the next event.
    enum EventEdit: Sendable {
        case drop
        case duplicate
        case swap
    }

    func note(_ text: @autoclosure () -> String) { time.trace.add("reader", text()) }

    mutating func emit(_ event: ReaderEvent) {
        note("event \(event.traceName)")
        keep(.event(event, operation: operation?.id, process: process))
        for watcher in watchers { outbox.append { watcher(event) } }
        switch edits.isEmpty ? nil : edits.removeFirst() {
        case .drop: return note("the event is dropped")
        case .duplicate: tell(event)
        case .swap:
            heldBack = event
            return note("the event waits for the next")
        case nil: break
        }
        tell(event)
        if let held = heldBack {
            heldBack = nil
            tell(held)
        }
    }

    /// Takes note of where the reader is, where an audit is kept.
    mutating func keepAudit() {
        guard audit != nil else { return }
        let (state, id, offset) = (state, operation?.id, now.offset)
        audit?.see(state, operation: id, at: offset)
    }

    /// Takes note of something that happens now, if somebody audits.
    mutating func keep(_ entry: ReaderAudit.Entry) {
        guard audit != nil else { return }
        let offset = now.offset
        audit?.add(entry, at: offset)
    }

    private mutating func tell(_ event: ReaderEvent) {
        for (_, observer) in observers { outbox.append { observer(event) } }
    }

    mutating func answer<Value>(
        _ continuation: Answer<Value>,
        _ result: Result<Value, ReaderError>
    ) {
        outbox.append { continuation.resume(returning: result) }
    }

    /// Does something after exactly so long, unless the operation it belongs to has ended.
    ///
    /// Limits are such times, and whatever a script or a test says.
    mutating func later(_ delay: Duration, in id: Int, _ action: @escaping Step) {
        let timer = after(delay) { core in
            if core.isRunning(id) { action(&core) }
        }
        operation?.timers.append(timer)
    }

    func isRunning(_ id: Int) -> Bool { operation?.id == id }

    /// Does something after about so long, unless the operation it belongs to has ended.
    mutating func later(about delay: Duration, in id: Int, _ action: @escaping Step) {
        later(shaken(delay), in: id, action)
    }

    func after(_ delay: Duration, _ action: @escaping Step) -> VirtualClock.Scheduled {
        time.clock.schedule(after: delay) { [weak machine] in machine?.act(action) }
    }

    /// Does something after a while, whatever runs by then.
    func afterwards(_ delay: Duration, _ action: @escaping Step) { _ = after(delay, action) }

    /// A time with the jitter of the timing.
    mutating func shaken(_ duration: Duration) -> Duration {
        guard timing.jitter > 0 else { return duration }
        let percent = Int64.random(in: Int64(-timing.jitter)...Int64(timing.jitter), using: &jitter)
        return duration + duration * Int(percent) / 100
    }

    /// The running operation is over; its timers no longer count.
    mutating func endOperation() {
        for timer in operation?.timers ?? [] { timer.cancel() }
        operation = nil
        reading = nil
    }
}
