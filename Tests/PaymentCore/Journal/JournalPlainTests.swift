import Foundation
import Testing

@testable import PaymentCore

/// A journal that is read without making values of plain records says the same as one of which each
/// entry was applied.
@Suite struct JournalPlainTests {
    private let format = JournalFormat()

    private func json(_ entry: JournalEntry) throws -> String {
        String(decoding: try format.lines([entry]).dropFirst(9).dropLast(), as: UTF8.self)
    }

    private func entry(_ json: String) throws -> JournalEntry {
        try Array(json.utf8).withUnsafeBytes { try format.entry($0) }
    }

    /// Opens a journal in two ways, and compares both with a book that needs no file.
    private func compare(
        _ folder: TestFolder,
        _ entries: [JournalEntry],
        kept: Int
    ) throws -> (difference: String?, values: Int) {
        var whole = AttemptBook()
        for entry in entries { whole.apply(entry) }
        let questions = BookQuestions(about: entries)
        var values = 0
        for entryByEntry in [true, false] {
            let file = try JournalFile(path: folder.journal, disk: .system)
            defer { file.close() }
            let recovery = try JournalRecovery(
                file,
                format,
                keeping: kept,
                entryByEntry: entryByEntry
            )
            values = recovery.values
            if let difference = questions.difference(recovery.book, whole) {
                return ("\(difference), \(entryByEntry ? "entry by entry" : "plainly")", values)
            }
        }
        return (nil, values)
    }

