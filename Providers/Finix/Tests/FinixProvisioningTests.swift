import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments

/// How a phone whose configuration names no Device gets one.
@Suite struct FinixProvisioningTests {
    private struct Session: TokenProvider {
        func token() async throws -> AccessToken { AccessToken("anna") }
    }

    /// Asks the app's own back end in place of Finix.
    private static let endpoint = """
        "provisioning": { "through": "endpoint", "origin": "https://shop.example",
          "bundle": "shop.example", "name": "Till" }
        """

    private static let settings = [FinixStage.provisioned, endpoint]

    /// What the app knows of its phone; its back end stands in front of the emulated Finix.
    private static func parts(
        _ stage: FinixStage,
        store: any FinixDeviceStore = MemoryFinixDeviceStore(),
        reader: @escaping @Sendable () async throws -> String = { "reader-1" }
    ) -> FinixPhoneParts {
        let service = FinixDeviceService(source: stage.provisioner(MemoryFinixDeviceStore())) {
            $0.reveal() == "anna" ? .merchants(["MUdemo"]) : .nothing
        }
        return FinixPhoneParts(
            store: store,
            session: Session(),
            transport: FunctionTransport { await service.answer($0) },
            readerIdentifier: reader
        )
    }

    private func play(
        _ body: @escaping @Sendable (FinixStage) async throws -> Void
    ) throws -> FinixStage {
        let stage = FinixStage(card: "visa-credit")
        for device in stage.emulator.devices.keys { stage.emulator.remove(device: device) }
        try stage.shop.run { try await body(stage) }
        return stage
    }

