import Foundation
import Simulation
import Testing

@testable import PaymentCore

/// A journal that keeps few attempts in memory says the same as one that keeps all.
@Suite struct JournalArchiveTests {
    /// What could become known, in any order, about few orders and few records.
    private struct Anything {
        var generator: SeededGenerator
        var attempts: [(id: String, order: Order, kind: AttemptKind)] = []
        var steps = 0

        static func order(_ number: Int) -> Order { Order(stringLiteral: "o\(number)") }

        mutating func pick<Value>(_ values: [Value]) -> Value {
            values[Int(generator.next() % UInt64(values.count))]
        }

        mutating func reference() -> AcquirerReference {
            AcquirerReference(kind: "transfer", value: "TR\(generator.next() % 14)")
        }

        mutating func began() -> JournalEntry {
            let parent = attempts.isEmpty || generator.next() % 3 > 0 ? nil : pick(attempts)
            let id = "a\(attempts.count)"
            let order = parent?.order ?? Self.order(Int(generator.next() % 8))
            let kind: AttemptKind = parent == nil ? pick([.sale, .authorization]) : .refund
            attempts.append((id, order, kind))
            return at(
                id,
                JournalSamples.began(
                    id,
                    order: order,
                    kind: kind,
                    followUp: parent.map { FollowUpID("f\($0.id)") },
                    parent: parent.map { AttemptID($0.id) }
                ).fact
            )
        }

        private func at(_ id: String, _ fact: JournalEntry.Fact) -> JournalEntry {
            JournalEntry(
                at: JournalSamples.start.addingTimeInterval(Double(steps)),
                attempt: AttemptID(id),
                fact: fact
            )
        }

        private mutating func ending(of id: String) -> Ending {
            let references = (0...generator.next() % 2).map { _ in reference() }
            let receipt = Receipt(
                of: AttemptID(id),
                began: JournalEntry.Began(
                    account: JournalSamples.account,
                    order: "o",
                    kind: .sale,
                    amount: JournalSamples.total
                ),
                approval: Approval(
                    references: references,
                    amount: .confirmed(JournalSamples.total),
                    time: JournalSamples.start
                ),
                now: JournalSamples.start
            )
            return pick([
                .approved(receipt), .approved(receipt), .approved(receipt), .pending(receipt),
                .done(receipt), .cancelled, .failed(PaymentError(.tapTimedOut)),
                .declined(Decline(.insufficientFunds, references: references)),
            ])
        }

        mutating func next() -> JournalEntry {
            steps += 1
            guard !attempts.isEmpty, generator.next() % 3 > 0 else { return began() }
            // Mostly of late, as in life, and sometimes of long ago.
            let late = Array(attempts.suffix(3))
            let id = generator.next() % 8 == 0 ? pick(attempts).id : pick(late).id
            let unknown = JournalEntry.LeftOpen(error: PaymentError(.outcomeUnknown))
            switch generator.next() % 16 {
            case 0: return at(id, .leftOpen(unknown))
            case 1...3: return at(id, .noted(reference()))
            case 4:
                let decisions: [PersonalVerdict.Decision] = [
                    .notMoved, .moved(nil), .moved(reference()),
                ]
                let decision = pick(decisions)
                return at(id, .settled(.init(decision, name: "Ada", reason: "asked")))
            case 5: return at(id, .contradicted(ending(of: id)))
            default: return at(id, .ended(ending(of: id), by: pick([.vendor, .books])))
            }
        }
    }

