import PaymentCore
import Simulation

/// Everything a simulated device and its one running app remember; decides all, waits for nothing.
struct ReaderCore: Sendable {
    typealias Answer<Value: Sendable> = CheckedContinuation<Result<Value, ReaderError>, Never>

    /// What runs at the reader; at most one.
    struct Operation: Sendable {
        enum Kind: Sendable {
            case link(Answer<Void>, ReaderToken)
            case prepare(Answer<Void>, ReaderToken)
            case read(ReadInProgress)
        }

        let id: Int
        var kind: Kind
        var timers: [VirtualClock.Scheduled] = []
    }

    /// What a preparation made.
    struct Session: Sendable {
        let id: Int
        let token: ReaderToken
        var idleTimer: VirtualClock.Scheduled?
        /// Lost while it was in use; takes effect when the read has ended.
        var lost: SessionEnd?
    }

    let time: SimulatedTime
    let configuration: SimulatedDeviceConfiguration
    weak var machine: ReaderMachine?
    var isTelling = false
    var outbox: [@Sendable () -> Void] = []

    // The device.
    var unsupported: ReaderError?
    var linked: Set<String>
    var configured: Int
    /// When a configuration that nobody awaits any more went on by itself.
    var configuringAlone: VirtualClock.Instant?
    var hasNetwork = true
    var customer = SimulatedCustomer()
    var faults: [ReaderMoment: [ReaderError]] = [:]
    let name: String
    var chance: SeededGenerator

    // The app's process.
    var process = 0
    var state: ReaderState
    var session: Session?
    var operation: Operation?
    var observers: [(id: Int, observer: @Sendable (ReaderEvent) -> Void)] = []
    var returning: Set<Int> = []
    var waitingForReturn: [Int: [CheckedContinuation<Void, Never>]] = [:]
    var closesAfterRead = false
    private var lastID = 0

    init(time: SimulatedTime, configuration: SimulatedDeviceConfiguration) {
        self.time = time
        self.configuration = configuration
        unsupported = configuration.unsupported
        linked = configuration.linkedMerchants
        configured = configuration.configured
        chance = time.stream("reader")
        name = "sim-reader-" + Self.letters(chance.next())
        state = ReaderState(
            isLinked: !configuration.linkedMerchants.isEmpty,
            unsupported: configuration.unsupported
        )
    }

    var timing: ReaderTiming { configuration.timing }

    mutating func nextID() -> Int {
        lastID += 1
        return lastID
    }

    /// A word for a number, without digits that could look like a card's.
    static func letters(_ number: UInt64) -> String {
        let alphabet = Array("abcdefghjkmnpqrs")
        return String((0..<12).map { alphabet[Int((number >> ($0 * 4)) & 15)] })
    }
}

// MARK: - Telling and waiting

extension ReaderCore {
    func note(_ text: String) { time.trace.add("reader", text) }

    mutating func emit(_ event: ReaderEvent) {
        note("event \(event.traceName)")
        for (_, observer) in observers { outbox.append { observer(event) } }
    }

    mutating func answer<Value>(
        _ continuation: Answer<Value>,
        _ result: Result<Value, ReaderError>
    ) {
        outbox.append { continuation.resume(returning: result) }
    }

    /// Does something after a while, unless the operation it belongs to has ended.
    mutating func later(
        _ delay: Duration,
        in id: Int,
        _ action: @escaping @Sendable (inout ReaderCore) -> Void
    ) {
        let timer = after(delay) { core in
            if core.operation?.id == id { action(&core) }
        }
        operation?.timers.append(timer)
    }

    func after(
        _ delay: Duration,
        _ action: @escaping @Sendable (inout ReaderCore) -> Void
    ) -> VirtualClock.Scheduled {
        time.clock.schedule(after: delay) { [weak machine] in machine?.act(action) }
    }

    /// The running operation is over; its timers no longer count.
    mutating func endOperation() {
        for timer in operation?.timers ?? [] { timer.cancel() }
        operation = nil
    }

    /// The scripted fault of a moment, which is used up.
    mutating func fault(at moment: ReaderMoment) -> ReaderError? {
        guard var scripted = faults[moment], !scripted.isEmpty else { return nil }
        let error = scripted.removeFirst()
        faults[moment] = scripted.isEmpty ? nil : scripted
        note("fault \(moment.rawValue): \(error)")
        return error
    }
}
