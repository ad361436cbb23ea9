import Foundation
import PaymentCore
import Testing

/// A folder of its own that goes away with the test.
final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var journal: String { path + "/till.journal" }

    func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: journal)))
    }

    func write(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: journal))
    }

    func open() throws -> FileAttemptJournal {
        try FileAttemptJournal(path: journal, environment: .live)
    }
}

enum Entries {
    static let account = Account(provider: "p", merchant: "m", environment: .sandbox)

    static func began(_ id: String, order: Order, at seconds: Double = 0) throws -> JournalEntry {
        JournalEntry(
            at: Date(timeIntervalSince1970: 1_767_603_600 + seconds),
            attempt: AttemptID(id),
            fact: .began(
                JournalEntry.Began(
                    account: account,
                    order: order,
                    kind: .sale,
                    amount: try Money(minorUnits: 1_250, currency: .eur)
                )
            )
        )
    }

    static func ended(_ id: String, _ ending: Ending) -> JournalEntry {
        JournalEntry(
            at: Date(timeIntervalSince1970: 1_767_603_601.25),
            attempt: AttemptID(id),
            fact: .ended(ending, by: .vendor)
        )
    }
}

@Suite struct FileJournalTests {
    @Test func `N-020 a journal is lines that a person can read`() async throws {
        let folder = try Folder()
        let journal = try folder.open()
        _ = try await journal.begin(Entries.began("bcdf", order: "o1"))
        try await journal.append([Entries.ended("bcdf", .cancelled)])
        let lines = String(decoding: try folder.bytes(), as: UTF8.self).split(separator: "\n")
        #expect(
            lines.map { $0.dropFirst(9) } == [
                "payment-journal 1",
                """
                {"at":"2026-01-05T09:00:00.000Z","attempt":"bcdf","began":{"account":\
                {"environment":"sandbox","merchant":"m","provider":"p"},"amount":\
                {"currency":"EUR","minorUnits":1250},"kind":"sale","order":"o1"}}
                """,
                """
                {"at":"2026-01-05T09:00:01.250Z","attempt":"bcdf","by":"vendor","ended":\
                {"outcome":"cancelled"}}
                """,
            ]
        )
        #expect(journal.statistics.records == 2)
        #expect(journal.statistics.syncs == 2)
    }

    @Test func `N-024 what was written is there after a restart`() async throws {
        let folder = try Folder()
        try await { () async throws in
            let journal = try folder.open()
            _ = try await journal.begin(Entries.began("bcdf", order: "o1"))
            _ = try await journal.begin(Entries.began("ghjk", order: "o2"))
            try await journal.append([Entries.ended("bcdf", .failed(PaymentError(.cardNotRead)))])
            journal.close()
        }()
        let journal = try folder.open()
        #expect(journal.read { $0.open.map(\.id.description) } == ["ghjk"])
        #expect(
            journal.read { $0[AttemptID("bcdf")]?.ending }
                == .failed(PaymentError(.cardNotRead))
        )
    }

    // FC-125, FC-126
    @Test func `N-026 a journal that is torn anywhere in its last record opens`() async throws {
        let folder = try Folder()
        try await { () async throws in
            let journal = try folder.open()
            _ = try await journal.begin(Entries.began("bcdf", order: "o1"))
            _ = try await journal.begin(Entries.began("ghjk", order: "café-東京"))
            journal.close()
        }()
        let whole = try folder.bytes()
        let lastLine = try #require(whole.dropLast().lastIndex(of: 0x0A)) + 1
        for cut in lastLine..<whole.count {
            for tail in [[], [UInt8](repeating: 0, count: 700)] {
                try folder.write(Array(whole[..<cut]) + tail)
                do {
                    let journal = try folder.open()
                    #expect(journal.read { $0.open.map(\.id.description) } == ["bcdf"])
                    _ = try await journal.begin(Entries.began("mnpq", order: "o3"))
                    journal.close()
                }
                let again = try folder.open()
                #expect(again.read { $0.open.count } == 2)
                again.close()
            }
        }
    }

    // FC-127
    @Test func `N-026 a changed byte before the end is named with its place, nothing is changed`()
        async throws
    {
        let folder = try Folder()
        try await { () async throws in
            let journal = try folder.open()
            for (index, id) in ["bcdf", "ghjk", "mnpq"].enumerated() {
                _ = try await journal.begin(Entries.began(id, order: try Order(id: "o\(index)")))
            }
            journal.close()
        }()
        let whole = try folder.bytes()
        let ends = whole.indices.filter { whole[$0] == 0x0A }
        for place in (ends[0] + 1)...ends[1] {
            var damaged = whole
            damaged[place] ^= 0x01
            try folder.write(damaged)
            let error = #expect(throws: JournalError.self) { try folder.open() }
            #expect(error?.description.contains("till.journal:2:") == true)
            #expect(try folder.bytes() == damaged)
        }
    }

    @Test(arguments: [
        ("hello\n", "not a payment journal"), ("{}", "not a payment journal"),
        ("c0ffee00 payment-journal 1\n", "not a payment journal"),
    ])
    func `N-026 another program's file is left alone`(text: String, problem: String) throws {
        let folder = try Folder()
        try folder.write(Array(text.utf8))
        let error = #expect(throws: JournalError.self) { try folder.open() }
        #expect(error?.description.contains(problem) == true)
        #expect(try folder.bytes() == Array(text.utf8))
    }

    @Test func `N-026 an empty file is a new journal, a folder or a missing one is an error`()
        throws
    {
        let folder = try Folder()
        try folder.write([])
        _ = try folder.open()
        let inPlace = #expect(throws: JournalError.self) {
            try FileAttemptJournal(path: folder.path, environment: .live)
        }
        #expect(inPlace?.description.contains("folder is in its place") == true)
        let missing = #expect(throws: JournalError.self) {
            try FileAttemptJournal(path: folder.path + "/no/till", environment: .live)
        }
        #expect(missing?.description.contains("folder does not exist") == true)
    }

    // FC-128
    @Test func `N-027 a second one is refused, and names the holder`() throws {
        let folder = try Folder()
        try {
            let holder = try folder.open()
            let error = #expect(throws: JournalError.self) { try folder.open() }
            #expect(error?.description.contains("process \(getpid())") == true)
            withExtendedLifetime(holder) {}
        }()
        _ = try folder.open()
    }

    @Test func `N-026 a file that somebody else changes is not written any more`() async throws {
        let folder = try Folder()
        let journal = try folder.open()
        _ = try await journal.begin(Entries.began("bcdf", order: "o1"))
        let before = try folder.bytes()
        try folder.write(before + Array("x".utf8))
        let refusal = await #expect(throws: PaymentRefusal.self) {
            try await journal.begin(Entries.began("ghjk", order: "o2"))
        }
        #expect(refusal?.code == "cannotRecord")
        #expect(journal.read { $0.attempts(forOrderID: "o2").isEmpty })
    }

    @Test func `N-021 of two beginnings for one order one passes`() async throws {
        let folder = try Folder()
        let journal = try folder.open()
        for round in 0..<50 {
            let order = try Order(id: "o\(round)")
            let passed = await withTaskGroup(of: Bool.self) { group in
                for payer in ["a", "b"] {
                    group.addTask {
                        (try? await journal.begin(
                            Entries.began("\(payer)\(round)", order: order)
                        )) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(passed == 1)
        }
    }

    // FC-129
    @Test func `N-020 records of many tasks stay whole and share their syncs`() async throws {
        let folder = try Folder()
        let counts = try await { () async throws in
            let journal = try folder.open()
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<64 {
                    group.addTask {
                        for index in 0..<5 {
                            let id = "t\(task)x\(index)"
                            guard let order = try? Order(id: id),
                                let entry = try? Entries.began(id, order: order),
                                (try? await journal.begin(entry)) != nil
                            else { continue }
                            try? await journal.append([Entries.ended(id, .cancelled)])
                        }
                    }
                }
            }
            journal.close()
            return journal.statistics
        }()
        #expect(counts.records == 640)
        #expect(counts.syncs < 640)
        let journal = try folder.open()
        #expect(journal.read { $0.all.count } == 320)
        #expect(journal.read { $0.open.isEmpty })
    }

    @Test func `N-014 the check is the published one`() throws {
        let folder = try Folder()
        _ = try folder.open()
        let header = String(decoding: try folder.bytes(), as: UTF8.self)
        #expect(header == "\(Self.crc("payment-journal 1")) payment-journal 1\n")
        #expect(Self.crc("123456789") == "cbf43926")
    }

    /// The check, computed bit by bit.
    private static func crc(_ text: String) -> String {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in text.utf8 {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return String(format: "%08x", ~crc)
    }
}