    @Test(arguments: settings)
    func `F-019 F-127 preparing provisions, and payments are taken on that Device`(
        setting: String
    ) throws {
        let stage = try play { stage in
            let pointOfSale = try await stage.open(setting, parts: Self.parts(stage))
            stage.tell(await pointOfSale.acquirers[0].provider.readiness().link.rawValue)
            try await stage.pay("o1", with: pointOfSale)
            await stage.prepare(pointOfSale)
            try await stage.pay("o2", with: pointOfSale)
            stage.tell(await pointOfSale.acquirers[0].provider.device() ?? "no Device")
        }
        let devices = stage.emulator.devices
        #expect(devices.values.map(\.self) == [true])
        #expect(
            stage.told == ["unknown", "failed notPrepared", "ready", "approved"]
                + devices.keys.sorted()
        )
    }

    @Test(arguments: settings)
    func `F-126 F-131 F-140 a later launch asks Finix for no Device, and its first sale names it`(
        setting: String
    ) throws {
        let store = MemoryFinixDeviceStore()
        let stage = try play { stage in
            let parts = Self.parts(stage, store: store)
            await stage.prepare(try await stage.open(setting, parts: parts))
            let before = stage.count(" /devices") + stage.count("/devices received")
            let later = try await stage.open(setting, parts: parts)
            stage.tell(await later.acquirers[0].provider.device() ?? "no Device")
            await stage.prepare(later)
            stage.tell("\(stage.count(" /devices") + stage.count("/devices received") - before)")
        }
        #expect(stage.told == ["ready"] + stage.emulator.devices.keys.sorted() + ["ready", "0"])
    }

    /// What happens to a kept Device at Finix, and whether the link's answer is still kept.
    enum Loss: CaseIterable {
        case disabled, disabledLinkForgotten, removed, removedLinkForgotten
    }

    @Test(arguments: Loss.allCases, settings)
    func `F-140 F-146 F-025 a kept Device that does not work is replaced while preparing, once`(
        loss: Loss,
        setting: String
    ) throws {
        let store = MemoryFinixDeviceStore()
        let stage = try play { stage in
            let parts = Self.parts(stage, store: store)
            await stage.prepare(try await stage.open(setting, parts: parts))
            for device in stage.emulator.devices.keys {
                switch loss {
                case .disabled, .disabledLinkForgotten: stage.emulator.disable(device: device)
                case .removed, .removedLinkForgotten: stage.emulator.remove(device: device)
                }
            }
            let isForgotten = [.disabledLinkForgotten, .removedLinkForgotten].contains(loss)
            if isForgotten { await stage.wait(301) }
            let later = try await stage.open(setting, parts: parts)
            let before = stage.count("PUT /devices")
            await stage.prepare(later)
            stage.tell("\(stage.count("PUT /devices") - before)")
            try await stage.pay(with: later)
        }
        #expect(stage.told == ["ready", "ready", "1", "approved"])
        #expect(stage.emulator.devices.values.map(\.self) == [true])
    }

    @Test(arguments: [true, false])
    func `F-141 a Device that never works is provisioned anew once for each wish`(
        isSetUp: Bool
    ) throws {
        let stage = try play { stage in
            stage.control.revokeLink()
            stage.emulator.host.faults.add(
                .changeAnswer { response in
                    var response = response
                    response.status = 422
                    response.body = Data(
                        #"{ "_embedded": { "errors": [ { "code": "UNPROCESSABLE_ENTITY", "message": "the device was not activated" } ] } }"#
                            .utf8
                    )
                    return response
                }
            ) { $0.path == "/tap_to_pay_token" }
            let pointOfSale = try await stage.open(FinixStage.provisioned)
            for _ in 0..<2 {
                let before = stage.count("GET /devices")
                if isSetUp {
                    let options = SetUpOptions(mayAcceptTerms: true)
                    stage.tell(try await pointOfSale.setUp(options).state.name)
                } else {
                    await stage.prepare(pointOfSale)
                }
                stage.tell("\(stage.count("GET /devices") - before) lists and fetches")
            }
        }
        let told = isSetUp ? "notDone deviceDisabled" : "accountNotLinked"
        #expect(stage.told.filter { !$0.contains("lists") } == [told, told])
        // Without the vendor's word about the Device Finix is asked, and it says that it works.
        let asked = stage.told.filter { $0.contains("lists") }.compactMap(\.first)
        #expect(asked == (isSetUp ? ["2", "2"] : ["2", "1"]))
        #expect(stage.emulator.devices.count == 1)
    }

    @Test(arguments: settings)
    func `F-142 F-290 U-03 a reader that changed between launches gets another Device`(
        setting: String
    ) throws {
        let store = MemoryFinixDeviceStore()
        let asked = Shared(0)
        let stage = try play { stage in
            let parts = Self.parts(stage, store: store) {
                asked.value += 1
                return "reader-\(asked.value)"
            }
            for _ in 0..<2 {
                let launch = try await stage.open(setting, parts: parts)
                for _ in 0..<2 { await stage.prepare(launch) }
            }
        }
        #expect(asked.value == 2)
        #expect(stage.emulator.devices.count == 2)
    }

    @Test func `F-290 a reader that tells no identifier leaves the phone unprepared`() throws {
        struct Busy: Error {}
        let answers = Shared<[Result<String, any Error>]>([
            .failure(Busy()), .failure(PaymentError(.passcodeRequired)), .success(" "),
            .success("reader-1"),
        ])
        let stage = try play { stage in
            let parts = Self.parts(stage) { try answers.value[0].get() }
            let pointOfSale = try await stage.open(FinixStage.provisioned, parts: parts)
            for _ in 0..<4 {
                await stage.prepare(pointOfSale)
                answers.value.removeFirst()
            }
        }
        #expect(
            stage.told == ["preparationFailed", "passcodeRequired", "notConfigured", "ready"]
        )
    }

    @Test func `F-038 F-292 setting up provisions first, and a Device that is off is replaced`()
        throws
    {
        let store = MemoryFinixDeviceStore()
        let stage = try play { stage in
            stage.control.revokeLink()
            let parts = Self.parts(stage, store: store)
            for mayAcceptTerms in [false, true, true] {
                for device in stage.emulator.devices.keys {
                    stage.emulator.disable(device: device)
                }
                let launch = try await stage.open(FinixStage.provisioned, parts: parts)
                let options = SetUpOptions(mayAcceptTerms: mayAcceptTerms)
                stage.tell(try await launch.setUp(options).state.name)
            }
        }
        #expect(stage.told == ["unknown linkStatusUnknown", "done", "done"])
        #expect(stage.emulator.devices.count == 1)
    }

    @Test func `F-007 F-006 each Device has a driver of its own, made once`() throws {
        let made = Shared<[String]>([])
        let stage = try play { stage in
            let (emulator, shop) = (stage.emulator, stage.shop)
            let section = Self.endpoint
            let factory = ProviderFactory(name: "finix") { section, environment in
                FinixConfiguration(section).map { configuration in
                    .finix(
                        configuration,
                        origin: FinixEmulator.origin,
                        username: Secret(FinixEmulator.username),
                        password: Secret(FinixEmulator.password),
                        transport: emulator.host,
                        phone: Self.parts(stage),
                        environment: environment
                    ) { configuration in
                        made.value.append(configuration.deviceID)
                        return ScriptedFinixDriver(end: .init(phases: [], answer: nil))
                    }
                }
            }
            let pointOfSale = try await PointOfSale.open(
                PointOfSaleConfiguration(
                    text: """
                        { "provider": "finix", "providers": { "finix": { \(section),
                          "environment": "simulated", "merchant": "MUdemo",
                          "merchantName": "Shop" } } }
                        """
                ),
                providers: [factory],
                journal: MemoryAttemptJournal(),
                environment: shop.world.environment
            )
            for _ in 0..<3 { await stage.prepare(pointOfSale) }
        }
        #expect(made.value == [""] + stage.emulator.devices.keys.sorted())
    }

    @Test func `N-028 a payment is taken on no other Device than the journal was told`() throws {
        let store = MemoryFinixDeviceStore()
        let stage = try play { stage in
            let parts = Self.parts(stage, store: store)
            let pointOfSale = try await stage.open(FinixStage.provisioned, parts: parts)
            await stage.prepare(pointOfSale)
            let provider = pointOfSale.acquirers[0].provider
            let told = await provider.device()
            for device in stage.emulator.devices.keys { stage.emulator.remove(device: device) }
            try await provider.prepare()
            let attempt = PaymentAttempt(
                id: AttemptID(from: stage.shop.world.environment),
                account: pointOfSale.account,
                operation: .take(.sale(try stage.usd(1_250), for: "o1")),
                startedAt: stage.shop.world.environment.wallTime(),
                amount: try stage.usd(1_250)
            )
            let context = AttemptContext(report: { _ in }, note: { _ in })
            stage.tell(await provider.perform(attempt, context: context).word)
            stage.tell("\(await provider.device() == told)")
            stage.tell(await provider.perform(attempt, context: context).word)
        }
        #expect(stage.told == ["ready", "notCharged notPrepared", "false", "approved"])
        #expect(stage.ledger == ["charge 1250"])
    }

    // MARK: - The books

    private static let remote = #""backOffice": { "origin": "https://shop.example" }"#

    @Test func `F-125 N-052 a phone whose back end keeps the books settles and refunds by it`()
        throws
    {
        let paths = Shared<[String]>([])
        let stage = try play { stage in
            let account = FinixShop.account
            let books = FinixBackOffice(
                account: account,
                origin: FinixEmulator.origin,
                username: Secret(FinixEmulator.username),
                password: Secret(FinixEmulator.password),
                transport: stage.emulator.host,
                environment: stage.shop.world.environment
            )
            let service = RemoteBackOfficeService([account: books]) { token in
                token.reveal() == "anna" ? [account] : nil
            }
            let provisioning = Self.parts(stage).transport
            let parts = FinixPhoneParts(
                session: Session(),
                transport: FunctionTransport { request in
                    paths.value.append(request.path)
                    guard request.path.hasPrefix(RemoteBackOffice.usualPath) else {
                        return (try? await provisioning?.send(request)) ?? HTTPResponse(status: 500)
                    }
                    return await service.answer(request)
                }
            ) { "reader-1" }
            let setting = Self.endpoint + ", " + Self.remote
            let pointOfSale = try await stage.open(setting, parts: parts)
            await stage.prepare(pointOfSale)
            stage.emulator.loseNextPayment(booked: true)
            try await stage.pay("o1", with: pointOfSale)
            let receipt = try #require(await pointOfSale.receipt(for: "o1"))
            let part = try stage.usd(500)
            await stage.follow { () throws(PaymentRefusal) in
                try await pointOfSale.refund(receipt, amount: part, id: "r1")
            }
        }
        #expect(stage.told == ["ready", "approved", "done"])
        #expect(stage.ledger == ["charge 1250", "refund 500"])
        #expect(paths.value.contains("/finix/devices"))
        #expect(paths.value.contains { $0.hasPrefix("/in-person-payments/") })
    }

    // MARK: - The configuration

    static let faults: [(setting: String, path: String, problem: String)] = [
        ("", "device", "\"provisioning\""), (#""device": null,"#, "device", "the identifier"),
        (#""device": "","#, "device", "found"),
        (
            #""device": "DV1", "provisioning": { "through": "direct", "bundle": "b", "name": "n" },"#,
            "provisioning", "one of the two"
        ),
        (#""provisioning": { "through": "phone" },"#, "provisioning.through", "endpoint"),
        (
            #""provisioning": { "through": "direct", "name": "n" },"#, "provisioning.bundle",
            "missing"
        ),
        (
            #""provisioning": { "through": "direct", "bundle": "b" },"#, "provisioning.name",
            "missing"
        ),
        (
            #""provisioning": { "through": "endpoint", "bundle": "b", "name": "n" },"#,
            "provisioning.origin", "missing"
        ),
        (
            #""provisioning": { "through": "direct", "origin": "https://x", "bundle": "b", "name": "n" },"#,
            "provisioning.origin", "alone"
        ),
        (
            #""provisioning": { "through": "direct", "bundle": "b", "name": "n", "nmae": "x" },"#,
            "provisioning.nmae", "name"
        ),
        (
            #""provisioning": { "through": "direct", "bundle": "b", "name": "n" },"#,
            "provisioning", "reader"
        ),
        (
            #""provisioning": { "through": "endpoint", "origin": "http://x.example", "bundle": "b", "name": "n" },"#,
            "provisioning.origin", "https"
        ),
        (#""device": "DV1", "backOffice": "remote","#, "backOffice", "an object"),
        (#""device": "DV1", "backOffice": {},"#, "backOffice.origin", "missing"),
        (
            #""device": "DV1", "backOffice": { "origin": "ftp://x" },"#, "backOffice.origin",
            "https"
        ),
        (
            #""device": "DV1", "backOffice": { "origin": "https://x", "url": "" },"#,
            "backOffice.url", "path"
        ),
        (#""device": "DV1", "backOffice": { "origin": "https://x" },"#, "backOffice", "session"),
        (
            #""device": "DV1", "backOffice": { "origin": "https://x/api" },"#, "backOffice.origin",
            "path"
        ),
        (
            #""device": "DV1", "backOffice": { "origin": "http://localhost:u@x.example" },"#,
            "backOffice.origin", "more than"
        ),
        (
            #""device": "DV1", "backOffice": { "origin": "https://x", "path": "books" },"#,
            "backOffice.path", "slash"
        ),
        (#""device": "DV 1","#, "device", "identifier"),
        (#""device": "DV1 ","#, "device", "blanks"),
        (#""device": "../DV1","#, "device", "slashes"),
        (
            #""device": "\#(String(repeating: "D", count: 256))","#, "device", "too many"
        ),
    ]

    @Test(arguments: [
        ("MU 1", "Shop", "merchant"), ("MU1/devices", "Shop", "merchant"),
        ("MU1", " ", "merchantName"),
        ("MU1", "\u{2003}", "merchantName"), ("MU1", "", "merchantName"),
    ])
    func `F-010 F-011 F-158 a merchant needs an identifier and a name that can be read`(
        merchant: String,
        name: String,
        key: String
    ) async throws {
        let setting = #""device": "DV1","#
        let problems = try await problems(setting, phone: nil, merchant: merchant, name: name)
        #expect(problems.map(\.path) == ["providers.finix.\(key)"], "\(problems)")
    }

    @Test(arguments: faults)
    func `N-033 F-011 a phone without a Device, or a way to one, is a problem with its place`(
        setting: String,
        path: String,
        problem: String
    ) async throws {
        let problems = try await problems(setting, phone: nil)
        let place = "providers.finix.\(path)"
        #expect(
            problems.contains { $0.path == place && $0.text.contains(problem) },
            "\(problems)"
        )
    }

    @Test func `N-033 an endpoint needs the app's session`() async throws {
        let phone = FinixPhoneParts(store: MemoryFinixDeviceStore()) { "reader-1" }
        let endpoint = try await problems(Self.endpoint + ",", phone: phone)
        #expect(endpoint.map(\.path) == ["providers.finix.provisioning"])
        #expect(try await problems(FinixStage.provisioned + ",", phone: phone).isEmpty)
    }

    @Test(arguments: [
        ("sandbox", "https://finix.sandbox-payments-api.com"),
        ("production", "https://finix.live-payments-api.com"),
    ])
    func `F-008 F-152 each environment's keys go to its own host`(
        environment: String,
        origin: String
    ) throws {
        let sent = FixedTransport(401, "{}")
        let phone = FinixPhoneParts(store: MemoryFinixDeviceStore()) { "reader-1" }
        let time = SimulatedTime()
        let code = try time.run { () async -> PaymentError.Code? in
            do {
                try await open(
                    FinixStage.provisioned + ",",
                    environment,
                    phone: phone,
                    over: sent,
                    in: time
                ).prepare()
                return nil
            } catch {
                return (error as? PaymentError)?.code
            }
        }
        #expect(code == .invalidCredentials)
        #expect(!sent.requests.isEmpty && sent.requests.allSatisfy { $0.origin == origin })
    }

    private func open(
        _ setting: String,
        _ environment: String = "sandbox",
        phone: FinixPhoneParts?,
        merchant: String = "MU1",
        name: String = "Shop",
        over transport: FixedTransport = FixedTransport(200, "{}"),
        in time: SimulatedTime = SimulatedTime()
    ) async throws -> PointOfSale {
        let factory = ProviderFactory.finix(transport: transport, phone: phone) {
            _ in ScriptedFinixDriver(end: .init(phases: [], answer: nil))
        }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "finix", "providers": { "finix": { \(setting)
                      "environment": "\(environment)", "merchant": "\(merchant)",
                      "merchantName": "\(name)",
                      "credentials": { "username": { "env": "HOME" },
                        "password": { "env": "HOME" } } } } }
                    """,
                secrets: .app { _ in Secret("secret") }
            ),
            providers: [factory],
            journal: MemoryAttemptJournal(),
            environment: time.environment
        )
    }

    private func problems(
        _ setting: String,
        phone: FinixPhoneParts?,
        merchant: String = "MU1",
        name: String = "Shop"
    ) async throws -> [ConfigurationProblem] {
        do {
            _ = try await open(setting, phone: phone, merchant: merchant, name: name)
            return []
        } catch PointOfSaleError.configuration(let problems) {
            return problems.problems
        }
    }
}

extension ProviderAnswer {
    /// The answer in a word or two.
    var word: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .notCharged(let error): "notCharged \(error.code)"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}