    /// Whether two books say the same wherever they are asked.
    private func compare(_ one: AttemptBook, _ other: AttemptBook, _ seed: UInt64) {
        let always = Date.distantPast...Date.distantFuture
        #expect(one.all == other.all, "seed \(seed)")
        #expect(one.open == other.open)
        #expect(one.contradicted == other.contradicted)
        #expect(
            one.claimants(in: always).map(\.id.description).sorted()
                == other.claimants(in: always).map(\.id.description).sorted()
        )
        for number in 0..<14 {
            let reference = AcquirerReference(kind: "transfer", value: "TR\(number)")
            #expect(one.claimant(of: reference) == other.claimant(of: reference), "seed \(seed)")
        }
        for number in 0..<9 {
            let order = Anything.order(number)
            #expect(one.attempts(forOrderID: order.id) == other.attempts(forOrderID: order.id))
            #expect(one.receipt(for: order) == other.receipt(for: order))
            #expect(one.authorization(for: order) == other.authorization(for: order))
            let sale = JournalSamples.began("new", order: order)
            #expect(answer(one, sale) == answer(other, sale), "seed \(seed)")
        }
        for attempt in other.all {
            #expect(one[attempt.id] == attempt)
            #expect(one.attempt(marked: attempt.id.description) == attempt.id)
            #expect(one.followUps(of: attempt.id) == other.followUps(of: attempt.id))
            let refund = JournalSamples.began(
                "new",
                order: attempt.began.order,
                kind: .refund,
                followUp: FollowUpID("f\(attempt.id)"),
                parent: attempt.id
            )
            #expect(answer(one, refund) == answer(other, refund))
        }
        #expect(one[AttemptID("nobody")] == nil)
        #expect(one.problem == nil)
    }

    private func answer(_ book: AttemptBook, _ entry: JournalEntry) -> String {
        do throws(PaymentRefusal) {
            return try book.check(entry).map { "repeats \($0.id)" } ?? "begins"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        arguments: [(0, 1), (1, 2), (2, 3), (5, 4), (0, 5), (3, 6), (8, 7)]
            as [(Int, UInt64)]
    )
    func `N-021 N-028 what was put away is found as if it were in memory`(
        kept: Int,
        seed: UInt64
    ) async throws {
        let folder = try TestFolder()
        var anything = Anything(generator: SeededGenerator(seed: seed))
        var whole = AttemptBook()
        var journal = try await folder.open(keeping: kept)
        for round in 0..<20 {
            let entries = (0..<8).map { _ in anything.next() }
            for entry in entries { whole.apply(entry) }
            try await journal.append(Array(entries.prefix(3)))
            try await journal.append(Array(entries.dropFirst(3)))
            journal.read { [whole] in compare($0, whole, seed) }
            guard round % 10 == 9 else { continue }
            await journal.close()
            journal = try await folder.open(keeping: kept)
            journal.read { [whole] in compare($0, whole, seed) }
        }
        await journal.close()
        #expect(journal.read { $0.all.count } == whole.all.count)
    }

    @Test func `N-021 many attempts are put away, sorted and merged, and each is found`()
        async throws
    {
        let folder = try TestFolder()
        let count = 3_000
        let entries = (0..<count).flatMap { number -> [JournalEntry] in
            let reference = AcquirerReference(kind: "transfer", value: "TR\(number)")
            return [
                JournalSamples.began("a\(number)", order: Anything.order(number)),
                JournalSamples.entry("a\(number)", .noted(reference)),
                JournalSamples.entry("a\(number)", .ended(.cancelled, by: .vendor)),
            ]
        }
        let journal = try await folder.open(keeping: 10)
        for start in stride(from: 0, to: entries.count, by: 1_500) {
            try await journal.append(Array(entries[start..<min(start + 1_500, entries.count)]))
        }
        for book in [journal, nil] {
            let journal = if let book { book } else { try await folder.open(keeping: 10) }
            let found = journal.read { book in
                (0..<count).filter { number in
                    let reference = AcquirerReference(kind: "transfer", value: "TR\(number)")
                    return book.claimant(of: reference) == AttemptID("a\(number)")
                        && book.attempts(forOrderID: "o\(number)").map(\.id)
                            == [AttemptID("a\(number)")]
                }.count
            }
            #expect(found == count)
            await journal.close()
        }
    }

    /// What somebody does to the file under the running program.
    enum Damage: CaseIterable {
        case nothingLeft, endCut, endChanged, beginningChanged
    }

    @Test(arguments: Damage.allCases)
    func `N-020 an order whose attempt cannot be read again takes no payment`(
        damage: Damage
    ) async throws {
        let folder = try TestFolder()
        let journal = try await folder.open(keeping: 0)
        let receipt = JournalSamples.receipt
        try await journal.append([
            JournalSamples.began("a", order: "o1"),
            JournalSamples.entry("a", .ended(.approved(receipt), by: .vendor)),
        ])
        #expect(journal.read { answer($0, JournalSamples.began("b", order: "o1")) } != "begins")
        let lines = try folder.lines()
        let end = lines[0].count + lines[1].count + 2
        let handle = try FileHandle(forUpdating: URL(filePath: folder.journal))
        switch damage {
        case .nothingLeft: try handle.truncate(atOffset: UInt64(JournalFormat.header.count))
        case .endCut: try handle.truncate(atOffset: UInt64(end))
        case .endChanged, .beginningChanged:
            try handle.seek(toOffset: UInt64(damage == .endChanged ? end : lines[0].count + 1) + 40)
            try handle.write(contentsOf: Data("#".utf8))
        }
        try handle.close()
        let told = journal.read { answer($0, JournalSamples.began("b", order: "o1")) }
        #expect(told.contains("cannot be read again"))
        #expect(journal.read { answer($0, JournalSamples.began("c", order: "o2")) } != "begins")
        await journal.close()
    }
}
