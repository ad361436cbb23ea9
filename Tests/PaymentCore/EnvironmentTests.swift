import PaymentCore
import Testing

@Suite struct EnvironmentTests {
    @Test func `N-043 live randomness differs from call to call`() {
        #expect(PaymentEnvironment.live.randomBits() != PaymentEnvironment.live.randomBits())
    }
}
