import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation

/// A simulated phone with Finix's kit on it, as code written for the vendor's kit sees it.
struct FinixKitBench {
    let world: SimulatedWorld
    let emulator: FinixEmulator
    let phone: FinixPhone
    private let sent = Shared<[HTTPRequest]>([])

    init(linked: Bool = true, card: String? = "visa-credit") {
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.linkedMerchants = linked ? ["MUdemo"] : []
        device.configured = 100
        world = SimulatedWorld(time: SimulatedTime(), device: device)
        world.device.control.alwaysThisCard = card.flatMap(SimulatedCard.named)
        emulator = FinixEmulator(world: world, merchant: "MUdemo", devices: ["DVtill": true])
        phone = FinixPhone(world: world, emulator: emulator)
        emulator.modes.demandsVersion = true
        let sent = sent
        emulator.host.faults.add(.loseRequest) { request in
            sent.value.append(request)
            return false
        }
    }

    var requests: [HTTPRequest] { sent.value }
    func count(_ path: String) -> Int { requests.filter { $0.path == path }.count }

    /// Another launch of the app, on the same phone.
    func kit(
        merchant: String = "MUdemo",
        device: String = "DVtill",
        password: String = FinixEmulator.password,
        options: TapToPayConfiguration.TransactionOptions = .init()
    ) -> FinixTapToPay {
        FinixPhone.$current.withValue(phone) {
            FinixTapToPay(
                configuration: TapToPayConfiguration(
                    credentials: APICredentials(
                        username: FinixEmulator.username,
                        password: password
                    ),
                    merchant: MerchantInfo(merchantId: merchant, merchantName: "Corner Shop"),
                    environment: .sandbox,
                    deviceId: device,
                    transactionOptions: options
                )
            )
        }
    }

    func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) throws -> Value {
        try world.time.run { await operation() }
    }

    func wait(_ seconds: Double) async {
        try? await world.time.clock.sleep(for: .seconds(seconds))
    }
}

/// What can be called on a kit, and how it ended, by name.
enum KitCall: String, CaseIterable {
    case isAccountLinked, forceRefreshLinkStatus, clearLinkStatus, linkAccount, prepareReader
    case startTransaction, cancelTransaction, refreshConfiguration, clearAllCaches

    func end(on kit: FinixTapToPay) async -> String {
        do throws(TapToPayError) {
            switch self {
            case .isAccountLinked: return "\(await kit.isAccountLinked())"
            case .forceRefreshLinkStatus: return "\(await kit.forceRefreshLinkStatus())"
            case .clearLinkStatus: kit.clearLinkStatus()
            case .linkAccount: try await kit.linkAccount()
            case .prepareReader: try await kit.prepareReader()
            case .startTransaction:
                _ = try await kit.startTransaction(amount: 1_250, currency: "USD")
            case .cancelTransaction: try await kit.cancelTransaction()
            case .refreshConfiguration: kit.refreshConfiguration()
            case .clearAllCaches: kit.clearAllCaches()
            }
            return "ok"
        } catch {
            return error.name
        }
    }
}

extension TapToPayError {
    /// The case's name.
    var name: String { String("\(self)".prefix { $0 != "(" }) }
}

extension TapToPayTransactionEvent {
    /// The case's name, and that of the error in it.
    var name: String {
        if case .failure(let error) = self { return "failure \(error.name)" }
        return String("\(self)".prefix { $0 != "(" })
    }
}
