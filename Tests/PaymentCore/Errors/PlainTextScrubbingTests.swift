import PaymentCore
import Testing

/// Most texts are one plain word, which is passed on at once; nothing else may be.
@Suite struct PlainTextScrubbingTests {
    private static func digits(_ count: Int) -> String { String(repeating: "1", count: count) }

    @Test(arguments: ["VISA", "A1B2C3", "TRa-1_2.3", "t-" + digits(7), "bearer", "token"])
    func `N-014 one word with few digits is left as it is`(text: String) {
        #expect(Scrubbing.scrub(text) == text)
        #expect(Scrubbing.scrubIdentifier(text) == text)
    }

    @Test(arguments: [
        digits(8), "t" + digits(8), "1-2-3-4-5-6-7-8", "a." + digits(8) + "_b",
    ])
    func `N-014 one word with a run of eight digits is not`(text: String) {
        #expect(Scrubbing.scrub(text).contains("[redacted]"))
    }

    @Test(arguments: [
        "statement of 2026-11-30", "2026-11-30 17:05, line 12", "seen 1999-01-01T08:00:00Z",
        "from 2026-11-01 to 2026-11-30 9h", "2026-11-30 - seen", "2026-11-30- seen",
    ])
    func `N-014 a day in a text is no card's number`(text: String) {
        #expect(Scrubbing.scrub(text) == text)
    }

    @Test(arguments: [
        "2026-13-01", "2026-11-32", "4242-11-30", "2026-1130", "2026-11-30-12", "2026-11-30 123",
        "2026-11-30 1 2", "2026-11-30 12-34", "42 2026-11-30", "2026 11 30",
    ])
    func `N-014 what only looks like a day is not left`(text: String) {
        #expect(Scrubbing.scrub(text).contains("[redacted]"))
    }

    @Test(arguments: [
        digits(12), "TR" + digits(12), digits(6) + "-" + digits(6), "a" + digits(13) + "b",
    ])
    func `N-014 an identifier with twelve digits in a run is not`(text: String) {
        #expect(Scrubbing.scrubIdentifier(text) == "[redacted]")
    }

    @Test(arguments: [
        "token=abc", "apikey:abc", "Bearer abc", "x Basic abc", "secret: abc", "password=abcd==",
        #"{"token":"abc"}"#, #""token": "abc""#, "https://x/?token=abc&x=1", "token=abc:d",
        "failed\nBearer abc", "Bearer  abc", "authorization:Bearer abc",
        "Authorization:\tBearer abc",
    ])
    func `N-014 a credential is never taken for a plain word`(text: String) {
        #expect(!Scrubbing.scrub(text).contains("abc"))
        #expect(Scrubbing.scrubIdentifier(text) == "[redacted]")
    }
}
