import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization
import Testing

let token = ReaderToken("a-secret-of-the-provider")
let purchase = ReadRequest(kind: .purchase, minorUnits: 1_234, currency: "EUR")

/// A device, an app on it, and everything the app heard.
final class TestWorld: Sendable {
    let time: SimulatedTime
    let device: SimulatedDevice
    let reader: SimulatedReader
    let control: ReaderControl
    private let heard = Mutex<[ReaderEvent]>([])

    /// A device whose merchant is linked and which needs no configuration, unless told otherwise.
    init(
        seed: UInt64 = 1,
        schedule: UInt64? = nil,
        _ configuration: SimulatedDeviceConfiguration = .init(
            linkedMerchants: ["merchant-1"],
            configured: 100
        )
    ) {
        time = SimulatedTime(seed: seed, scheduleSeed: schedule)
        device = SimulatedDevice(time: time, configuration: configuration)
        reader = SimulatedReader(device: device)
        control = device.control
        reader.subscribe { [weak self] event in self?.heard.withLock { $0.append(event) } }
    }

    var events: [ReaderEvent] { heard.withLock { $0 } }

    /// What was heard since the last time somebody asked.
    func takeEvents() -> [ReaderEvent] {
        heard.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Does something when an event is heard for the first time, at once or after a while.
    func on(
        _ event: ReaderEvent,
        after delay: Duration = .zero,
        _ act: @escaping @Sendable () -> Void
    ) {
        let armed = Switch()
        let clock = time.clock
        reader.subscribe { heard in
            guard heard == event, armed.turnOff() else { return }
            if delay == .zero { act() } else { clock.schedule(after: delay, act) }
        }
    }

    var now: Duration { time.clock.now.offset }

    func prepared() throws -> TestWorld {
        #expect(try prepare() == nil)
        _ = takeEvents()
        return self
    }

    func prepare(_ token: ReaderToken = token) throws -> ReaderError? {
        try time.run { [reader] in
            await failure { () throws(ReaderError) in try await reader.prepare(token: token) }
        }
    }

    func read(_ request: ReadRequest = purchase) throws -> Result<ReadResult, ReaderError> {
        try time.run { [reader] in await outcome(of: reader, request) }
    }
}

func outcome(of reader: SimulatedReader, _ request: ReadRequest = purchase) async -> Result<
    ReadResult, ReaderError
> {
    do throws(ReaderError) {
        return .success(try await reader.read(request))
    } catch {
        return .failure(error)
    }
}

func failure(_ call: () async throws(ReaderError) -> Void) async -> ReaderError? {
    do throws(ReaderError) {
        try await call()
        return nil
    } catch {
        return error
    }
}

private final class Switch: Sendable {
    private let isOn = Mutex(true)
    func turnOff() -> Bool {
        isOn.withLock { isOn in
            defer { isOn = false }
            return isOn
        }
    }
}

/// What follows the sheet when a card is read.
let tap: [ReaderEvent] = [.cardDetected, .removeCard, .readCompleted, .uiDismissed]

let visa = card("visa-credit")
let phone = card("phone-visa")

private func card(_ id: String) -> SimulatedCard {
    SimulatedCard.named(id) ?? SimulatedCard.catalogue[0]
}

extension Result<ReadResult, ReaderError> {
    var isSuccess: Bool { (try? get()) != nil }
    var cardID: String? { (try? get()).flatMap { CardPayload.open($0.payload.reveal())?.cardID } }
}

extension Result where Failure == ReaderError {
    var failure: ReaderError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// The events that one observer heard.
final class Heard: Sendable {
    private let events = Mutex<[ReaderEvent]>([])
    func add(_ event: ReaderEvent) { events.withLock { $0.append(event) } }
    var all: [ReaderEvent] { events.withLock { $0 } }
}

/// In which order things happened.
final class Order: Sendable {
    private let names = Mutex<[String]>([])
    func add(_ name: String) { names.withLock { $0.append(name) } }
    var all: [String] { names.withLock { $0 } }
}
