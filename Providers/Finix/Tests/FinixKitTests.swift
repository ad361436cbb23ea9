import AcquirerSimulation
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixKitTests {
    // Written from the vendor's pages; that it compiles unchanged is half of the proof.
    private static func checkout(amount: Int) async -> String {
        guard FinixTapToPay.isSupported() else { return "unsupported" }
        let configuration = TapToPayConfiguration(
            credentials: APICredentials(
                username: FinixEmulator.username,
                password: FinixEmulator.password
            ),
            merchant: MerchantInfo(merchantId: "MUdemo", merchantName: "Corner Shop"),
            environment: .sandbox,
            deviceId: "DVtill"
        )
        let tapToPay = FinixTapToPay(configuration: configuration)
        do {
            if await tapToPay.isAccountLinked() == false { try await tapToPay.linkAccount() }
            try await tapToPay.prepareReader()
            tapToPay.setUserInterfaceLanguage(Locale.Language(identifier: "de-DE"))
            let result = try await tapToPay.startTransaction(
                amount: amount,
                currency: "USD",
                type: .sale,
                identityId: nil
            )
            try await tapToPay.cancelTransaction()
            return result.transferState ?? "no state"
        } catch TapToPayError.transactionCancelled {
            return "cancelled"
        } catch TapToPayError.transactionFailed(let reason) {
            return reason.isEmpty ? "failed" : "failed with a reason"
        } catch {
            return error.localizedDescription
        }
    }

    @Test(arguments: [
        ("visa-credit", "SUCCEEDED", 1_250), ("declined-funds", "failed with a reason", 0),
    ])
    func `F-019 F-297 code from the vendor's pages runs unchanged`(
        card: String,
        told: String,
        charged: Int64
    ) throws {
        let bench = FinixKitBench(linked: false, card: card)
        let name = try bench.run {
            await FinixPhone.$current.withValue(bench.phone) { await Self.checkout(amount: 1_250) }
        }
        #expect(name == told)
        #expect(bench.world.ledger.balance(.usd) == charged)
        #expect(bench.world.time.trace.text.contains("sheet in de"))
        #expect(bench.emulator.complaints.isEmpty)
    }

    @Test func `F-003 outside of a simulated phone nothing is supported, and nothing traps`()
        throws
    {
        let time = SimulatedTime()
        #expect(try time.run { await Self.checkout(amount: 1) } == "unsupported")
        let kit = FinixTapToPay(
            configuration: TapToPayConfiguration(
                credentials: APICredentials(username: "u", password: "p"),
                merchant: MerchantInfo(merchantId: "m", merchantName: "n"),
                environment: .production,
                deviceId: "d"
            )
        )
        let ends = try time.run {
            var ends: [String] = []
            for call in KitCall.allCases { ends.append(await call.end(on: kit)) }
            return ends
        }
        #expect(
            ends == [
                "false", "false", "ok", "notSupported", "notSupported", "notSupported", "ok", "ok",
                "ok",
            ]
        )
    }

    @Test func `F-001 F-002 F-020 wrong credentials or Devices show when they are used`() throws {
        let bench = FinixKitBench()
        let wrong = [bench.kit(password: "wrong"), bench.kit(device: "DVnone")]
        #expect(bench.requests.isEmpty)
        let ends = try bench.run {
            var ends: [String] = []
            for kit in wrong {
                ends.append(await KitCall.isAccountLinked.end(on: kit))
                ends.append(await KitCall.linkAccount.end(on: kit))
            }
            return ends
        }
        #expect(ends == ["false", "tokenFetchFailed", "false", "tokenFetchFailed"])
    }

    @Test(arguments: [
        ("", "DVtill", "p"), ("MUdemo", "", "p"), ("MUdemo", "DVtill", ""), (" ", "DVtill", "p"),
    ])
    func `F-011 an incomplete configuration is told before Finix is asked`(
        merchant: String,
        device: String,
        password: String
    ) throws {
        let bench = FinixKitBench()
        let kit = bench.kit(merchant: merchant, device: device, password: password)
        let ends = try bench.run {
            [
                await KitCall.isAccountLinked.end(on: kit), await KitCall.linkAccount.end(on: kit),
                await KitCall.prepareReader.end(on: kit),
                await KitCall.startTransaction.end(on: kit),
            ]
        }
        #expect(ends == ["false", "notConfigured", "notConfigured", "readerPreparationFailed"])
        #expect(bench.requests.isEmpty)
    }

    @Test func `F-012 the merchant's number is fetched while preparing, and kept`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        _ = try bench.run {
            for _ in 0..<2 {
                _ = await KitCall.prepareReader.end(on: kit)
                _ = await KitCall.startTransaction.end(on: kit)
            }
        }
        let payment = try #require(bench.requests.last { $0.path == "/card_reader/transfers" })
        let body = JSONTree.members(of: payment.body) ?? [:]
        #expect(body["mid"]?.text == "MID-MUdemo")
        #expect(body["tip_amount"]?.number == 0 && body["surcharge_amount"]?.number == 0)
        #expect(body["signature_pending"] == nil && body["buyer_identity"] == nil)
        #expect(payment.headers["X-Finix-Referrer-Source"] == "CARD_PRESENT_IOS_TAP_TO_PAY_SDK")
    }

    @Test func `F-012 a number that preparing did not find fails the payment before the read`()
        throws
    {
        let bench = FinixKitBench()
        let kit = bench.kit()
        bench.emulator.host.faults.add(.unreachable) { $0.path.hasPrefix("/merchants/") }
        let ends = try bench.run {
            [
                await KitCall.prepareReader.end(on: kit),
                await KitCall.startTransaction.end(on: kit),
            ]
        }
        #expect(ends == ["ok", "midResolutionFailed"])
        #expect(bench.count("/card_reader/transfers") == 0)
    }

    @Test func `F-069 F-070 F-071 what was given is sent, and the sheet shows amount and tip`()
        throws
    {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let amount = try bench.run { () async -> Int? in
            _ = await KitCall.prepareReader.end(on: kit)
            let result = try? await kit.startTransaction(
                amount: 1_000,
                currency: "USD",
                type: .sale,
                identityId: "IDbuyer",
                surchargeAmount: 30,
                tipAmount: 200,
                promptForSignature: true
            )
            return result?.amount
        }
        #expect(amount == 1_000)
        let body = JSONTree.members(of: bench.requests.last?.body) ?? [:]
        #expect(body["amount"]?.number == 1_000)
        #expect(body["tip_amount"]?.number == 200 && body["surcharge_amount"]?.number == 30)
        #expect(body["signature_pending"]?.flag == true)
        #expect(bench.world.ledger.balance(.usd) == 1_230)
    }

    @Test(arguments: [(Int.max, 1), (0, nil), (-5, nil), (Int.max, Int.max)])
    func `F-063 an amount that is none fails after the first events, and never traps`(
        amount: Int,
        tip: Int?
    ) throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let name = try bench.run { () async -> String in
            _ = await KitCall.prepareReader.end(on: kit)
            do throws(TapToPayError) {
                _ = try await kit.startTransaction(amount: amount, currency: "USD", tipAmount: tip)
                return "ok"
            } catch {
                return error.name
            }
        }
        #expect(name == "transactionFailed")
        #expect(bench.count("/card_reader/transfers") == 0)
    }

    @Test func `F-018 the mock does not look like a live result`() throws {
        let mock = TapToPayTransactionResult.mock(amount: 1_250, currency: "USD")
        #expect(mock.cardBrand == "VISA" && mock.last4 == "1234" && mock.cardType == "CREDIT")
        #expect(mock.maskedCardNumber == "**** **** **** 1234")
        #expect(mock.transferId == nil && mock.transferState == nil && mock.approvalCode == nil)
        #expect(mock == .mock(amount: 1_250, currency: "USD"))
        let bench = FinixKitBench()
        let kit = bench.kit()
        let live = try bench.run { () async -> TapToPayTransactionResult? in
            _ = await KitCall.prepareReader.end(on: kit)
            return try? await kit.startTransaction(amount: 1_250, currency: "USD")
        }
        #expect(live?.cardType == nil && live?.emvData == nil)
        #expect(live?.transferState == "SUCCEEDED" && live?.transferId != nil)
    }

    @Test func `F-296 each error has a name and an English text`() {
        #expect(TransactionType.allCases.map(\.displayName) == ["Sale", "Authorization", "Refund"])
        #expect(TransactionType.allCases.map(\.rawValue) == ["SALE", "AUTHORIZATION", "REFUND"])
        #expect(TapToPayError.accountNotLinked.errorDescription == "Account not linked.")
        #expect(
            TapToPayError.transactionFailed("text").errorDescription == "Transaction failed: text"
        )
        let date = Date(timeIntervalSince1970: 0)
        #expect(TapToPayError.deviceBanned(date).errorDescription?.contains("1970") == true)
    }

    @Test func `N-014 a configuration prints neither key nor secret`() {
        let credentials = APICredentials(username: "USkey", password: "hunter2-secret")
        let configuration = TapToPayConfiguration(
            credentials: credentials,
            merchant: MerchantInfo(merchantId: "MU", merchantName: "n"),
            environment: .sandbox,
            deviceId: "DV"
        )
        var text = "\(configuration) \(credentials) \(String(reflecting: configuration))"
        dump(configuration, to: &text)
        #expect(!text.contains("hunter2") && !text.contains("USkey"))
        #expect(credentials.password == "hunter2-secret")
        #expect(configuration.transactionOptions.linkStatusCacheDuration == 300)
        #expect(configuration.crashReportingEnabled)
    }

    @Test func `F-259 a language is in force until it is changed`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        _ = try bench.run {
            for tag in ["fr-CA", nil, "zh-Hans-CN"] as [String?] {
                kit.setUserInterfaceLanguage(tag.map { Locale.Language(identifier: $0) })
                for _ in 0..<2 {
                    _ = await KitCall.prepareReader.end(on: kit)
                    _ = await KitCall.startTransaction.end(on: kit)
                }
            }
        }
        let lines = bench.world.time.trace.text.components(separatedBy: "sheet in ").dropFirst()
            .map { $0.prefix { !$0.isWhitespace } }
        #expect(lines == ["fr-CA", "fr-CA", "zh", "zh"])
    }
}
