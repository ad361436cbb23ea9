import AcquirerSimulation
import FinixSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments

/// What is tried once before an error of preparing is told.
@Suite struct FinixPreparingTests {
    /// A phone whose preparations fail so, and what became of the first.
    private func prepare(
        _ failures: [FinixDriverError]
    ) async -> (error: PaymentError?, calls: [String]) {
        let end = FinixTransactionEnd(phases: [], answer: nil)
        let driver = ScriptedFinixDriver(end: end)
        driver.preparing.value = failures
        let provider = FinixProvider(
            till: FinixTill(driver: driver, device: "DV1", merchant: "MU1"),
            environment: SimulatedTime().environment
        )
        do throws(PaymentError) {
            try await provider.prepare()
            return (nil, driver.calls.value)
        } catch {
            return (error, driver.calls.value)
        }
    }

    private static let again = ["prepareReader", "prepareReader"]
    private static let refreshed = ["prepareReader", "refreshConfiguration", "prepareReader"]

    /// Every error that preparing ends with, what is done about it, and what it is called.
    private static let table: [(String, String?, calls: [String], code: PaymentError.Code)] = [
        ("readerPreparationFailed", nil, again, .preparationFailed),
        ("readerPreparationFailed", "networkError", again, .preparationFailed),
        ("prepareFailed", "failed", again, .preparationFailed),
        ("readerPreparationFailed", "2011", ["prepareReader"], .readerConfigurationInvalid),
        ("readerPreparationFailed", "failed: failed: 2012", refreshed, .tokenInvalid),
        ("readerPreparationFailed", "2013", ["prepareReader"], .merchantNotEnabled),
        ("invalidReaderToken", "audience", refreshed, .tokenInvalid),
        ("emptyReaderToken", nil, again, .tokenUnavailable),
        ("tokenFetchFailed", "401", ["prepareReader"], .tokenUnavailable),
        (
            "accountNotLinked", nil,
            ["prepareReader", "forceRefreshLinkStatus", "prepareReader"], .accountNotLinked
        ),
        ("invalidMerchant", nil, ["prepareReader"], .merchantInvalid),
        ("merchantBlocked", nil, ["prepareReader"], .merchantBlocked),
        ("deviceBanned", nil, ["prepareReader"], .deviceRestricted),
        ("modelNotSupported", nil, ["prepareReader"], .deviceUnsupported),
        ("backgroundRequestNotAllowed", nil, ["prepareReader"], .inBackground),
        ("networkAuthenticationError", nil, ["prepareReader"], .networkUnavailable),
        ("accountLinkingCheckFailed", nil, ["prepareReader"], .linkStatusUnknown),
        ("unknown", "text", ["prepareReader"], .unclassified),
        ("somethingNew", nil, ["prepareReader"], .unclassified),
    ]

    @Test(arguments: table)
    func `F-055 F-056 F-057 F-058 F-043 what may help is done once, and nothing else is`(
        code: String,
        payload: String?,
        calls: [String],
        expected: PaymentError.Code
    ) async {
        let failure = FinixDriverError(code: code, payload: payload)
        let twice = await prepare([failure, failure])
        #expect(twice.error?.code == expected)
        #expect(twice.calls == calls)
        let once = await prepare([failure])
        #expect((once.error == nil) == (calls.count > 1))
        #expect(once.calls == calls)
    }

    @Test func `F-056 F-255 F-017 support is told merchant, Device, reader and request`() async {
        let failure = FinixDriverError(
            code: "readerPreparationFailed",
            payload: "2011",
            logref: "req-7"
        )
        let identifiers = await prepare([failure]).error?.supportIdentifiers
        #expect(identifiers == ["merchant": "MU1", "device": "DV1", "logref": "req-7"])
        let stage = FinixStage(card: nil)
        let told = Shared<PaymentError?>(nil)
        try? stage.shop.run {
            stage.control.traits.preparationFailure = 2011
            let pointOfSale = try await stage.open(FinixStage.provisioned)
            do throws(PaymentError) {
                try await pointOfSale.prepare()
            } catch {
                told.value = error
            }
        }
        let names = told.value?.supportIdentifiers.keys.sorted()
        #expect(names == ["device", "merchant", "readerIdentifier"])
    }
}
