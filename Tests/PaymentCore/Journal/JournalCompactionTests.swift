import Foundation
import Testing

@testable import PaymentCore

@Suite struct JournalCompactionTests {
    private static let entries: [JournalEntry] = {
        func noted(_ id: String, _ value: String) -> JournalEntry {
            JournalSamples.entry(id, .noted(AcquirerReference(kind: "transfer", value: value)))
        }
        let look = JournalEntry.LookUp(
            found: 0,
            candidates: 0,
            complete: true,
            acquirerTime: nil,
            conclusion: "absent so far",
            provesAbsence: false
        )
        func noise(_ id: String) -> [JournalEntry] {
            [
                JournalSamples.entry(id, .leftOpen(.init(error: PaymentError(.outcomeUnknown)))),
                JournalSamples.entry(id, .lookedUp(look)),
                JournalSamples.entry(id, .lookedUp(look)),
            ]
        }
        return [JournalSamples.began("a", order: "o1")] + noise("a")
            + [
                JournalSamples.entry("a", .ended(.approved(JournalSamples.receipt), by: .books)),
                JournalSamples.began("b", order: "o2"),
                noted("b", "TRb"),
            ] + noise("b") + [JournalSamples.began("c", order: "o3")] + noise("c")
            + [
                noted("c", "TRc"), JournalSamples.entry("c", .ended(.cancelled, by: .vendor)),
                JournalSamples.began("d", order: "o4"),
            ] + noise("d")
            + [
                JournalSamples.entry(
                    "d",
                    .settled(.init(.notMoved, name: "Kim", reason: "till roll"))
                )
            ]
    }()

    private func compact(
        _ folder: TestFolder,
        keeping retention: Duration = .seconds(60)
    ) async throws -> FileAttemptJournal.Compaction {
        try await FileAttemptJournal.compact(
            path: folder.journal,
            keeping: retention,
            environment: .live
        )
    }

    @Test func `N-020 a smaller journal forgets no attempt, and nothing of an open one`()
        async throws
    {
        let folder = try TestFolder()
        try await folder.fill(Self.entries)
        let before = try await folder.attempts()
        let report = try await compact(folder)
        #expect(report.entriesBefore == Self.entries.count)
        #expect(report.entriesAfter == Self.entries.count - 6)
        #expect(report.bytesAfter < report.bytesBefore)
        #expect(try folder.bytes().count == Int(report.bytesAfter))
        let after = try await folder.attempts()
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.map(\.ending) == before.map(\.ending))
        #expect(after.map(\.references) == before.map(\.references))
        for kept in ["b", "d"].map({ AttemptID($0) }) {
            let histories = [after, before].map { $0.first { $0.id == kept }?.history }
            #expect(histories[0] != nil && histories[0] == histories[1])
        }
        #expect(after.map(\.verdict) == before.map(\.verdict))
        // Once it is small it stays as it is.
        let again = try await compact(folder)
        #expect(again.entriesAfter == again.entriesBefore)
    }

    @Test func `N-021 after it, paid orders are refused as before`() async throws {
        let folder = try TestFolder()
        try await folder.fill(Self.entries)
        _ = try await compact(folder)
        let journal = try await folder.open()
        for (order, code) in [("o1", "alreadyPaid"), ("o2", "open"), ("o3", nil)]
            as [(Order, String?)]
        {
            let refusal = journal.read { book -> String? in
                do throws(PaymentRefusal) {
                    _ = try book.check(JournalSamples.began("new", order: order))
                    return nil
                } catch {
                    return error.code
                }
            }
            #expect(refusal == code)
        }
        await journal.close()
    }

    @Test func `N-020 what ended lately keeps everything`() async throws {
        let folder = try TestFolder()
        try await folder.fill(Self.entries)
        let report = try await compact(folder, keeping: .seconds(10_000_000_000))
        #expect(report.entriesAfter == report.entriesBefore)
    }

    @Test(arguments: 0..<12)
    func `N-020 what stays is byte for byte what was there, whoever wrote it`(
        seed: Int
    ) async throws {
        let folder = try TestFolder()
        var histories = RandomHistories(seed: UInt64(seed), rarity: [4, 12, 200][seed % 3])
        let format = JournalFormat()
        var bytes = JournalFormat.header
        for entry in histories.entries(120) {
            let json = try format.lines([entry]).dropFirst(9).dropLast()
            bytes += JournalSamples.line(histories.spelled(String(decoding: json, as: UTF8.self)))
        }
        try folder.write(bytes)
        _ = try await compact(folder)
        var rest = bytes.split(separator: JournalFormat.newline)[...]
        for line in try folder.bytes().split(separator: JournalFormat.newline) {
            let index = try #require(rest.firstIndex(of: line))
            rest = rest[(index + 1)...]
        }
    }

    @Test func `N-027 a journal in use, or a damaged one, is left as it is`() async throws {
        let folder = try TestFolder()
        try await folder.fill(Self.entries)
        let journal = try await folder.open()
        await #expect(throws: JournalError.self) { try await compact(folder) }
        await journal.close()
        var bytes = try folder.bytes()
        bytes[200] ^= 1
        try folder.write(bytes)
        await #expect(throws: JournalError.self) { try await compact(folder) }
        #expect(try folder.bytes() == bytes)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["till.journal"], "\(left)")
    }

    @Test func `N-026 the leftover of a crash in the middle does no harm`() async throws {
        let folder = try TestFolder()
        try await folder.fill(Self.entries)
        try Data("half of a jour".utf8).write(to: URL(filePath: folder.journal + ".compact"))
        _ = try await compact(folder)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["till.journal"], "\(left)")
        #expect(try await folder.attempts().count == 4)
    }

    @Test func `attempts are found by order, amount, time, card and standing`() async throws {
        let more = [JournalSamples.began("e", order: "o10")]
        let till = TestTill(journal: MemoryAttemptJournal(entries: Self.entries + more))
        func found(_ change: (inout AttemptQuery) -> Void) async -> [String] {
            var query = AttemptQuery()
            change(&query)
            return await till.pointOfSale.attempts(matching: query).map(\.id.description)
        }
        #expect(await found { $0.order = "o" }.count == 5)
        #expect(await found { $0.order = "o2" } == ["b"])
        #expect(await found { $0.order = "o1" } == ["a", "e"])
        #expect(await found { $0.lastFour = "4242" } == ["a"])
        #expect(await found { $0.lastFour = "0000" }.isEmpty)
        #expect(await found { $0.amount = JournalSamples.total }.count == 5)
        #expect(await found { $0.amount = JournalSamples.money(1) }.isEmpty)
        #expect(await found { $0.isOpen = true } == ["b", "e"])
        let start = JournalSamples.start
        #expect(await found { $0.began = start...start }.count == 5)
        #expect(await found { $0.began = (start + 1)...(start + 2) }.isEmpty)
    }

    @Test func `N-014 what support gets holds no card, no name and no address`() async throws {
        let till = TestTill(journal: MemoryAttemptJournal(entries: Self.entries))
        let text = await till.pointOfSale.export()
        let lines = text.split(separator: "\n")
        #expect(lines.count == Self.entries.count)
        for secret in ["4242", "example.com", "Corner", "VISA", "Kim", "till roll"] {
            #expect(!text.contains(secret), "\(secret)")
        }
        #expect(text.contains("a person decided: not paid"))
        #expect(text.contains("TRb") && text.contains("\"money\":\"unknown\""))
        for line in lines {
            #expect((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil)
        }
    }
}
