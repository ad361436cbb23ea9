import Foundation
import Synchronization
import Testing

@testable import PaymentCore

#if os(Linux)
    import Glibc
#endif

@Suite struct JournalDurabilityTests {
    private let folder: TestFolder
    private let script = ScriptedDisk()

    init() throws { folder = try TestFolder() }

    private func open() async throws(JournalError) -> FileAttemptJournal {
        try await folder.open(disk: script.disk)
    }

    @Test func `N-020 syncs once for each call and before it returns`() async throws {
        let journal = try await open()
        // A new journal syncs its header and its name.
        #expect(script.syncs == 2)
        _ = try await journal.begin(JournalSamples.five[0])
        #expect(script.syncs == 3)
        try await journal.append(Array(JournalSamples.five[1...]))
        try await journal.append([])
        #expect(script.syncs == 4)
        #expect(journal.statistics == .init(writes: 2, syncs: 2, records: 5))
        #expect(try folder.lines().count == 6)
    }

    @Test func `N-020 opens a whole journal without writing`() async throws {
        try await folder.fill(JournalSamples.five)
        await (try open()).close()
        #expect(script.syncs == 0)
    }

    @Test(arguments: 0...60)
    func `N-020 takes back what a full disk cut`(rest: Int) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let journal = try await open()
        script.change { $0.room = Int64(whole.count + rest) }
        let error = await #expect(throws: PaymentRefusal.self) {
            try await journal.begin(JournalSamples.began("d", order: "o4"))
        }
        #expect(error?.code == "cannotRecord")
        #expect(error?.description.contains("no space left on device") == true)
        #expect(try folder.bytes() == whole)
        #expect(journal.read { $0[AttemptID("d")] } == nil)
        #expect(journal.statistics == .init())
        // Once there is room again, the journal works again.
        script.change { $0.room = nil }
        _ = try await journal.begin(JournalSamples.began("d", order: "o4"))
        await journal.close()
        #expect(try await folder.attempts().count == 4)
    }

    @Test func `N-020 leaves the book alone when an ending cannot be written`() async throws {
        try await folder.fill([JournalSamples.five[0]])
        let journal = try await open()
        script.change { $0.room = 0 }
        await #expect(throws: JournalError.self) {
            try await journal.append([JournalSamples.five[1]])
        }
        #expect(journal.read { $0.open.map(\.id.description) } == ["a"])
    }

    @Test func `N-020 refuses everything once a sync failed`() async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let journal = try await open()
        script.change { $0.failsToSync = true }
        let began = JournalSamples.began("d", order: "o4")
        await #expect(throws: PaymentRefusal.self) { try await journal.begin(began) }
        script.change { $0.failsToSync = false }
        let error = await #expect(throws: PaymentRefusal.self) { try await journal.begin(began) }
        #expect(error?.description.contains("open the journal again") == true)
        #expect(journal.read { $0.all.count } == 3)
        #expect(try folder.bytes() == whole)
        await journal.close()
        #expect(await folder.refusal() == nil)
    }

    @Test func `N-020 refuses everything once a cut line could not be removed`() async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let journal = try await open()
        script.change {
            $0.room = Int64(whole.count + 20)
            $0.failsToTruncate = true
        }
        let began = JournalSamples.began("d", order: "o4")
        await #expect(throws: PaymentRefusal.self) { try await journal.begin(began) }
        script.change { $0 = .init() }
        let error = await #expect(throws: JournalError.self) { try await journal.append([began]) }
        #expect(error?.description.contains("could not be taken back") == true)
        #expect(try folder.bytes().count == whole.count + 20)
        await journal.close()
        #expect(try await folder.attempts().count == 3)
        #expect(try folder.bytes() == whole)
    }

    @Test func `N-026 creates nothing that cannot be read again`() async throws {
        script.change { $0.room = 20 }
        await #expect(throws: JournalError.self) { try await open() }
        #expect(try folder.bytes().isEmpty)
        #expect(await folder.refusal() == nil)
    }

    @Test(arguments: Interference.allCases)
    func `N-026 writes nothing once somebody changed the file`(
        interference: Interference
    ) async throws {
        let whole = try await folder.fill(JournalSamples.five)
        let journal = try await open()
        try interference.act(on: folder.journal, holding: whole)
        let changed = try? folder.bytes()
        for _ in 0..<2 {
            let error = await #expect(throws: JournalError.self) {
                try await journal.append([JournalSamples.five[0]])
            }
            #expect(error?.description.contains("while it was in use") == true)
        }
        #expect(script.writes == 0)
        #expect((try? folder.bytes()) == changed)
        #expect(journal.read { $0.all.count } == 3)
    }

    enum Interference: CaseIterable {
        case shrunk, grown, replaced, deleted

        func act(on path: String, holding bytes: [UInt8]) throws {
            let url = URL(filePath: path)
            switch self {
            case .shrunk: try Data(bytes.prefix(100)).write(to: url)
            case .grown:
                let file = try FileHandle(forWritingTo: url)
                _ = try file.seekToEnd()
                try file.write(contentsOf: Data([10]))
            case .replaced: try Data(bytes).write(to: url, options: .atomic)
            case .deleted: try FileManager.default.removeItem(at: url)
            }
        }
    }

    #if os(Linux)
        @Test(.enabled(if: geteuid() == 0, "mounting a small disk is the superuser's"))
        func `N-020 charges nothing on a disk that is really full`() async throws {
            try #require(mount("tmpfs", folder.path, "tmpfs", 0, "size=16k") == 0)
            defer { umount(folder.path) }
            let journal = try await folder.open()
            var written = 0
            do throws(PaymentRefusal) {
                while written < 1_000 {
                    let order = Order(stringLiteral: "o\(written)")
                    _ = try await journal.begin(JournalSamples.began("a\(written)", order: order))
                    written += 1
                }
            } catch {
                #expect(error.description.contains("no space left on device"))
            }
            #expect((1..<1_000).contains(written))
            #expect(journal.read { $0.all.count } == written)
            await journal.close()
            #expect(try await folder.attempts().count == written)
        }
    #endif
}

extension ScriptedDisk {
    var syncs: Int { script.withLock { $0.syncs } }
    var writes: Int { script.withLock { $0.writes } }
}
