import PaymentCore
import PaymentTransport
import Testing

@Suite struct RetryAfterTests {
    // FC-084, FC-085
    @Test(arguments: [
        (["2"], Duration.seconds(2)), (["Wed, 21 Oct 2026 07:28:00 GMT"], .seconds(5)),
        (["-5"], nil), (["abc"], nil), ([""], nil), (["1.5"], nil), (["2", "3"], nil),
        (["99999999999999999999"], .seconds(Int64(Int32.max))), (["86400"], .seconds(86_400)),
        (["Wed, 21 Oct 2020 07:28:00 GMT"], nil),
    ])
    func `F-162 reads how long a server asks to wait`(values: [String], pause: Duration?) throws {
        let now = try Date("2026-10-21T07:27:55Z", strategy: .iso8601)
        var headers = HTTPHeaders()
        for value in values { headers.add("retry-after", value) }
        #expect(RetryAfter(headers, now: now)?.pause == pause)
    }
}
