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
        "2022-10-11T03:25:05.1x2Z", "2022-10-11T03:25:05", "2022-10-11T03:25:05.5",
    ])
    func `F-159 refuses what is no time`(text: String) {
        #expect(WireDate.parse(text) == nil)
    }

    @Test func `R-222 a moment is written as the millisecond that it is, never the one before`()
        throws
    {
        var wrong: [String] = []
        for milliseconds in 0..<1_000 {
            let text = "2026-01-05T09:00:00.\("\(1_000 + milliseconds)".dropFirst())Z"
            let date = try #require(WireDate.parse(text))
            if WireDate.format(date) != text { wrong.append(text) }
            if WireDate.format(date + 0.000_999) != text { wrong.append(text + " and a bit") }
        }
        #expect(wrong == [])
    }

    @Test func `F-159 every day from 1960 to 2210 is read as the calendar writes it`() {
        let style = Date.ISO8601FormatStyle()
        var wrong: [String] = []
        for day in -3_653..<87_658 {
            let seconds = Double(day) * 86_400 + Double((day &* 7_919) & 0xFFFF)
            let text = style.format(Date(timeIntervalSince1970: seconds))
            if WireDate.parse(text)?.timeIntervalSince1970 != seconds { wrong.append(text) }
            let half = text.dropLast() + ".5Z"
            if WireDate.parse(String(half))?.timeIntervalSince1970 != seconds + 0.5 {
                wrong.append(String(half))
            }
        }
        #expect(wrong == [])
    }
}
