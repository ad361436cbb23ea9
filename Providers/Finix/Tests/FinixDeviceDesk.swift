import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// Passes requests on and keeps them.
final class RecordingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ inner: any HTTPTransport) { self.inner = inner }

    var requests: [HTTPRequest] { sent.withLock { $0 } }
    var lines: [String] { requests.map(\.description) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        return try await inner.send(request)
    }
}

/// Hands requests to a function, as a server would.
struct FunctionTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        await answer(request)
    }
}

/// A back end's desk where Devices are provisioned, with an emulated Finix behind it.
struct FinixDeviceDesk {
    let time = SimulatedTime()
    let emulator: FinixEmulator
    let transport: RecordingTransport
    let source: FinixDevices
    let store = MemoryFinixDeviceStore()

    init(devices: [String: Bool] = [:]) {
        let world = SimulatedWorld(time: time)
        emulator = FinixEmulator(world: world, merchant: "MU1", devices: devices)
        emulator.modes.demandsVersion = true
        transport = RecordingTransport(emulator.host)
        source = Self.source(over: transport, time)
    }

    static func source(over transport: any HTTPTransport, _ time: SimulatedTime) -> FinixDevices {
        FinixDevices(
            world: .sandbox,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: transport,
            environment: time.environment
        )
    }

    /// A new process of the app, on the same store.
    func provisioner(_ source: (any FinixDeviceSource)? = nil) -> FinixDeviceProvisioner {
        FinixDeviceProvisioner(source: source ?? self.source, store: store)
    }

    func request(
        merchant: String = "MU1",
        reader: String = "reader-1",
        bundle: String = "shop.example"
    ) throws -> FinixDeviceRequest {
        try FinixDeviceRequest(
            environment: .sandbox,
            merchant: merchant,
            reader: reader,
            bundle: bundle,
            name: "Till 1",
            note: "by the door"
        )
    }

    /// Runs something, and gives its value or its error.
    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws(PaymentError) -> Value
    ) throws -> Result<Value, PaymentError> {
        try time.run { () async -> Result<Value, PaymentError> in
            do throws(PaymentError) {
                return .success(try await operation())
            } catch {
                return .failure(error)
            }
        }
    }
}

extension Result where Failure == PaymentError {
    /// The code of its error.
    var code: PaymentError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
