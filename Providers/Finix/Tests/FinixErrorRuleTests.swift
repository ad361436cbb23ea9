import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments
@testable import FinixSimulation

/// What may be read from an error of the SDK's, and what may not.
@Suite struct FinixErrorRuleTests {
    private static let codes =
        FinixErrors.codes.keys.sorted() + [
            "accountAlreadyLinked", "transactionCancelled", "unknown",
        ]
    private static let ends: [[FinixPhase]] = [
        [], [.preparingTransaction], [.preparingTransaction, .readingCard],
        [.preparingTransaction, .readingCard, .cardRead], [.cardRead, .processing], [.processing],
    ]

    private func answer(_ error: FinixDriverError, _ phases: [FinixPhase]) throws -> String {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        let end = FinixTransactionEnd(phases: phases, answer: .failure(error))
        return FinixErrors.answer(to: end, kind: .sale, total: total, base: total).word
    }

    @Test(arguments: codes)
    func `F-085 F-084 F-087 no text decides what became of the money`(code: String) throws {
        let texts = [
            nil, "", "not charged, try again", "succeeded", "device not activated", "2011",
            "DECLINED", "the card was charged", "transactionCancelled",
        ]
        for phases in Self.ends {
            let words = try texts.map { text in
                try answer(FinixDriverError(code: code, payload: text), phases).prefix { $0 != " " }
            }
            #expect(Set(words).count == 1, "\(phases): \(words)")
            let wasRead = phases.contains(.cardRead) || phases.contains(.processing)
            #expect((words[0] == "unknown") == wasRead)
        }
    }

    @Test(arguments: codes)
    func `F-085 F-086 a text changes the neutral code in the documented cases alone`(
        code: String
    ) {
        let bare = FinixErrors.error(.init(code: code)).code
        for text in ["text", "card not activated", "2014", "20110", "device", "not enabled"] {
            #expect(FinixErrors.error(.init(code: code, payload: text)).code == bare, "\(text)")
        }
        let disabled = FinixErrors.error(.init(code: code, payload: "DEVICE not enabled")).code
        let isDocumented = ["transactionFailed", "tokenFetchFailed", "unknown"].contains(code)
        #expect(disabled == (isDocumented ? .deviceDisabled : bare))
    }

    @Test(arguments: [
        "the device was not activated", "Device DV1 is NOT ENABLED", "activate the device first",
        "Transaction failed: Transaction failed: device is not activated.",
        "failed failed 422 the Device must be activated",
    ])
    func `F-087 F-088 a Device that is off is told by its text, however often it says failed`(
        text: String
    ) {
        for code in ["transactionFailed", "tokenFetchFailed", "unknown"] {
            #expect(FinixErrors.error(.init(code: code, payload: text)).code == .deviceDisabled)
        }
        let nested = "Reader preparation failed: Reader preparation failed: code 2012"
        let error = FinixDriverError(code: "readerPreparationFailed", payload: nested)
        #expect(FinixErrors.error(error).code == .tokenInvalid)
    }

    @Test(arguments: codes + ["somethingNew"])
    func `F-014 F-015 F-263 an error keeps code, text and request, and shows words of ours`(
        code: String
    ) {
        let text = "an English sentence of the vendor's"
        let error = FinixErrors.error(.init(code: code, payload: text, logref: "req-7"))
        #expect(error.vendorCode == code && error.detail == text)
        #expect(error.supportIdentifiers == ["logref": "req-7"])
        #expect(FinixErrors.error(.init(code: code)).supportIdentifiers.isEmpty)
        let shown = error.messageKey.english
        #expect(shown != error.messageKey.description && !shown.contains(text))
        #expect(!"\(error)".contains(text))
    }

    @Test(arguments: ReaderError.Code.all)
    func `F-090 of all read errors only the cancelled read is a cancelled transaction`(
        code: ReaderError.Code
    ) {
        let told = FinixReaderErrors.read(ReaderError(code))
        if code == .readCancelled {
            #expect(told == .transactionCancelled)
        } else {
            #expect(told.name == "transactionFailed")
        }
    }

    @Test func `F-091 nobody is advised to try again what may have been charged`() throws {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        for code in Self.codes {
            let end = FinixTransactionEnd(
                phases: [.cardRead, .processing],
                answer: .failure(FinixDriverError(code: code))
            )
            guard
                case .unknown(let error) = FinixErrors.answer(
                    to: end,
                    kind: .sale,
                    total: total,
                    base: total
                )
            else {
                Issue.record("\(code)")
                continue
            }
            #expect(error.recovery == .resolve)
        }
    }

    @Test(arguments: FinixScriptedAnswer.all)
    func `F-082 however linking and preparing end, nothing is submitted`(
        scripted: FinixScriptedAnswer
    ) throws {
        for path in ["/tap_to_pay_token", "/merchants/MUdemo"] {
            let bench = FinixKitBench(linked: false)
            bench.emulator.answer(scripted, times: nil) { $0.path == path }
            let kit = bench.kit()
            _ = try bench.run {
                for call in [KitCall.isAccountLinked, .linkAccount, .prepareReader, .linkAccount] {
                    _ = await call.end(on: kit)
                }
            }
            #expect(bench.requests.allSatisfy { $0.method == .get })
            #expect(bench.world.ledger.entries.isEmpty)
        }
    }
}
