import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments

/// Who is ready, when the reader is warmed up, and where the link is read from.
@Suite struct FinixReadyRuleTests {
    /// Runs a point of sale in the background, as an app does, beside something else.
    private func whileRunning(
        _ stage: FinixStage,
        _ pointOfSale: PointOfSale,
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await pointOfSale.run()
                return false
            }
            group.addTask {
                try await body()
                return true
            }
            while let isOver = try await group.next(), !isOver {}
            group.cancelAll()
        }
    }

    private func isPrepared(_ pointOfSale: PointOfSale) async -> Bool? {
        var states = pointOfSale.states.makeAsyncIterator()
        return await states.next()?.readiness?.isPrepared
    }

    @Test func `F-276 F-265 F-294 the reader is warmed up at launch and once for each return`()
        throws
    {
        let stage = FinixStage(card: "visa-credit")
        let prepared = Shared<[Bool?]>([])
        let warmUps = Shared<[Int]>([])
        try stage.shop.run {
            let pointOfSale = try await stage.open()
            try await whileRunning(stage, pointOfSale) {
                await stage.wait(10)
                prepared.value.append(await isPrepared(pointOfSale))
                for _ in 0..<2 {
                    let before = stage.tokens
                    stage.control.background()
                    await pointOfSale.background()
                    prepared.value.append(await isPrepared(pointOfSale))
                    await stage.wait(60)
                    stage.control.foreground()
                    await pointOfSale.foreground()
                    await stage.wait(10)
                    prepared.value.append(await isPrepared(pointOfSale))
                    warmUps.value.append(stage.tokens - before)
                }
                try await stage.pay(with: pointOfSale)
            }
        }
        #expect(prepared.value == [true, false, true, false, true])
        #expect(warmUps.value == [1, 1])
        #expect(stage.told == ["approved"])
    }

    @Test func `F-265 a session that may be lost is not called ready before it is prepared again`()
        throws
    {
        let stage = FinixStage(card: "visa-credit")
        let prepared = Shared<[Bool?]>([])
        try stage.shop.run {
            let pointOfSale = try await stage.ready()
            await pointOfSale.background()
            await pointOfSale.foreground()
            prepared.value.append(await isPrepared(pointOfSale))
            try await pointOfSale.prepare()
            prepared.value.append(await isPrepared(pointOfSale))
        }
        #expect(prepared.value == [false, true])
    }

    @Test func `F-268 a warm-up that fails is no alarm, and is tried again`() throws {
        let stage = FinixStage(card: "visa-credit")
        let alarms = Shared<Int?>(nil)
        try stage.shop.run {
            stage.emulator.host.faults.add(.unreachable, times: 3) {
                $0.path == "/tap_to_pay_token"
            }
            let pointOfSale = try await stage.open()
            try await whileRunning(stage, pointOfSale) {
                await stage.wait(60)
                await pointOfSale.foreground()
                await stage.wait(600)
                var states = pointOfSale.states.makeAsyncIterator()
                alarms.value = await states.next()?.alarms.count
                try await stage.pay(with: pointOfSale)
            }
        }
        #expect(alarms.value == 0)
        #expect(stage.told == ["approved"])
    }

    @Test func `F-059 F-294 without a link or a Device the reader itself is left alone`() throws {
        for setting in [#""device": "DVtill""#, FinixStage.provisioned] {
            let stage = FinixStage(card: "visa-credit")
            try stage.shop.run {
                stage.control.revokeLink()
                if setting == FinixStage.provisioned { stage.emulator.cutBackOffice() }
                let pointOfSale = try await stage.open(setting)
                try await whileRunning(stage, pointOfSale) {
                    await stage.wait(120)
                    await stage.prepare(pointOfSale)
                }
            }
            let isNamed = setting != FinixStage.provisioned
            #expect(stage.told == [isNamed ? "accountNotLinked" : "networkUnavailable"])
            #expect(stage.shop.world.time.trace.text.components("call prepare") == 0)
        }
        let linked = FinixStage(card: "visa-credit")
        try linked.shop.run { _ = try await linked.ready() }
        #expect(linked.shop.world.time.trace.text.components("call prepare") > 0)
    }

    @Test func `F-053 the first preparation may take minutes`() throws {
        let stage = FinixStage(card: "visa-credit", isConfigured: false)
        try stage.shop.run {
            stage.control.add(ReaderFault(.delay(.seconds(240)), .before, .configuration))
            await stage.prepare(try await stage.open())
        }
        #expect(stage.told == ["ready"])
        #expect(stage.shop.world.time.clock.now.offset >= .seconds(240))
    }

    @Test func `F-274 a phone that cannot read cards is told so at every entry`() throws {
        let stage = FinixStage(card: "visa-credit")
        try stage.shop.run {
            stage.control.setUnsupported(ReaderError(.deviceUnsupported))
            let pointOfSale = try await stage.open()
            let readiness = await pointOfSale.acquirers[0].provider.readiness()
            stage.tell("\(readiness.isSupported) \(readiness.isReady)")
            stage.tell(try await pointOfSale.setUp(SetUpOptions(mayAcceptTerms: true)).state.name)
            await stage.prepare(pointOfSale)
            try await stage.pay(with: pointOfSale)
        }
        #expect(
            stage.told == [
                "false false", "notDone deviceUnsupported", "deviceUnsupported",
                "failed deviceUnsupported",
            ]
        )
        #expect(stage.tokens == 0)
    }

    @Test func `F-097 a phone without a passcode cannot be prepared, and nothing is charged`()
        throws
    {
        let stage = FinixStage(card: "visa-credit")
        try stage.shop.run {
            stage.control.traits.hasPasscode = false
            let pointOfSale = try await stage.open()
            await stage.prepare(pointOfSale)
            try await stage.pay(with: pointOfSale)
        }
        #expect(stage.told == ["preparationFailed", "failed notPrepared"])
        #expect(stage.ledger == [])
    }

    @Test func `F-279 the app hears of a payment at once, and of its preparing within a second`()
        throws
    {
        let stage = FinixStage(card: "visa-credit")
        let times = Shared<[String: Double]>([:])
        try stage.shop.run {
            let pointOfSale = try await stage.ready()
            let start = stage.shop.world.time.wallTime
            try await stage.pay(with: pointOfSale) { event in
                times.value[event.word] = stage.shop.world.time.wallTime.timeIntervalSince(start)
            }
        }
        #expect(times.value["started"] == 0)
        #expect((times.value["preparing"] ?? 9) < 1)
    }

    // MARK: - The link

    @Test func `F-022 F-277 the link is what the reader says, and nothing of ours remembers it`()
        throws
    {
        let stage = FinixStage(card: "visa-credit")
        try stage.shop.run {
            let pointOfSale = try await stage.open()
            stage.tell(try await pointOfSale.setUp(SetUpOptions(mayAcceptTerms: true)).state.name)
            stage.control.revokeLink()
            // The vendor's own answer is good for five minutes.
            await stage.wait(301)
            for launch in [pointOfSale, try await stage.open()] {
                stage.tell(await launch.acquirers[0].provider.readiness().link.rawValue)
            }
            stage.control.acceptTerms(merchant: "MUdemo")
            await stage.wait(301)
            stage.tell(await pointOfSale.acquirers[0].provider.readiness().link.rawValue)
        }
        #expect(stage.told == ["done", "unknown", "unknown", "linked"])
        let requests = stage.shop.world.time.trace.lines.filter { $0.text.contains("received") }
        #expect(!requests.isEmpty && requests.allSatisfy { $0.text.contains("GET ") })
    }

    @Test func `F-024 a link that is proven is relied on`() async {
        let driver = ScriptedFinixDriver(end: .init(phases: [], answer: nil))
        let provider = FinixProvider(
            driver: driver,
            deviceID: "DV1",
            environment: SimulatedTime().environment
        )
        let context = AttemptContext(report: { _ in }, note: { _ in })
        let options = SetUpOptions(mayAcceptTerms: true)
        let answer = await provider.setUp(options, attempt: nil, context: context)
        #expect(answer.state == .done)
        #expect(driver.calls.value == ["isAccountLinked", "prepareReader"])
    }

    @Test(arguments: [true, false])
    func `F-033 F-034 after a reinstall the reader is asked, and a no proves nothing`(
        survived: Bool
    ) throws {
        let shop = FinixShop()
        let links = try shop.run { () async throws -> [String] in
            var links: [String] = []
            for launch in 0..<3 {
                // Each launch is one of a newly installed app: the phone keeps nothing of it.
                if launch == 2, !survived { shop.world.device.control.revokeLink() }
                let pointOfSale = try await shop.open()
                links.append(await pointOfSale.acquirers[0].provider.readiness().link.rawValue)
            }
            return links
        }
        #expect(links == ["linked", "linked", survived ? "linked" : "unknown"])
    }

    @Test func `F-261 only payments set the language of a screen`() throws {
        let driver = ScriptedFinixDriver(
            end: .init(phases: [], answer: .failure(.init(code: "transactionCancelled")))
        )
        let stage = FinixStage(card: nil)
        try stage.shop.run {
            let pointOfSale = try await stage.open(driver: driver)
            _ = try await pointOfSale.setUp(SetUpOptions(mayAcceptTerms: true))
            try await pointOfSale.prepare()
            driver.calls.value.append("a payment")
            try await stage.pay(with: pointOfSale)
        }
        let calls = driver.calls.value.drop { $0 != "a payment" }.filter { $0 != "isAccountLinked" }
        #expect(calls == ["a payment", "setLanguage", "startTransaction"])
        #expect(driver.calls.value.count { $0 == "setLanguage" } == 1)
    }
}