    @Test(arguments: 0..<48)
    func `N-021 N-024 N-028 any journal is read as if each entry were applied`(
        seed: Int
    ) throws {
        let folder = try TestFolder()
        // From journals in which half is strange to such as tills write.
        var histories = RandomHistories(seed: UInt64(seed), rarity: [3, 8, 30, 200][seed % 4])
        var texts: [String] = []
        for entry in histories.entries(seed % 4 == 3 ? 240 : 80) {
            texts.append(histories.spelled(try json(entry)))
        }
        let entries = try texts.map { try entry($0) }
        // The last line may lack its end.
        let bytes = JournalFormat.header + texts.flatMap { JournalSamples.line($0) }
        try folder.write(seed % 3 == 0 ? Array(bytes.dropLast()) : bytes)
        let result = try compare(folder, entries, kept: [0, 1, 8, 1_024][seed / 4 % 4])
        #expect(result.difference == nil, "seed \(seed)")
        // Whatever is left out at first and then is not is read twice, and so is each form.
        if seed % 4 == 3 { #expect(result.values < entries.count * 4 / 3, "seed \(seed)") }
    }

    /// Payments that have nothing to do with each other.
    private func payments(_ count: Int) -> [JournalEntry] {
        (0..<count).flatMap { number in
            let began = JournalEntry.Began(
                account: JournalSamples.account,
                order: Order(stringLiteral: "o\(number)"),
                kind: .sale,
                amount: JournalSamples.total
            )
            let receipt = Receipt(
                of: AttemptID("a\(number)"),
                began: began,
                approval: Approval(
                    references: [AcquirerReference(kind: "transfer", value: "TR\(number)")],
                    amount: .confirmed(JournalSamples.total)
                ),
                now: JournalSamples.start
            )
            return [
                JournalSamples.entry("a\(number)", .began(began)),
                JournalSamples.entry("a\(number)", .ended(.approved(receipt), by: .vendor)),
            ]
        }
    }

    @Test func `N-024 plain payments become no values`() async throws {
        let folder = try TestFolder()
        let entries = payments(1_500)
        try await folder.fill(entries)
        let file = try JournalFile(path: folder.journal, disk: .system)
        defer { file.close() }
        let recovery = try JournalRecovery(file, format, keeping: 8)
        #expect(recovery.values < 30)
        #expect(recovery.book.claimant(of: .init(kind: "transfer", value: "TR7")) == "a7")
        #expect(recovery.book.all.count == 1_500)
    }

    @Test func `N-024 the journal of a shop that has everything becomes few values`() async throws {
        let folder = try TestFolder()
        let entries = (1...100).flatMap { ShopHour($0).entries }
        try await folder.fill(entries)
        let file = try JournalFile(path: folder.journal, disk: .system)
        let recovery = try JournalRecovery(file, format, keeping: 8)
        file.close()
        #expect(recovery.values < 80)
        #expect(recovery.book.all.count == 600)
        #expect(try compare(folder, entries, kept: 8).difference == nil)
    }

    /// What may come at the end of a journal of plain payments.
    private static let late: [JournalEntry] = [
        JournalSamples.began("a3", order: "o5"),
        JournalSamples.began("b", order: "o3"),
        JournalSamples.entry("a3", .noted(AcquirerReference(kind: "transfer", value: "TR5"))),
        JournalSamples.entry("a3", .noted(AcquirerReference(kind: "transfer", value: "TRx"))),
        JournalSamples.entry("a3", .ended(.cancelled, by: .books)),
        JournalSamples.entry("a3", .contradicted(.cancelled)),
        JournalSamples.entry("a3", .settled(.init(.notMoved, name: "Ada", reason: "asked"))),
        JournalSamples.entry("nobody", .ended(.cancelled, by: .vendor)),
    ]

    @Test(arguments: late.indices, [0, 1_024])
    func `N-028 whatever comes late finds the payment that it is about`(
        index: Int,
        kept: Int
    ) async throws {
        let folder = try TestFolder()
        let entries =
            payments(8) + [Self.late[index]] + [
                JournalSamples.began("c", order: "o7"),
                JournalSamples.entry(
                    "c",
                    .noted(AcquirerReference(kind: "transfer", value: "TR6"))
                ),
                JournalSamples.entry("c", .ended(.approved(JournalSamples.receipt), by: .vendor)),
            ]
        try await folder.fill(entries)
        #expect(try compare(folder, entries, kept: kept).difference == nil)
    }

    @Test func `N-026 a record that looks plain and is none is refused in its place`() async throws
    {
        let folder = try TestFolder()
        try await folder.fill(payments(4))
        let whole = try folder.bytes()
        for (text, other) in [
            (#""minorUnits":1250"#, #""minorUnits":0125"#), ("2026-01-05", "2026-13-05"),
            (#""order":"o3""#, #""order":"""#), (#""currency":"USD""#, #""currency":"USX""#),
            (#""kind":"sale""#, #""kind":"sail""#), ("}", ""), (#""order":"o3""#, #""order":" 3""#),
            (#""order":"o3""#, #""order":"o3/2of1""#), (#""order":"o3""#, #""order":"o3/02of3""#),
            (#""order":"o3""#, #""order":"o3/1of2of3""#), (#""order":"o3""#, #""order":"/1of2""#),
            (#""attempt":"a3""#, "\"attempt\":\"a\u{7}\""), (#""value":"TR3""#, #""value":3"#),
        ] {
            var lines = String(decoding: whole, as: UTF8.self).split(separator: "\n")
            #expect(lines[7...].contains { $0.contains(text) }, "\(text)")
            for index in 7..<lines.count {
                let json = lines[index].dropFirst(9)
                guard let place = json.range(of: text, options: .backwards) else { continue }
                let changed = json.replacingCharacters(in: place, with: other)
                lines[index] = Substring(
                    String(decoding: JournalSamples.line(changed).dropLast(), as: UTF8.self)
                )
                try folder.write(Array((lines.joined(separator: "\n") + "\n").utf8))
                #expect(
                    await folder.refusal()?.hasPrefix("\(folder.journal):\(index + 1): ") == true,
                    "\(changed)"
                )
                break
            }
        }
    }

    @Test func `N-026 a plain record of which a byte is another is read as the decoder reads it`()
        throws
    {
        for entry in payments(1) + ShopHour(1).entries + [Self.late[2]] {
            let whole = Array(try json(entry).utf8)
            var reader = PlainReader()
            var memory = JournalScanner.Memory()
            let isRead = whole.withUnsafeBytes { bytes in
                guard let (entry, marks) = JournalScanner.markedEntry(bytes, &memory),
                    let shape = RecordShape(of: bytes, entry, marks)
                else { return false }
                return reader.learn(shape, from: bytes, at: 0..<1)
            }
            #expect(isRead)
            for index in whole.indices {
                let isCutRead = Array(whole[..<index]).withUnsafeBytes {
                    reader.read($0, at: 0..<1)
                }
                #expect(!isCutRead)
                for byte: UInt8 in [0, 0x20, 0x22, 0x2C, 0x2F, 0x30, 0x35, 0x5C, 0x61, 0x7D, 0xFF] {
                    var changed = whole
                    changed[index] = byte
                    guard changed.withUnsafeBytes({ reader.read($0, at: 0..<1) }) else { continue }
                    let text = String(decoding: changed, as: UTF8.self)
                    let decoded = try self.entry(text)
                    #expect(says(reader.record, decoded), "\(text)")
                }
            }
        }
    }

    /// Whether a plain record says what an entry does.
    private func says(_ record: PlainRecord, _ entry: JournalEntry) -> Bool {
        let references: [AcquirerReference]
        let fact: RecordShape.Fact
        switch entry.fact {
        case .began(let began):
            fact = .began(isAtCounter: began.kind.isAtCounter)
            references = []
            guard began.isAmountKnown,
                record.order == NameHash.order(NameHash.text(began.order.id))
            else { return false }
        case .noted(let reference): (fact, references) = (.noted, [reference])
        case .lookedUp: (fact, references) = (.lookedUp, [])
        case .leftOpen: (fact, references) = (.leftOpen, [])
        case .ended(let ending, let evidence):
            fact =
                ending.isPending
                ? .pending(byVendor: evidence == .vendor)
                : .ended(hasMoved: ending.receipt != nil, byVendor: evidence == .vendor)
            references = ending.references
        case .settled, .contradicted: return false
        }
        return record.fact == fact
            && record.references.indices.map { record.references[$0] }
                == references.map { NameHash.of($0) }
            && ShortName(entry.attempt) == record.attempt
            && Date(timeIntervalSince1970: Double(record.at) / 1_000) == entry.at
    }
}
