import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

/// Which call may be made when, and what it leaves behind.
@Suite struct FinixKitStateTests {
    enum Stage: String, CaseIterable {
        case unconfigured, notLinked, notPrepared, prepared, reading, submitting
    }

    /// How each call ends in each stage; a dash where the vendor's pages do not say.
    private static let table: [(KitCall, [String])] = [
        (.isAccountLinked, ["false", "false", "true", "true", "true", "true"]),
        (
            .linkAccount,
            [
                "notConfigured", "ok", "accountAlreadyLinked", "accountAlreadyLinked", "-", "-",
            ]
        ),
        (.prepareReader, ["notConfigured", "accountNotLinked", "ok", "ok", "-", "-"]),
        (
            .startTransaction,
            [
                "readerPreparationFailed", "readerPreparationFailed", "readerPreparationFailed",
                "ok", "transactionFailed", "transactionFailed",
            ]
        ),
        (.cancelTransaction, ["ok", "ok", "ok", "ok", "ok", "ok"]),
        (.refreshConfiguration, ["ok", "ok", "ok", "ok", "-", "-"]),
        (.clearAllCaches, ["ok", "ok", "ok", "ok", "-", "-"]),
        (.clearLinkStatus, ["ok", "ok", "ok", "ok", "ok", "ok"]),
        (.forceRefreshLinkStatus, ["false", "false", "true", "true", "-", "-"]),
    ]

    private static let cells = table.flatMap { call, ends in
        zip(Stage.allCases, ends).filter { $1 != "-" }.map { (call, $0, $1) }
    }

    /// Brings a kit to a stage, does something, and tells how that and the payment ended.
    private func within(
        _ stage: Stage,
        _ action: @escaping @Sendable (FinixTapToPay, FinixKitBench) async -> String
    ) throws -> (action: String, payment: String?) {
        let isReading = stage == .reading
        let bench = FinixKitBench(
            linked: ![.notLinked, .unconfigured].contains(stage),
            card: isReading ? nil : "visa-credit"
        )
        if stage == .submitting { bench.emulator.delayPayments(by: .seconds(20)) }
        let kit = bench.kit(device: stage == .unconfigured ? "" : "DVtill")
        return try bench.run { () async -> (String, String?) in
            switch stage {
            case .unconfigured, .notLinked: return (await action(kit, bench), nil)
            case .notPrepared: return (await action(kit, bench), nil)
            case .prepared:
                _ = await KitCall.prepareReader.end(on: kit)
                return (await action(kit, bench), nil)
            case .reading, .submitting:
                _ = await KitCall.prepareReader.end(on: kit)
                async let payment = KitCall.startTransaction.end(on: kit)
                await bench.wait(5)
                let end = await action(kit, bench)
                if isReading { _ = await KitCall.cancelTransaction.end(on: kit) }
                return (end, await payment)
            }
        }
    }

