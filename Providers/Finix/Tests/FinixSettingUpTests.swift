import AcquirerSimulation
import FinixSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments

@Suite struct FinixSettingUpTests {
    /// A phone on which nobody accepted the terms yet, and how setting it up ended.
    private func setUp(
        mayAcceptTerms: Bool = true,
        times: Int = 1,
        _ arrange: (FinixShop) -> Void = { _ in }
    ) throws -> (told: [String], link: String, shop: FinixShop) {
        let shop = FinixShop()
        shop.world.device.control.revokeLink()
        arrange(shop)
        let (told, link) = try shop.run { () async throws -> ([String], String) in
            let pointOfSale = try await shop.open()
            var told: [String] = []
            for _ in 0..<times {
                let options = SetUpOptions(mayAcceptTerms: mayAcceptTerms)
                told.append(try await pointOfSale.setUp(options).state.name)
            }
            return (told, await pointOfSale.acquirers[0].provider.readiness().link.rawValue)
        }
        return (told, link, shop)
    }

    @Test func `F-292 a phone without a link is linked once, then only asked`() throws {
        let (told, link, shop) = try setUp(times: 2)
        #expect(told == ["done", "done"])
        #expect(link == "linked")
        #expect(shop.world.time.trace.text.components("termsAccepted") == 1)
        #expect(try shop.sale().name == "approved")
    }

    @Test func `F-292 F-035 a phone that is linked is shown no terms`() throws {
        let (told, _, shop) = try setUp { shop in
            shop.world.device.control.acceptTerms(merchant: "MUdemo")
            shop.world.device.control.nextTerms([.closes])
        }
        #expect(told == ["done"])
        #expect(shop.world.time.trace.text.components("termsAccepted") == 0)
    }

    @Test func `F-038 F-278 who may not accept the terms is shown none, and nothing is claimed`()
        throws
    {
        let (told, link, shop) = try setUp(mayAcceptTerms: false)
        #expect(told == ["unknown linkStatusUnknown"])
        #expect(link == "unknown")
        #expect(shop.world.device.control.linkedMerchants.isEmpty)
    }

    @Test func `F-037 F-025 closing the terms proves that there is no link, and may be repeated`()
        throws
    {
        let closed = try setUp { $0.world.device.control.nextTerms([.closes]) }
        #expect(closed.told == ["notDone linkCancelled"])
        #expect(closed.link == "notLinked")
        let repeated = try setUp(times: 2) { $0.world.device.control.nextTerms([.closes]) }
        #expect(repeated.told == ["notDone linkCancelled", "done"])
        #expect(repeated.link == "linked")
    }

    @Test func `F-036 linking wants the phone signed in`() throws {
        let (told, link, _) = try setUp { shop in
            shop.world.device.control.traits.isSignedIn = false
        }
        #expect(told == ["notDone accountSignInRequired"])
        #expect(link == "notLinked")
    }

    @Test func `N-040 a link that nobody could ask about is unknown, not missing`() throws {
        let (told, link, _) = try setUp { $0.emulator.host.faults.add(.unreachable) { _ in true } }
        #expect(told.first?.hasPrefix("unknown") == true, "\(told)")
        #expect(link == "unknown")
    }

    @Test(arguments: FinixErrors.codes.keys.sorted() + ["accountAlreadyLinked", "somethingNew"])
    func `F-016 each end of linking is one of three values`(code: String) async throws {
        let driver = ScriptedFinixDriver(linking: FinixDriverError(code: code))
        let provider = FinixProvider(
            driver: driver,
            deviceID: "DV1",
            environment: SimulatedTime().environment
        )
        let context = AttemptContext(report: { _ in }, note: { _ in })
        let options = SetUpOptions(mayAcceptTerms: true)
        let state = await provider.setUp(options, attempt: nil, context: context).state
        switch code {
        case "accountAlreadyLinked": #expect(state == .done)
        case "accountLinkingCheckFailed", "tokenFetchFailed", "networkAuthenticationError",
            "somethingNew", "transactionFailed":
            #expect(state.name.hasPrefix("unknown"), "\(state.name)")
        case "accountLinkingCancelled", "accountLinkingFailed", "notConfigured", "invalidMerchant",
            "merchantBlocked", "deviceBanned", "notSupported", "backgroundRequestNotAllowed",
            "accountLinkingRequiresiCloudSignIn", "accountDeactivated":
            #expect(state.name.hasPrefix("notDone"), "\(state.name)")
        default: #expect(state != .done, "\(state.name)")
        }
        #expect(driver.calls.value.first == "isAccountLinked")
    }

