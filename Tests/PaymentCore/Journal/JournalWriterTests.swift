import Foundation
import Testing

@testable import PaymentCore

/// The fast writing of records writes exactly what the encoder writes, or leaves them to it.
@Suite struct JournalWriterTests {
    private let format = JournalFormat()

    @Test func `N-026 the records that a journal has most of are written without the encoder`()
        throws
    {
        for entry in AnyEntries.usual(5_000) {
            let written = try #require(JournalWriter.json(entry), "\(entry)")
            try #require(written == Array(try format.json(entry)), "\(entry)")
        }
    }

    @Test func `N-026 whatever is written fast is what the encoder writes`() throws {
        var (fast, slow) = (0, 0)
        for entry in AnyEntries.wild(5_000) {
            let encoded = Array(try format.json(entry))
            if let written = JournalWriter.json(entry) {
                fast += 1
                try #require(written == encoded, "\(entry)")
            } else {
                slow += 1
            }
            let line = try format.lines([entry])
            let json = line.dropLast().withUnsafeBytes {
                JournalFormat.confirmed($0).map { Array($0) }
            }
            try #require(json == encoded)
            try #require(line.last == JournalFormat.newline)
        }
        #expect(fast > 500 && slow > 500)
    }

    @Test func `N-026 several lines are those of each entry`() throws {
        let entries = AnyEntries.wild(50)
        #expect(try format.lines(entries) == entries.flatMap { try format.lines([$0]) })
        #expect(try format.lines([]).isEmpty)
    }

    @Test(arguments: JournalSamples.everyFact)
    func `N-026 what needs escapes or is rare is left to the encoder`(
        entry: JournalEntry
    ) throws {
        let isRare =
            switch entry.fact {
            case .noted, .ended(.cancelled, _): false
            default: true
            }
        #expect((JournalWriter.json(entry) == nil) == isRare)
    }

    @Test func `N-024 every day until 2199 is written as the calendar writes it`() throws {
        for day in 0..<84_006 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + Double(day) * 1.0373)
            var bytes: [UInt8] = []
            guard date.timeIntervalSince1970 < 7_258_118_399 else { break }
            try #require(JournalDate.write(date, to: &bytes))
            try #require(String(decoding: bytes, as: UTF8.self) == JournalDate.format(date))
        }
    }

    @Test(arguments: [-0.001, 7_258_118_399, 1e300, -1e300, .nan, .infinity, -.infinity])
    func `N-024 years far away are left to the calendar`(seconds: Double) {
        var bytes: [UInt8] = [1]
        #expect(!JournalDate.write(Date(timeIntervalSince1970: seconds), to: &bytes))
        #expect(bytes == [1])
    }
}
