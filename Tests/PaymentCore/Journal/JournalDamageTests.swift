import Foundation
@testable import PaymentCore
import Testing

@Suite struct JournalDamageTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    // FC-125, FC-126
    @Test(arguments: [0, 1, 100_000])
    func `N-026 opens after a crash cut the last record anywhere`(zeros: Int) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let last = whole.count - (try #require(try folder.lines().last)).count - 1
        for cut in last..<whole.count {
            try folder.write(whole[..<cut] + [UInt8](repeating: 0, count: zeros))
            // Only the line's end is missing, so that nothing of the record is.
            let isWhole = cut == whole.count - 1
            let attempts = try await folder.attempts().map(\.id.description)
            #expect(attempts == (isWhole ? ["a", "b", "c"] : ["a", "b"]), "cut at \(cut)")
            #expect(try folder.bytes() == (isWhole ? whole : Array(whole[..<last])))
        }
    }

    @Test func `N-026 writes on after a torn record`() async throws {
        let whole = try await folder.fill(JournalSamples.five)
        try folder.write(whole.dropLast(20))
        try await folder.fill([JournalSamples.five[4]])
        #expect(try folder.bytes() == whole)
    }

    @Test(arguments: [1, 4_096, 200_000])
    func `N-026 takes a tail of NUL bytes for the end`(zeros: Int) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        try folder.write(whole + [UInt8](repeating: 0, count: zeros))
        #expect(try await folder.attempts().count == 3)
        #expect(try folder.bytes() == whole)
    }

    // FC-127
    @Test(arguments: [0x01, 0x20, 0x80] as [UInt8])
    func `N-026 reports any changed byte with its place and changes nothing`(
        change: UInt8
    ) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        var (line, start) = (1, 0)
        for position in whole.indices {
            var damaged = whole
            damaged[position] ^= change
            try folder.write(damaged)
            let refusal = try #require(await folder.refusal(), "byte \(position) was accepted")
            let place = "\(folder.journal):\(line): "
            #expect(refusal.hasPrefix(place) && refusal.contains("byte \(start))"), "\(refusal)")
            #expect(try folder.bytes() == damaged)
            if whole[position] == 10 { (line, start) = (line + 1, position + 1) }
        }
    }

    @Test(arguments: [0, 10] as [UInt8])
    func `N-026 never accepts a second record that became something else`(
        byte: UInt8
    ) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let lines = try folder.lines()
        let start = lines[0].count + lines[1].count + 2
        for position in start..<(start + lines[2].count) {
            var damaged = whole
            damaged[position] = byte
            try folder.write(damaged)
            #expect(await folder.refusal()?.contains(":3: ") == true, "byte \(position)")
            #expect(try folder.bytes() == damaged)
        }
    }

    @Test func `N-026 reports a missing, an empty and a doubled half line`() async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let lines = try folder.lines()
        for line in 1..<lines.count {
            var changed = lines
            changed[line] = Array(lines[line].prefix(30))
            try folder.write(Data(changed.joined(separator: [10]) + [10]))
            #expect(await folder.refusal()?.contains(":\(line + 1): ") == true)
            changed[line] = []
            try folder.write(Data(changed.joined(separator: [10]) + [10]))
            #expect(await folder.refusal()?.contains(":\(line + 1): ") == true)
        }
        try folder.write(whole)
        #expect(await folder.refusal() == nil)
    }

    @Test func `N-026 reports a whole record that this version cannot read`() async throws {
        let whole = try await folder.fill(JournalSamples.five)
        try folder.write(whole + line(#"{"at":"2026-01-05T09:00:00.250Z","attempt":"a"}"#))
        let refusal = await folder.refusal()
        #expect(refusal?.hasPrefix("\(folder.journal):7: ") == true)
        #expect(refusal?.contains("cannot read") == true)
    }

    @Test(arguments: ForeignFile.all)
    func `N-026 leaves the file of another version or program alone`(
        file: ForeignFile
    ) async throws {
        try folder.write(file.content)
        let refusal = try #require(await folder.refusal())
        #expect(refusal.hasPrefix("\(folder.journal):1: ") && refusal.contains(file.problem))
        #expect(try folder.bytes() == file.content)
    }

    @Test func `N-026 takes a file without content for a new journal`() async throws {
        let header = try await folder.fill([])
        for count in 0..<header.count {
            for zeros in [0, header.count - count] {
                try folder.write(header[..<count] + [UInt8](repeating: 0, count: zeros))
                #expect(await folder.refusal() == nil)
                #expect(try folder.bytes() == header)
            }
        }
    }
}

/// A file that is no journal of this version.
struct ForeignFile: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let content: [UInt8]
    let problem: String

    private init(_ name: String, _ content: [UInt8], _ problem: String) {
        testDescription = name
        self.content = content
        self.problem = problem
    }

    static let all: [ForeignFile] = [
        .init("newer", line(#"{"format":"payment-journal","version":2}"#), "has version 2"),
        .init("other", line(#"{"format":"stock-journal","version":1}"#), "is no payment journal"),
        .init("script", Array("#!/bin/sh\necho hello\n".utf8), "is no payment journal"),
        .init("word", Array("hello".utf8), "is no payment journal"),
        .init("newline", [10], "is no payment journal"),
        .init(
            "byte-order mark",
            [0xef, 0xbb, 0xbf] + line(#"{"format":"payment-journal","version":1}"#),
            "is no payment journal"
        ),
        .init("NUL bytes", [UInt8](repeating: 0, count: 5_000), "is no payment journal"),
        .init("ten megabytes", [UInt8](repeating: 7, count: 10_000_000), "is no payment journal"),
        .init(
            "wrong checksum",
            Array(#"00000000 {"format":"payment-journal","version":1}"#.utf8) + [10],
            "is damaged"
        ),
    ]
}

private func line(_ json: String) -> [UInt8] {
    let digits = String(Array(json.utf8).withUnsafeBytes(CRC32.checksum), radix: 16)
    let text = String(repeating: "0", count: 8 - digits.count) + digits + " " + json + "\n"
    return Array(text.utf8)
}
