import PaymentCore
import PaymentTransport
import Testing

@Suite struct WireDateTests {
    // FC-078
    @Test(arguments: [
        ("2022-10-11T03:25:05Z", 0.0), ("2022-10-11T03:25:05.3Z", 0.3),
        ("2022-10-11T03:25:05.320Z", 0.32), ("2022-10-11T03:25:05.420647Z", 0.420647),
        ("2022-10-11T03:25:05.420647123Z", 0.420647123), ("2022-10-11T05:25:05+02:00", 0.0),
    ])
    func `F-159 reads any count of fraction digits`(text: String, fraction: Double) throws {
        let date = try #require(WireDate.parse(text))
        #expect(abs(date.timeIntervalSince1970 - (1_665_458_705 + fraction)) < 0.000_001)
    }

    @Test(arguments: [
        "", "yesterday", "2022-10-11", "2022-10-11T03:25:05.Z", "2022-13-11T03:25:05Z",
    ])
    func `F-159 refuses what is no time`(text: String) {
        #expect(WireDate.parse(text) == nil)
    }
}
