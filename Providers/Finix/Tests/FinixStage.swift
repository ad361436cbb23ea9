import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// Where one scenario is played: a shop, its phone, and what the app was told and saw.
final class FinixStage: Sendable {
    let shop: FinixShop
    let phone: FinixPhone
    private let journal: Shared<MemoryAttemptJournal>
    private let record = Mutex((told: [String](), events: [String]()))

    init(card: String?, isConfigured: Bool = true) {
        let journal = MemoryAttemptJournal()
        shop = FinixShop(card: card, isConfigured: isConfigured, journal: journal)
        self.journal = Shared(journal)
        phone = FinixPhone(world: shop.world, emulator: shop.emulator)
    }

    var control: ReaderControl { shop.world.device.control }
    var emulator: FinixEmulator { shop.emulator }
    var told: [String] { record.withLock { $0.told } }
    var events: [String] { record.withLock { $0.events } }
    var ledger: [String] {
        shop.world.ledger.entries.map { "\($0.kind) \($0.minorUnits)" }
    }

    func tell(_ line: String) { record.withLock { $0.told.append(line) } }

    func see(_ event: PaymentEvent) { record.withLock { $0.events.append(event.word) } }

    func wait(_ seconds: Int) async {
        try? await shop.world.environment.clock.sleep(for: .seconds(seconds))
    }

    func usd(_ minorUnits: Int64) throws -> Money {
        try Money(minorUnits: minorUnits, currency: .usd)
    }

    // MARK: The app

    /// A new process of the app, on the same phone and journal.
    ///
    /// - Parameters:
    ///   - setting: How the phone comes by its Device, as the configuration says it.
    ///   - parts: What the app knows of its phone.
    ///   - driver: A driver in place of the simulated kit.
    /// - Returns: The point of sale.
    /// - Throws: What is wrong with the setting.
    func open(
        _ setting: String = #""device": "DVtill""#,
        parts: FinixPhoneParts = .simulated,
        driver: (any FinixDriver)? = nil
    ) async throws -> PointOfSale {
        let (world, emulator, phone) = (shop.world, shop.emulator, phone)
        let factory = ProviderFactory(name: "finix") { section, environment in
            guard let configuration = FinixConfiguration(section) else { return nil }
            guard let driver else {
                return .simulatedFinix(
                    configuration,
                    world: world,
                    emulator: emulator,
                    phone: phone,
                    parts: parts,
                    environment: environment
                )
            }
            return .finix(
                configuration,
                origin: FinixEmulator.origin,
                username: Secret(FinixEmulator.username),
                password: Secret(FinixEmulator.password),
                transport: emulator.host,
                environment: environment
            ) { _ in driver }
        }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "finix", "providers": { "finix": {
                      "environment": "simulated", "merchant": "MUdemo",
                      "merchantName": "Corner Shop", \(setting) } } }
                    """
            ),
            providers: [factory],
            journal: journal.value,
            environment: world.environment
        )
    }

    /// What the journal holds.
    var entries: [JournalEntry] { journal.value.entries }

    /// What is left of the app once the system has killed it: its journal as it stands.
    func kill() {
        journal.value = MemoryAttemptJournal(entries: journal.value.entries)
    }

    /// Opens the app with a prepared reader.
    func ready() async throws -> PointOfSale {
        let pointOfSale = try await open()
        try await pointOfSale.prepare()
        return pointOfSale
    }

    /// Prepares, and tells how that ended.
    func prepare(_ pointOfSale: PointOfSale) async {
        do throws(PaymentError) {
            try await pointOfSale.prepare()
            tell("ready")
        } catch {
            tell("\(error.code)")
        }
    }

    /// Takes one payment, and tells its events and its end.
    @discardableResult
    func pay(
        _ order: Order = "o1",
        _ kind: PaymentRequest.Kind = .sale,
        amount: Int64 = 1_250,
        with pointOfSale: PointOfSale,
        during: (PaymentEvent) -> Void = { _ in }
    ) async throws -> PaymentOutcome? {
        let request = PaymentRequest(kind, try usd(amount), for: order)
        do throws(PaymentRefusal) {
            let outcome = try await pointOfSale.take(request) { event in
                see(event)
                during(event)
            }
            tell(outcome.name)
            return outcome
        } catch {
            tell("refused \(error.code)")
            return nil
        }
    }

    /// Does something after a payment, and tells its end.
    func follow(
        _ body: () async throws(PaymentRefusal) -> FollowUpOutcome
    ) async {
        do throws(PaymentRefusal) {
            tell(try await body().name)
        } catch {
            tell("refused \(error.code)")
        }
    }

    /// Asks about everything that is not settled for an order, and tells what came of it.
    func resolve(_ order: Order = "o1", with pointOfSale: PointOfSale) async {
        for resolution in await pointOfSale.resolve(order) { tell(resolution.name) }
    }

    // MARK: The world

    /// Cuts the app off from the books, as long as a body runs.
    func withoutBooks(_ body: () async throws -> Void) async rethrows {
        emulator.cutBackOffice()
        try await body()
        emulator.host.faults.clear()
    }

    /// Asks the emulated Finix directly.
    func post(_ path: String, _ body: [String: JSONTree]) async -> (status: Int, id: String?) {
        var request = HTTPRequest(.post, FinixEmulator.origin, path)
        let pair = "\(FinixEmulator.username):\(FinixEmulator.password)"
        request.headers["Authorization"] = "Basic " + Data(pair.utf8).base64EncodedString()
        request.headers["Finix-Version"] = "2022-02-01"
        request.body = HTTPResponse.json(200, .object(body)).body
        guard let response = try? await emulator.host.send(request) else { return (0, nil) }
        return (response.status, JSONTree.members(of: response.body)?["id"]?.text)
    }

    /// Who provisions this shop's phones.
    func provisioner(_ store: any FinixDeviceStore) -> FinixDeviceProvisioner {
        let source = FinixDevices(
            world: .simulated,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: emulator.host,
            environment: shop.world.environment
        )
        return FinixDeviceProvisioner(source: source, store: store)
    }

    /// A phone of this shop's.
    func device(reader: String) throws(PaymentError) -> FinixDeviceRequest {
        try FinixDeviceRequest(
            environment: .simulated,
            merchant: "MUdemo",
            reader: reader,
            bundle: "shop.example",
            name: "Till"
        )
    }

    /// How often a reader token was issued or asked for.
    var tokens: Int { count("GET /tap_to_pay_token") }

    /// How often the emulated Finix got a request that begins so.
    func count(_ request: String) -> Int {
        shop.world.time.trace.lines.count {
            $0.text.contains(request) && $0.text.hasSuffix(" received")
        }
    }

    /// A phone that gets its Device by itself, asking Finix directly.
    static let provisioned =
        #""provisioning": { "through": "direct", "bundle": "shop.example", "name": "Till" }"#
}

extension PaymentEvent {
    /// The event in a word; every end is the same one.
    var word: String {
        if case .finished = kind { return "finished" }
        return String(messageKey.description.split(separator: ".")[1])
    }
}
