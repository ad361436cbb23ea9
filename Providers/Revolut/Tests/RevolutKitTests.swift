import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// The simulated kit by itself, as code that was written for the vendor's would use it.
struct KitBench: Sendable {
    var shop = RevolutShop()
    let calls = Shared<[String]>([])
    let asked = Shared(0)

    private struct Tokens: TokenProviderProtocol {
        let bench: KitBench

        func fetchAccessToken() async throws -> SdkTokenApiDto {
            bench.asked.value += 1
            if let error = bench.shop.stage.tokenFault() { throw error }
            return SdkTokenApiDto(accessToken: bench.shop.emulator.issueDeviceToken().reveal())
        }
    }

    func kit() -> RevolutTapToPayKit {
        let phone = RevolutPhone(world: shop.world, emulator: shop.emulator, stage: shop.stage)
        let calls = calls
        return RevolutPhone.$current.withValue(phone) {
            RevolutTapToPayKit(
                clientId: "demo",
                environment: .production,
                tokenProvider: Tokens(bench: self)
            ) {
                calls.value.append("out")
            }
        }
    }

    static func name(
        _ receipt: RevolutTapToPayKit.Receipt?,
        _ result: Result<Void, RevolutTapToPayKit.Error>
    ) -> String {
        switch result {
        case .success: receipt == nil ? "success" : "success+receipt"
        case .failure(let error): "\(error)"
        }
    }

    /// Starts a payment, and writes down what is told.
    func pay(_ kit: RevolutTapToPayKit, then done: @escaping @Sendable () -> Void) {
        let calls = calls
        kit.performPayment(
            amount: 1_000,
            currency: "GBP",
            description: nil,
            merchantName: nil
        ) { receipt, result in
            calls.value.append(Self.name(receipt, result))
        } completion: {
            calls.value.append("end")
            done()
        }
    }

    /// Runs flows until each has ended.
    func run(
        _ count: Int = 1,
        _ start: @escaping @Sendable (RevolutTapToPayKit, @escaping @Sendable () -> Void) -> Void
    ) throws {
        let kit = kit()
        try shop.run { () async throws in
            let ends = (0..<count).map { _ in OneShot<Bool>() }
            for end in ends { start(kit) { end.resolve(true) } }
            for end in ends { _ = await end.value() }
        }
    }

    var flows: [RevolutKitMachine] { shop.stage.installation.flows }

    /// Sets up with the introduction wanted, and tells what came of it.
    func setUp(_ kit: RevolutTapToPayKit) throws -> String {
        try shop.run { () async throws -> String in
            let end = OneShot<String>()
            kit.performFirstTimeSetup(
                shouldShowIntro: true,
                currency: "GBP",
                merchantName: nil
            ) { receipt, result in
                end.resolve(Self.name(receipt, result))
            }
            return await end.value()
        }
    }
}

