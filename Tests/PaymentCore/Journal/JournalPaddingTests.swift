import Foundation
import Testing

@testable import PaymentCore

/// A journal that is open is filled up with NUL bytes to a whole page.
@Suite struct JournalPaddingTests {
    private let folder: TestFolder
    private let script = ScriptedDisk()

    init() throws { folder = try TestFolder() }

    private func open() async throws(JournalError) -> FileAttemptJournal {
        var disk = script.disk
        disk.page = 4_096
        return try await folder.open(disk: disk)
    }

    private func began(_ number: Int) -> JournalEntry {
        JournalSamples.began("n\(number)", order: Order(stringLiteral: "n\(number)"))
    }

    /// What a journal of one page holds while it is open, and where its last record begins.
    private func openPage() async throws -> (page: [UInt8], last: Int) {
        let journal = try await open()
        for number in 0..<10 { try await journal.append([began(number)]) }
        let page = try folder.bytes()
        await journal.close()
        let last = try #require(try folder.lines().last).count + 1
        return (page, try folder.bytes().count - last)
    }

    @Test func `N-026 an open journal is whole pages and a closed one is its lines`() async throws {
        let journal = try await open()
        for number in 0..<40 {
            try await journal.append([began(number)])
            let bytes = try folder.bytes()
            let content = try #require(bytes.lastIndex { $0 != 0 }) + 1
            #expect(bytes.count == (content + 4_095) / 4_096 * 4_096)
            #expect(bytes[content - 1] == JournalFormat.newline)
            #expect(try folder.lines().count == number + 2)
        }
        // Each call is one write and one sync, whether the file grows or not.
        #expect(journal.statistics == .init(writes: 40, syncs: 40, records: 40))
        await journal.close()
        let other = try TestFolder()
        #expect(try await other.fill((0..<40).map(began)) == folder.bytes())
    }

    @Test func `N-024 what a process left open is read whole and goes on`() async throws {
        let journal = try await open()
        for number in 0..<30 {
            try await journal.append([began(number)])
            let crashed = try TestFolder()
            try crashed.write(try folder.bytes())
            #expect(try await crashed.attempts().count == number + 1)
            try await crashed.fill([began(number + 1)])
            #expect(try await crashed.attempts().count == number + 2)
        }
        await journal.close()
    }

    @Test func `N-026 opens whichever sectors of the last record a crash left out`() async throws {
        let (page, last) = try await openPage()
        let content = try #require(page.lastIndex { $0 != 0 }) + 1
        let sectors = (last / 512)...((content - 1) / 512)
        try #require(sectors.count > 1)
        for missing in 1..<(1 << sectors.count) {
            var torn = page
            for (place, sector) in sectors.enumerated() where missing >> place & 1 == 1 {
                for index in max(last, sector * 512)..<min(content, (sector + 1) * 512) {
                    torn[index] = 0
                }
            }
            try folder.write(torn)
            #expect(try await folder.attempts().count == 9, "sectors \(missing)")
            #expect(try folder.bytes() == Array(page[..<last]))
        }
    }

    @Test func `N-026 reports NUL bytes that no crash leaves`() async throws {
        let (page, last) = try await openPage()
        let content = try #require(page.lastIndex { $0 != 0 }) + 1
        for index in 0..<(content - 1) where index % 13 == 0 || (index + 1) % 512 < 2 {
            var damaged = page
            damaged[index] = 0
            try folder.write(damaged)
            #expect(await folder.refusal() != nil, "byte \(index) of \(last)")
            #expect(try folder.bytes() == damaged)
        }
    }

    @Test func `N-026 reports a lost sector of a page that is not the last`() async throws {
        let journal = try await open()
        for number in 0..<40 { try await journal.append([began(number)]) }
        var bytes = try folder.bytes()
        await journal.close()
        for index in 1_024..<1_536 { bytes[index] = 0 }
        try folder.write(bytes)
        #expect(await folder.refusal()?.contains("does not match its checksum") == true)
        #expect(try folder.bytes() == bytes)
    }

    @Test func `N-020 takes back what could not be written into the rest of a page`()
        async throws
    {
        let journal = try await open()
        try await journal.append([began(0)])
        let content = try #require(try folder.bytes().lastIndex { $0 != 0 }) + 1
        script.change { $0.room = Int64(content + 20) }
        await #expect(throws: JournalError.self) { try await journal.append([began(1)]) }
        #expect(try folder.bytes().count == content)
        script.change { $0.room = nil }
        try await journal.append([began(2)])
        #expect(try folder.bytes().count == 4_096)
        await journal.close()
        #expect(try await folder.attempts().map(\.id.description) == ["n0", "n2"])
    }

    @Test(arguments: JournalDurabilityTests.Interference.allCases)
    func `N-026 writes nothing into a page once somebody changed the file`(
        interference: JournalDurabilityTests.Interference
    ) async throws {
        let journal = try await open()
        for number in 0..<3 { try await journal.append([began(number)]) }
        let writes = script.writes
        try interference.act(on: folder.journal, holding: try folder.bytes())
        let changed = try? folder.bytes()
        for _ in 0..<2 {
            let error = await #expect(throws: JournalError.self) {
                try await journal.append([began(3)])
            }
            #expect(error?.description.contains("while it was in use") == true)
        }
        #expect(script.writes == writes)
        await journal.close()
        #expect((try? folder.bytes()) == changed)
    }

    @Test func `N-020 goes on when other names in the folder change`() async throws {
        let journal = try await open()
        for number in 0..<5 {
            try await journal.append([began(number)])
            try Data().write(to: URL(filePath: "\(folder.path)/other-\(number)"))
        }
        await journal.close()
        #expect(try await folder.attempts().count == 5)
    }
}
