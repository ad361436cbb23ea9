import Foundation
import Synchronization
import Testing

@testable import PaymentCore

/// Names lie in a file where that is possible, and are never lost without a word.
@Suite struct NameStoreTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func store(_ disk: JournalDisk = .system) throws -> NameStore {
        NameStore(folder: try JournalSystem.openFolder(folder.path), journal: "j", disk: disk)
    }

    /// Slots of names in no order, some of which share a tag.
    private func slots(_ numbers: Range<UInt64>) -> [UInt64] {
        numbers.map { number in
            let name: UInt64 = (number / 3) &* 0x9e37_79b9_7f4a_7c15
            return NameSlot.slot(name, number << 3)
        }
    }

    private func sorted(_ numbers: Range<UInt64>) -> NameRun {
        var slots = slots(numbers)
        NameSlot.sort(&slots)
        return .inMemory(slots)
    }

    private func isInFile(_ run: NameRun) -> Bool {
        if case .inFile = run { true } else { false }
    }

    /// How many of some slots are found by their tag.
    private func found(_ numbers: Range<UInt64>, in run: NameRun) throws -> Int {
        var count = 0
        for slot in slots(numbers) {
            if try run.slots(tagged: NameSlot.tag(of: slot)).contains(slot) { count += 1 }
        }
        return count
    }

    @Test(arguments: [0, 1, 2_048, 2_049, 70_000] as [UInt64])
    func `N-021 slots are sorted by their tags and none is lost`(count: UInt64) {
        var sorted = slots(0..<count)
        NameSlot.sort(&sorted)
        let tags = sorted.map { NameSlot.tag(of: $0) }
        #expect(tags == tags.sorted())
        #expect(Set(sorted) == Set(slots(0..<count)) && sorted.count == count)
    }

    @Test func `N-021 many names lie in a file that has no name, and each is found`() throws {
        let store = try store()
        let first = try store.merged([sorted(0..<40_000)])
        let second = try store.merged([first, sorted(40_000..<47_000), sorted(47_000..<47_001)])
        #expect(isInFile(first) && isInFile(second))
        #expect(second.count == 47_001)
        #expect(try found(0..<47_001, in: second) == 47_001)
        #expect(try second.slots(tagged: NameSlot.tag(ofName: 1 << 63 | 12_345)).isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `N-021 few names stay in memory`() throws {
        let run = try store().merged([sorted(0..<100), sorted(100..<300)])
        #expect(!isInFile(run))
        #expect(try found(0..<300, in: run) == 300)
    }

    @Test(arguments: [true, false])
    func `N-021 names stay in memory where no file can be made or written`(
        canBeMade: Bool
    ) throws {
        var disk = JournalDisk.system
        if canBeMade {
            disk.write = { _, bytes, offset throws(SystemError) in
                if offset > 100_000 { throw .noSpace }
                return bytes.count
            }
        } else {
            disk.createUnnamed = { _, _ throws(SystemError) in throw .noSpace }
        }
        let run = try store(disk).merged([sorted(0..<40_000), sorted(40_000..<50_000)])
        #expect(!isInFile(run))
        #expect(try found(0..<50_000, in: run) == 50_000)
    }

    /// What may go wrong with a page when it is read.
    enum Trouble: CaseIterable {
        case failure, end, otherByte, otherPage
    }

    @Test(arguments: Trouble.allCases)
    func `N-020 a name that cannot be read is an error and not absent`(trouble: Trouble) throws {
        let troubles = Mutex(false)
        var disk = JournalDisk.system
        disk.read = { [disk] file, bytes, offset throws(SystemError) in
            let isTroubled = troubles.withLock(\.self)
            guard isTroubled else { return try disk.read(file, bytes, offset) }
            switch trouble {
            case .failure: throw .inputOutput
            case .end: return 0
            case .otherByte:
                let count = try disk.read(file, bytes, offset)
                bytes[500] ^= 1
                return count
            case .otherPage: return try disk.read(file, bytes, offset + 1_024)
            }
        }
        let run = try store(disk).merged([sorted(0..<40_000)])
        #expect(try found(0..<100, in: run) == 100)
        troubles.withLock { $0 = true }
        #expect(throws: SystemError.self) { try found(0..<1, in: run) }
        #expect(throws: SystemError.self) { try store().merged([run, sorted(40_000..<40_100)]) }
    }

    @Test func `N-020 a journal whose names cannot be read takes no payment`() async throws {
        let troubles = Mutex(false)
        var disk = JournalDisk.system
        disk.read = { [disk] file, bytes, offset throws(SystemError) in
            if troubles.withLock(\.self) { throw .inputOutput }
            return try disk.read(file, bytes, offset)
        }
        try await folder.fill(
            (0..<17_000).flatMap { number in
                [
                    JournalSamples.began("a\(number)", order: Order(stringLiteral: "o\(number)")),
                    JournalSamples.entry("a\(number)", .ended(.cancelled, by: .engine)),
                ]
            }
        )
        let journal = try await folder.open(disk: disk, keeping: 8)
        #expect(journal.read { $0.attempts(forOrderID: "o5").count } == 1)
        troubles.withLock { $0 = true }
        let refusal = await #expect(throws: PaymentRefusal.self) {
            try await journal.begin(JournalSamples.began("b", order: "new"))
        }
        #expect(refusal.map { "\($0)".contains("names cannot be read again") } == true)
        await journal.close()
    }

    @Test(arguments: [("K", "\u{212A}"), ("é", "e\u{301}"), ("a;`", "a\u{37E}\u{1FEF}")])
    func `N-021 names that are equal have the same number`(one: String, other: String) {
        #expect(one == other)
        #expect(NameHash.text(one) == NameHash.text(other))
        #expect(NameHash.text(one) != NameHash.text(one + " "))
    }

    @Test func `N-021 a name has the same number as text and as bytes`() {
        for count in 0..<40 {
            let text = String("abcdefghijklmnopqrstuvwxyz0123456789-ABCDEF".prefix(count))
            #expect(Array(text.utf8).withUnsafeBytes(NameHash.text) == NameHash.text(text))
        }
    }

    @Test func `N-021 a filter never forgets a name`() {
        var filter = NameFilter(forBytes: 100_000)
        let names = (0..<2_000).map { NameHash.of(AttemptID("a\($0)")) }
        for name in names { filter.insert(name) }
        #expect(names.allSatisfy(filter.contains))
        let strangers = (0..<2_000).map { NameHash.of(AttemptID("b\($0)")) }
        #expect(strangers.filter(filter.contains).count < 400)
    }
}