@Suite struct RevolutKitTests {
    @Test func `R-120 a report comes while the kit is on screen, R-121 the end once, after it`()
        throws
    {
        let bench = KitBench()
        try bench.run { bench.pay($0, then: $1) }
        #expect(bench.calls.value == ["success+receipt", "end"])
        #expect(
            bench.flows.map(\.path) == [
                [.idle, .authorising, .preparing, .tapping, .charging, .reported, .dismissed]
            ]
        )
    }

    @Test(arguments: [
        (RevolutKitScript.LogoutOrder.first, ["out", "internalError", "end"]),
        (.between, ["internalError", "out", "end"]), (.last, ["internalError", "end", "out"]),
    ])
    func `R-113 by our script a sign-out falls before, between or after the other callbacks`(
        order: RevolutKitScript.LogoutOrder,
        told: [String]
    ) throws {
        var bench = KitBench()
        bench.shop.stage.script.logoutOrder = order
        bench.shop.stage.tokenFault = { .unauthorized }
        let refused = bench
        try bench.run { kit, done in
            refused.pay(kit) {
                // What is told after the end needs a moment.
                refused.shop.world.time.clock.schedule(after: .seconds(1), done)
            }
        }
        #expect(bench.calls.value == told)
        #expect(bench.asked.value == 2)
    }

    @Test(arguments: [
        (RevolutKitScript.CancelShape.reportThenCompletion, ["internalError", "end"]),
        (.completionAlone, ["end"]),
    ])
    func `R-132 by our script a cancellation is told in either shape`(
        shape: RevolutKitScript.CancelShape,
        told: [String]
    ) throws {
        var bench = KitBench(shop: RevolutShop(card: nil))
        bench.shop.stage.script.cancelShape = shape
        let world = bench.shop.world
        bench.shop.stage.screen.observe { content in
            guard content == .sheet else { return }
            world.time.clock.schedule(after: .seconds(2)) { world.device.control.customerCancels() }
        }
        let waiting = bench
        try bench.run { waiting.pay($0, then: $1) }
        #expect(bench.calls.value == told)
        #expect(bench.flows.flatMap(\.faults) == [])
    }

    @Test func `R-098 two flows share one round, and R-103 one sign-out`() throws {
        var bench = KitBench()
        bench.shop.stage.tokenFault = { .unauthorized }
        let refused = bench
        try bench.run(2) { refused.pay($0, then: $1) }
        #expect(bench.asked.value == 2)
        #expect(bench.calls.value.filter { $0 == "out" }.count == 1)
        #expect(bench.calls.value.filter { $0 == "end" }.count == 2)
    }

    @Test func `R-142 a series reports each payment, R-141 by tap or code, and ends once`() throws {
        var bench = KitBench()
        let typed = Shared<[RevolutHands.Typed]>([
            .init(amount: 500), .init(amount: 700, byCode: true), .init(amount: 900),
        ])
        bench.shop.stage.hands.nextPayment = {
            typed.value.isEmpty ? nil : typed.value.removeFirst()
        }
        let (emulator, calls) = (bench.shop.emulator, bench.calls)
        bench.shop.stage.screen.observe { content in
            if case .code(_, let order) = content { emulator.payByCode(order) }
        }
        try bench.run { kit, done in
            kit.performPayments(currency: "GBP", merchantName: nil) { receipt, result in
                calls.value.append(KitBench.name(receipt, result))
            } completion: {
                calls.value.append("end")
                done()
            }
        }
        #expect(calls.value == Array(repeating: "success+receipt", count: 3) + ["end"])
        #expect(bench.shop.charged == 2_100)
        #expect(bench.flows.flatMap(\.faults) == [])
    }

    @Test func `R-143 a series may end with nothing reported`() throws {
        let bench = KitBench()
        let calls = bench.calls
        try bench.run { kit, done in
            kit.performPayments(currency: "GBP", merchantName: nil) { _, _ in
                calls.value.append("report")
            } completion: {
                calls.value.append("end")
                done()
            }
        }
        #expect(calls.value == ["end"])
        #expect(bench.flows.map(\.path) == [[.idle, .authorising, .amountEntry, .dismissed]])
    }

    @Test func `R-150 set-up prepares, introduces and offers, and R-152 introduces once`() throws {
        let bench = KitBench()
        let kit = bench.kit()
        #expect(try bench.setUp(kit) == "success+receipt")
        #expect(try bench.setUp(kit) == "success+receipt")
        #expect(
            bench.flows.map { flow in flow.path.contains(.introduction) } == [true, false]
        )
        #expect(bench.flows.flatMap(\.faults) == [])
        #expect(bench.shop.world.ledger.entries(.charge).map(\.minorUnits) == [1, 1])
    }

    @Test func `R-158 by our rule the introduction is shown once an installation`() throws {
        var bench = KitBench()
        bench.shop.stage.installation = RevolutInstallation(isIntroduced: true)
        #expect(try bench.setUp(bench.kit()) == "success+receipt")
        #expect(bench.flows.map { $0.path.contains(.introduction) } == [false])
    }

    @Test func `R-153 without a test payment there is no receipt, and R-156 that is a success`()
        throws
    {
        var bench = KitBench()
        bench.shop.stage.hands.takesTestPayment = false
        #expect(try bench.setUp(bench.kit()) == "success")
        #expect(bench.shop.charged == 0)
    }

    @Test func `R-121 by our rule every state leads to the end, and none out of it`() {
        for kind in RevolutKitMachine.Kind.allCases {
            var reached: Set<RevolutKitMachine.State> = [.idle]
            var open: [RevolutKitMachine.State] = [.idle]
            while let state = open.popLast() {
                let next = RevolutKitMachine.next(kind, after: state)
                #expect(state == .dismissed ? next.isEmpty : !next.isEmpty, "\(kind) \(state)")
                open += next.subtracting(reached)
                reached.formUnion(next)
            }
            #expect(reached.contains(.dismissed))
        }
        var machine = RevolutKitMachine(.payment)
        machine.enter(.charging)
        #expect(machine.faults == ["payment: idle to charging"])
    }

    @Test func `R-006 a device token prints as nothing of it`() {
        let token = SdkTokenApiDto(accessToken: "device-secret")
        var dumped = ""
        dump(token, to: &dumped)
        #expect(!"\(token)\(String(reflecting: token))\(dumped)".contains("secret"))
    }
}
