import PaymentCore
import Simulation
import Testing

@testable import FinixPayments

/// What one payment has to do with the driver, and with the payments before it.
@Suite struct FinixDriverRuleTests {
    private let time = SimulatedTime()

    private static let reading = FinixTransactionEnd(
        phases: [.preparingTransaction, .readingCard],
        answer: .failure(FinixDriverError(code: "transactionCancelled"))
    )

    private func attempt() throws -> PaymentAttempt {
        let amount = try Money(minorUnits: 1_250, currency: .usd)
        return PaymentAttempt(
            id: AttemptID(from: time.environment),
            account: FinixShop.account,
            operation: .take(.sale(amount, for: "o1")),
            startedAt: time.wallTime,
            amount: amount
        )
    }

    private static let context = AttemptContext(report: { _ in }, note: { _ in })

    @Test(arguments: [FinixPhase.cardRead, .processing])
    func `N-015 N-042 a phase of an earlier payment says nothing of the next`(
        late: FinixPhase
    ) throws {
        let driver = ScriptedFinixDriver(end: Self.reading)
        let provider = FinixProvider(
            driver: driver,
            deviceID: "DV1",
            environment: time.environment
        )
        let (first, second) = (try attempt(), try attempt())
        let answers = Shared<[Cancellation]>([])
        try time.run {
            _ = await provider.perform(first, context: Self.context)
            driver.meanwhile.value = {
                driver.reports.value.first?(late)
                answers.value.append(provider.cancel(second.id))
                try? await time.environment.clock.sleep(for: .seconds(1))
            }
            _ = await provider.perform(second, context: Self.context)
        }
        #expect(answers.value == [.asked])
        #expect(driver.calls.value.contains("cancelTransaction"))
    }

    @Test func `N-045 F-083 a card that was told as read was read, also where the end forgets it`()
        throws
    {
        let driver = ScriptedFinixDriver(end: Self.reading)
        let provider = FinixProvider(
            driver: driver,
            deviceID: "DV1",
            environment: time.environment
        )
        let payment = try attempt()
        driver.meanwhile.value = { driver.reports.value.last?(.cardRead) }
        let answer = try time.run { await provider.perform(payment, context: Self.context) }
        #expect(answer.word == "unknown outcomeUnknown")
    }

    @Test func `N-028 F-007 a payment stays on its Device when the phone gets another meanwhile`()
        throws
    {
        let drivers = ["DV1", "DV2"].map {
            (id: $0, driver: ScriptedFinixDriver(end: Self.reading))
        }
        let source = FinixTill.Source(
            provisioner: FinixDeviceProvisioner(
                source: Devices(ids: Shared(drivers.map(\.id))),
                store: MemoryFinixDeviceStore()
            )
        ) { () throws(PaymentError) in
            try FinixDeviceRequest(
                environment: .simulated,
                merchant: "MUdemo",
                reader: "reader-1",
                bundle: "shop.example",
                name: "Till"
            )
        }
        let till = FinixTill(merchant: "MUdemo", source: source) { id in
            drivers.first { $0.id == id }?.driver ?? ScriptedFinixDriver(end: Self.reading)
        }
        let provider = FinixProvider(till: till, environment: time.environment)
        let payment = try attempt()
        let told = Shared<[String?]>([])
        drivers[0].driver.before.value = {
            try? await till.withDriver { (_) throws(PaymentError) in
                guard await till.deviceOfPayment() == "DV2" else {
                    throw PaymentError(.deviceDisabled)
                }
            }
        }
        for driver in drivers.map(\.driver) {
            driver.meanwhile.value = {
                _ = provider.cancel(payment.id)
                try? await time.environment.clock.sleep(for: .seconds(1))
            }
        }
        try time.run {
            try? await provider.prepare()
            told.value.append(await provider.device())
            _ = await provider.perform(payment, context: Self.context)
            told.value.append(await provider.device())
        }
        #expect(told.value == ["DV1", "DV2"])
        for call in ["startTransaction", "cancelTransaction"] {
            #expect(drivers[0].driver.calls.value.contains(call))
            #expect(!drivers[1].driver.calls.value.contains(call))
        }
    }

    /// Hands out one Device after the other.
    private struct Devices: FinixDeviceSource {
        let ids: Shared<[String]>

        func provision(_ request: FinixDeviceRequest) async throws(PaymentError) -> String {
            ids.value.removeFirst()
        }

        func isEnabled(
            _ device: String,
            for request: FinixDeviceRequest
        ) async throws(PaymentError) -> Bool { true }
    }
}