    @Test(arguments: cells)
    func `F-041 F-060 F-074 each call ends in each state as the table says`(
        call: KitCall,
        stage: Stage,
        expected: String
    ) throws {
        let (end, payment) = try within(stage) { kit, _ in await call.end(on: kit) }
        #expect(end == expected)
        if stage == .reading { #expect(payment == "transactionCancelled") }
        // A cancel during the submission has no effect on the payment, and nothing else has.
        if stage == .submitting { #expect(payment == "ok") }
    }

    @Test(arguments: [Stage.notLinked, .notPrepared, .prepared])
    func `F-044 F-264 in the background no call reaches the reader`(stage: Stage) throws {
        let (ends, _) = try within(stage) { kit, bench in
            bench.phone.background()
            var ends: [String] = []
            for call in [KitCall.linkAccount, .prepareReader, .startTransaction] {
                ends.append(await call.end(on: kit))
            }
            return ends.joined(separator: " ")
        }
        let refused = "backgroundRequestNotAllowed"
        #expect(ends == [refused, refused, refused].joined(separator: " "))
    }

    @Test(arguments: [(Stage.reading, "transactionFailed"), (.submitting, "ok")])
    func `F-266 F-267 the background ends a read, and never a submission`(
        stage: Stage,
        expected: String
    ) throws {
        let (_, payment) = try within(stage) { _, bench in
            bench.phone.background()
            return ""
        }
        #expect(payment == expected)
    }

    // MARK: - What invalidates what

    enum Action: String, CaseIterable {
        case nothing, clearLinkStatus, forceRefresh, refreshConfiguration, clearAllCaches
        case background, backgroundAndForeground, transaction, cacheDuration
    }

    /// Whether the link's answer and the session are still good after each action.
    private static let effects: [(Action, link: Bool, session: Bool)] = [
        (.nothing, true, true), (.clearLinkStatus, false, true), (.forceRefresh, true, true),
        (.refreshConfiguration, true, false), (.clearAllCaches, false, false),
        (.background, true, false), (.backgroundAndForeground, true, true),
        (.transaction, true, true), (.cacheDuration, false, true),
    ]

    @Test(arguments: effects)
    func `F-061 F-078 F-079 each action invalidates what the table says, and no more`(
        action: Action,
        link: Bool,
        session: Bool
    ) throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let (tokens, end) = try bench.run { () async -> (Int, String) in
            _ = await KitCall.prepareReader.end(on: kit)
            switch action {
            case .nothing: break
            case .clearLinkStatus: kit.clearLinkStatus()
            case .forceRefresh: _ = await kit.forceRefreshLinkStatus()
            case .refreshConfiguration: kit.refreshConfiguration()
            case .clearAllCaches: kit.clearAllCaches()
            case .background: bench.phone.background()
            case .backgroundAndForeground:
                bench.phone.background()
                bench.phone.foreground()
                await bench.wait(5)
            case .transaction: _ = await KitCall.startTransaction.end(on: kit)
            case .cacheDuration: await bench.wait(300)
            }
            let before = bench.count("/tap_to_pay_token")
            _ = await kit.isAccountLinked()
            let tokens = bench.count("/tap_to_pay_token") - before
            if action == .background { bench.world.device.control.foreground() }
            return (tokens, await KitCall.startTransaction.end(on: kit))
        }
        #expect((tokens == 0) == link)
        #expect(end == (session ? "ok" : "readerPreparationFailed"))
    }

    @Test func `F-032 clearing caches unlinks nothing`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let isLinked = try bench.run { () async -> Bool in
            kit.clearAllCaches()
            kit.clearLinkStatus()
            return await kit.isAccountLinked()
        }
        #expect(isLinked)
        #expect(bench.world.device.control.linkedMerchants == ["MUdemo"])
    }

    @Test(arguments: [true, false])
    func `F-045 F-046 F-049 only a session that stood is renewed on return, and only if wanted`(
        isWanted: Bool
    ) throws {
        for wasPrepared in [true, false] {
            let bench = FinixKitBench()
            let kit = bench.kit(options: .init(autoPrepareOnForeground: isWanted))
            let end = try bench.run { () async -> String in
                if wasPrepared { _ = await KitCall.prepareReader.end(on: kit) }
                bench.phone.background()
                bench.phone.foreground()
                await bench.wait(5)
                return await KitCall.startTransaction.end(on: kit)
            }
            #expect(end == (wasPrepared && isWanted ? "ok" : "readerPreparationFailed"))
        }
    }

    @Test func `F-047 an automatic preparation that fails is told to nobody`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let ends = try bench.run { () async -> [String] in
            _ = await KitCall.prepareReader.end(on: kit)
            bench.emulator.host.faults.add(.unreachable, times: 1) {
                $0.path == "/tap_to_pay_token"
            }
            bench.phone.background()
            bench.phone.foreground()
            await bench.wait(5)
            return [
                await KitCall.startTransaction.end(on: kit),
                await KitCall.prepareReader.end(on: kit),
                await KitCall.startTransaction.end(on: kit),
            ]
        }
        #expect(ends == ["readerPreparationFailed", "ok", "ok"])
    }

    @Test func `F-054 F-051 each preparation fetches a token of its own`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        _ = try bench.run {
            for _ in 0..<3 { _ = await KitCall.prepareReader.end(on: kit) }
        }
        // One more for the link check, which the two others answer from what is kept.
        #expect(bench.count("/tap_to_pay_token") == 4)
    }
}
