import Foundation
@testable import PaymentCore
import Testing

@Suite struct JournalFormatTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(
        arguments: [("", 0), ("123456789", 0xcbf4_3926), ("a", 0xe8b7_be43)] as [(String, UInt32)]
    )
    func `N-026 computes the published checksum`(text: String, checksum: UInt32) {
        #expect(Array(text.utf8).withUnsafeBytes(CRC32.checksum) == checksum)
    }

    @Test func `N-026 writes the documented format to the byte`() async throws {
        let fixture = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/journal/every-fact.journal")
        let expected = try String(contentsOf: fixture, encoding: .utf8).split(separator: "\n")
        let written = try await folder.fill(JournalSamples.everyFact)
        #expect(String(decoding: written, as: UTF8.self).split(separator: "\n") == expected)
        #expect(written.last == UInt8(ascii: "\n"))
    }

    @Test func `N-024 reads every fact as it was written`() async throws {
        try await folder.fill(JournalSamples.everyFact)
        let attempt = try #require(try await folder.attempts().first)
        #expect(attempt.history == JournalSamples.everyFact)
    }

    @Test func `N-024 writes a journal that begins and ends in several sittings`() async throws {
        for entry in JournalSamples.five { try await folder.fill([entry]) }
        let written = try folder.bytes()
        let other = try TestFolder()
        #expect(try await other.fill(JournalSamples.five) == written)
        #expect(try await folder.attempts().filter(\.isOpen).map(\.id.description) == ["c"])
    }

    @Test func `N-024 reads a journal that is longer than a chunk`() async throws {
        let entries = (0..<600).map { number in
            JournalSamples.began("a\(number)", order: Order(stringLiteral: "order-\(number)"))
        }
        #expect(try await folder.fill(entries).count > 131_072)
        #expect(Set(try await folder.attempts().map(\.history)) == Set(entries.map { [$0] }))
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (1_767_603_600.25, "2026-01-05T09:00:00.250Z"),
        (1_767_603_600.9996, "2026-01-05T09:00:01.000Z"), (-0.001, "1969-12-31T23:59:59.999Z"),
        (951_782_400.007, "2000-02-29T00:00:00.007Z"),
        (253_402_300_798.5, "9999-12-31T23:59:58.500Z"),
    ])
    func `N-024 writes times in UTC with milliseconds`(seconds: Double, text: String) async throws {
        let entry = JournalEntry(
            at: Date(timeIntervalSince1970: seconds),
            attempt: AttemptID("a"),
            fact: JournalSamples.began("a", order: "o1").fact
        )
        let line = try #require(try await folder.fill([entry]).split(separator: 10).last)
        #expect(String(decoding: line, as: UTF8.self).contains(#""at":"\#(text)""#))
        let read = try #require(try await folder.attempts().first?.history)
        #expect(abs(read[0].at.timeIntervalSince1970 - seconds) <= 0.000_5)
        let copy = try TestFolder()
        #expect(try await copy.fill(read) == folder.bytes())
    }

    @Test func `N-024 keeps every millisecond`() async throws {
        let entries = (0..<1_000).map { number in
            JournalEntry(
                at: Date(timeIntervalSince1970: Double(1_767_603_600_000 + number) / 1_000),
                attempt: AttemptID("a\(number)"),
                fact: JournalSamples.began("a", order: "o1").fact
            )
        }
        try await folder.fill(entries)
        #expect(try await folder.attempts().flatMap(\.history) == entries)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e12])
    func `N-020 refuses a time that no journal can hold`(seconds: Double) async throws {
        let journal = try await folder.open()
        let entry = JournalEntry(
            at: Date(timeIntervalSince1970: seconds),
            attempt: AttemptID("a"),
            fact: JournalSamples.began("a", order: "o1").fact
        )
        await #expect(throws: PaymentRefusal.self) { try await journal.begin(entry) }
        #expect(journal.statistics == .init())
    }

    @Test func `N-020 refuses an entry that is too long to be read again`() async throws {
        let journal = try await folder.open()
        let note = AcquirerReference(kind: String(repeating: "x", count: 1_100_000), value: "v")
        await #expect(throws: JournalError.self) {
            try await journal.append([JournalSamples.entry("a", .noted(note))])
        }
        #expect(try folder.lines().count == 1)
    }
}