    @Test func `F-081 while a card is read the reader is neither set up nor prepared`() throws {
        let shop = FinixShop(card: nil)
        let refused = Shared<[String]>([])
        let told = try shop.sale { event, pointOfSale in
            guard case .presentCard = event.kind else { return }
            Task(executorPreference: shop.world.time.executor) {
                do throws(PaymentError) {
                    try await pointOfSale.prepare()
                } catch {
                    refused.value.append("\(error.code)")
                }
                let state = try await pointOfSale.setUp(SetUpOptions(mayAcceptTerms: true)).state
                refused.value.append(state.name)
                shop.world.device.control.customerCancels()
            }
        }
        #expect(refused.value == ["readerBusy", "notDone readerBusy"])
        #expect(told.name == "cancelled")
    }

    @Test(arguments: [
        ("de_AT", "de-AT"), ("de-at", "de-AT"), ("zh_hans_cn", "zh-Hans-CN"), ("EN", "en"),
        ("de_DE.UTF-8", "de-DE"), ("sr_RS@latin", "sr-RS"), ("es-419", "es-419"),
        ("de-DE-u-co-PHONEBK", "de-DE-u-co-phonebk"), ("", nil), ("C", nil), ("POSIX", nil),
        ("de--AT", nil), ("de AT", nil), ("dé", nil), ("de-abcdefghi", nil), ("-de", nil),
        (String(repeating: "de-", count: 40) + "de", nil),
    ])
    func `F-259 F-260 language tags are hyphenated, or no tags`(text: String, tag: String?) {
        #expect(FinixLanguageTag(text).text == tag)
    }

    @Test func `F-258 F-262 a language is one customer's, and the next gets the phone's own`()
        throws
    {
        let shop = FinixShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            var names: [String] = []
            for (order, language) in [(Order("o1"), "de_AT"), ("o2", nil), ("o3", "C")] {
                try await pointOfSale.prepare()
                let amount = try Money(minorUnits: 1_000, currency: .usd)
                var request = PaymentRequest.sale(amount, for: order)
                request.language = language
                names.append(try await pointOfSale.take(request).name)
            }
            return names
        }
        #expect(names == ["approved", "approved", "failed requestRejected"])
        #expect(shop.charged == 2_000)
        #expect(shop.world.time.trace.text.components("sheet in de-AT") == 1)
        #expect(shop.world.time.trace.text.components("sheet in") == 1)
    }

    @Test func `F-048 after each payment, however it ended, the reader is prepared again`() throws {
        let shop = FinixShop()
        let prepared = try shop.run { () async throws -> [Bool] in
            let pointOfSale = try await shop.open()
            return try await withThrowingTaskGroup(of: [Bool].self) { group in
                group.addTask {
                    await pointOfSale.run()
                    return []
                }
                group.addTask { try await payAgainAndAgain(in: shop, with: pointOfSale) }
                for try await prepared in group where !prepared.isEmpty {
                    group.cancelAll()
                    return prepared
                }
                return []
            }
        }
        #expect(prepared == [true, true, true, true])
    }

    /// Pays with different cards, and tells whether the reader was ready before each.
    private func payAgainAndAgain(
        in shop: FinixShop,
        with pointOfSale: PointOfSale
    ) async throws -> [Bool] {
        var prepared: [Bool] = []
        for (order, card) in [
            (Order("o1"), "visa-credit"), ("o2", "declined-funds"), ("o3", "damaged"),
            ("o4", "visa-credit"),
        ] {
            try await shop.world.environment.clock.sleep(for: .seconds(30))
            prepared.append(await pointOfSale.acquirers[0].provider.readiness().isPrepared)
            shop.world.device.control.alwaysThisCard = SimulatedCard.named(card)
            _ = try await shop.take(1_250, order, with: pointOfSale)
        }
        return prepared
    }
}

extension SetUpState {
    var name: String {
        switch self {
        case .done: "done"
        case .notDone(let error): "notDone \(error.code)"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}

extension String {
    /// How often a text is in it.
    func components(_ text: String) -> Int { ranges(of: text).count }
}
