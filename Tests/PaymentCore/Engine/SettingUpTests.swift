import Simulation
import Testing

@testable import PaymentCore

/// A vendor that sets up in a way that a test wrote down.
private struct SettingUp: PaymentProvider {
    var capabilities = ScriptedProvider.able
    let answer: SetUpAnswer?

    func readiness() async -> ProviderReadiness {
        ProviderReadiness(isSupported: true, link: .linked, isPrepared: true)
    }

    func device() async -> String? { nil }
    func prepare() async throws(PaymentError) {}
    func cancel(_ attempt: AttemptID) async -> Cancellation { .unsupported }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        .notCharged(PaymentError(.notPrepared))
    }

    func setUp(
        _ options: SetUpOptions,
        attempt: PaymentAttempt?,
        context: AttemptContext
    ) async -> SetUpAnswer {
        guard let answer else {
            _ = await OneShot<Bool>().value()
            return SetUpAnswer(.done)
        }
        return answer
    }
}

@Suite struct SettingUpTests {
    private func setUp(
        _ answer: SetUpAnswer?,
        takesPayment: Bool,
        _ request: PaymentRequest? = .sale(.usd(100), for: "test-1")
    ) throws -> (state: String, payment: String?, attempts: Int, next: String) {
        var provider = SettingUp(answer: answer)
        provider.capabilities.setUpTakesPayment = takesPayment
        let time = SimulatedTime()
        let journal = MemoryAttemptJournal()
        let acquirer = Acquirer(account: TestTill.account, provider: provider, backOffice: nil)
        let engine = PaymentEngine(
            acquirers: [acquirer],
            journal: journal,
            settling: SettlingPolicy(),
            environment: time.environment
        )
        let pointOfSale = PointOfSale(engine: engine, environment: time.environment)
        return try time.run {
            let options = SetUpOptions(testPayment: request)
            do throws(PaymentRefusal) {
                let result = try await pointOfSale.setUp(options)
                let attempts = await pointOfSale.attempts.count
                let next = await self.next(at: pointOfSale)
                return ("\(result.state)", result.testPayment?.name, attempts, next)
            } catch {
                return ("refused \(error.code)", nil, await pointOfSale.attempts.count, "")
            }
        }
    }

    /// How another payment ends after it.
    private func next(at pointOfSale: PointOfSale) async -> String {
        do throws(PaymentRefusal) {
            return try await pointOfSale.take(.sale(.usd(100), for: "next")).name
        } catch {
            return "refused \(error.code)"
        }
    }

    @Test func `N-020 a test payment is an attempt like any other`() throws {
        let paid = try setUp(
            SetUpAnswer(.done, testPayment: .approved(approval())),
            takesPayment: true
        )
        #expect(paid.state == "done" && paid.payment == "approved" && paid.attempts == 1)
        let unknown = PaymentError(.outcomeUnknown)
        let lost = try setUp(
            SetUpAnswer(.unknown(unknown), testPayment: .unknown(unknown)),
            takesPayment: true
        )
        #expect(lost.state.hasPrefix("unknown") && lost.payment == "unresolved noAnswer")
        let silent = try setUp(SetUpAnswer(.unknown(unknown)), takesPayment: true)
        #expect(silent.payment == "unresolved noAnswer")
        let refused = PaymentError(.accountNotLinked)
        let none = try setUp(SetUpAnswer(.notDone(refused)), takesPayment: true)
        #expect(none.state.hasPrefix("notDone") && none.payment == "failed accountNotLinked")
    }

    @Test func `N-035 setting up that does not end leaves its payment unresolved`() throws {
        let told = try setUp(nil, takesPayment: true)
        #expect(told.state.hasPrefix("unknown"))
        #expect(told.payment?.hasPrefix("unresolved") == true)
        // The vendor's call still runs, and may yet charge.
        #expect(told.next == "refused busy")
        #expect(try setUp(nil, takesPayment: false).state.hasPrefix("unknown"))
    }

    @Test func `N-020 without a test payment nothing is written`() throws {
        let done = try setUp(SetUpAnswer(.done), takesPayment: false)
        #expect(done.state == "done" && done.payment == nil && done.attempts == 0)
        let missing = try setUp(SetUpAnswer(.done), takesPayment: true, nil)
        #expect(missing.state == "refused invalidRequest" && missing.attempts == 0)
    }
}
