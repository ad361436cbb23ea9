import Foundation
import Simulation

@testable import PaymentCore

/// What attempts may live through, at random: mostly as in life, and sometimes as nobody expects.
struct RandomHistories {
    private var generator: SeededGenerator
    /// Of so many things one is as nobody expects.
    private let rarity: Int
    private var begun: [(id: String, order: Order)] = []
    private var used: [AcquirerReference] = []
    private var running: [[JournalEntry]] = []
    private var moment = 0
    /// What the till at hand writes into its records, and what it does not.
    private var style: UInt64 = 0
    private var count = 0

    init(seed: UInt64, rarity: Int) {
        generator = SeededGenerator(seed: seed)
        self.rarity = rarity
    }

    /// Entries of attempts that run at the same time.
    mutating func entries(_ number: Int) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        while entries.count < number {
            if running.isEmpty || running.count < 6 && chance(2) { running.append(history()) }
            let index = Int(generator.next() % UInt64(running.count))
            let next = running[index].removeFirst()
            if running[index].isEmpty { running.remove(at: index) }
            moment += Int(generator.next() % 50_000)
            let at = isRare() ? moment - 40_000 : moment
            entries.append(
                JournalEntry(
                    at: JournalSamples.start.addingTimeInterval(Double(at) / 1_000),
                    attempt: next.attempt,
                    fact: next.fact
                )
            )
        }
        return entries
    }

    private mutating func chance(_ of: Int) -> Bool { generator.next() % UInt64(of) == 0 }
    private mutating func isRare() -> Bool { chance(rarity) }

    /// Whether the till at hand does something.
    private func does(_ what: UInt64) -> Bool { (style * 0x9e37_79b9 >> what) & 1 == 0 }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int(generator.next() % UInt64(values.count))]
    }

    private mutating func history() -> [JournalEntry] {
        count += 1
        style = generator.next() % 3
        let id = chance(30) && !begun.isEmpty ? pick(begun).id : name()
        let parent = !begun.isEmpty && chance(6) ? pick(begun) : nil
        let order = parent?.order ?? order()
        let began = began(id, order, parent?.id)
        begun.append((id, order))
        var facts: [JournalEntry.Fact] = [.began(began)]
        if isRare() { facts = [.lookedUp(lookUp())] }
        var references: [AcquirerReference] = []
        for _ in 0..<pick([0, 0, 0, 1, 2, 3]) { references.append(reference()) }
        facts += references.map { .noted($0) }
        if chance(8) { facts.append(.leftOpen(leftOpen())) }
        while chance(isRare() ? 1 : 3), facts.count < 12 { facts.append(.lookedUp(lookUp())) }
        if began.parent != nil, chance(3) {
            facts.append(end(began, id, references, isPending: true))
        }
        if !chance(12) { facts.append(end(began, id, references)) }
        while isRare() { facts.insert(unexpected(began, id), at: pick(Array(0...facts.count))) }
        return facts.map { JournalEntry(at: .distantPast, attempt: AttemptID(id), fact: $0) }
    }

    private mutating func name() -> String {
        guard isRare() else { return pick(["a\(count)", "bcdfghjkmnpqrstvwxyz-\(count)"]) }
        return pick([
            "é\(count)", "e\u{301}\(count)", "\u{212A}1", "K1", "", "\"\(count)\"",
            "a name that is longer than most of them are \(count)",
        ])
    }

    private mutating func order() -> Order {
        if isRare() { return pick(["café", "cafe\u{301}", "a b", "t/1of2", "t/2of2", "t"]) }
        if chance(8) { return Order(stringLiteral: pick(["t\(count)/1of2", "t/2of12"])) }
        return Order(stringLiteral: chance(4) ? "o\(generator.next() % 8)" : "order-\(count)")
    }

    private mutating func reference() -> AcquirerReference {
        // What otherwise is plain must be told apart too.
        if chance(16), !used.isEmpty { return pick(used) }
        let reference = newReference()
        used.append(reference)
        return reference
    }

    private mutating func newReference() -> AcquirerReference {
        let kind = pick(["transfer", "transfer", "payment"])
        if isRare() {
            return AcquirerReference(kind: kind, value: pick(["TR1", "TR2", "Ω", "\u{2126}", ""]))
        }
        // Digits would look like those of a card.
        let letters = (0..<8).map { _ in pick(["b", "c", "d", "f", "g", "h"]) }
        return AcquirerReference(kind: kind, value: "TR" + letters.joined())
    }

    private mutating func began(
        _ id: String,
        _ order: Order,
        _ parent: String?
    ) -> JournalEntry.Began {
        var began = JournalEntry.Began(
            account: isRare() ? JournalSamples.full.account : JournalSamples.account,
            order: order,
            kind: parent == nil
                ? pick([.sale, .sale, .sale, .authorization, .refundToCard])
                : pick([.refund, .refund, .capture, .void]),
            amount: isRare() ? JournalSamples.money(0) : JournalSamples.total,
            tip: does(3) ? JournalSamples.money(Int64(generator.next() % 300)) : nil,
            merchantName: isRare()
                ? JournalSamples.full.merchantName : does(12) ? nil : "Café Söhne",
            device: does(4) ? "D\(generator.next() % 3)" : nil,
            followUp: parent.map { _ in FollowUpID("f\(generator.next() % 3)") },
            parent: parent.map { AttemptID($0) },
            ceiling: parent.map { _ in JournalSamples.total },
            parentReferences: parent == nil || does(6) ? nil : [reference()],
            software: does(5) ? ["app": "1.\(generator.next() % 3)"] : nil
        )
        if isRare() { began.choice = "the first was not ready" }
        if isRare() { began.series = SeriesPlace(id: "market", number: 1) }
        return began
    }

    private mutating func lookUp() -> JournalEntry.LookUp {
        .init(
            found: pick([0, 1, 12]),
            candidates: pick([0, 1]),
            complete: chance(2),
            acquirerTime: does(10) ? nil : JournalSamples.start,
            conclusion: pick(["absent so far", "is transfer TRa", isRare() ? "\"é\"" : "café"]),
            provesAbsence: isRare(),
            deviceTime: does(10) ? nil : JournalSamples.start.addingTimeInterval(0.125)
        )
    }

    private mutating func leftOpen() -> JournalEntry.LeftOpen {
        .init(
            error: isRare() ? nil : pick(errors),
            phases: pick([[], ["presentCard"], ["presentCard", "submitting"]]),
            vendorRunning: chance(3),
            isSentAgain: isRare()
        )
    }

    private var errors: [PaymentError] {
        [
            PaymentError(.outcomeUnknown), PaymentError(.tapTimedOut, detail: "no card"),
            PaymentError(.networkUnavailable, vendorCode: "E7", supportIdentifiers: ["ref": "l-1"]),
        ]
    }

    private mutating func end(
        _ began: JournalEntry.Began,
        _ id: String,
        _ noted: [AcquirerReference],
        isPending: Bool = false
    ) -> JournalEntry.Fact {
        var references = chance(3) ? [] : noted
        if noted.isEmpty, !chance(4) { references.append(reference()) }
        if isRare() { references.append(reference()) }
        if isRare(), let first = references.first { references.append(first) }
        let amounts: [ApprovedAmount] = [
            .confirmed(JournalSamples.total), .reported(JournalSamples.money(7)), .unknown,
        ]
        let receipt = Receipt(
            of: AttemptID(id),
            began: began,
            approval: Approval(
                references: references,
                amount: isRare() ? pick(amounts) : amounts[0],
                card: does(7) ? nil : pick(cards),
                approvalCode: does(8) ? nil : "A\(generator.next() % 100)",
                time: JournalSamples.start.addingTimeInterval(Double(generator.next() % 100_000)),
                url: does(11) ? nil : URL(string: pick(addresses)),
                supportIdentifiers: does(9) ? ["trace": "t-\(count)"] : [:]
            ),
            now: JournalSamples.start
        )
        if isPending { return .ended(.pending(receipt), by: pick([.vendor, .books])) }
        let ending: Ending =
            isRare() || chance(4)
            ? pick([
                .partlyApproved(receipt, remaining: JournalSamples.money(1)), .cancelled,
                .authorized(Authorization(receipt: receipt, expiresAt: nil)), .pending(receipt),
                .authorized(Authorization(receipt: receipt, expiresAt: JournalSamples.start)),
                .declined(Decline(.insufficientFunds, references: references)),
                .declined(Decline(.pin, code: "55", references: references, card: pick(cards))),
                .failed(pick(errors)), .cancelled, .done(receipt),
            ])
            : began.kind.isAtCounter ? .approved(receipt) : .done(receipt)
        return .ended(ending, by: isRare() ? pick([.books, .engine]) : .vendor)
    }

    private var cards: [CardSummary] {
        [
            CardSummary(brand: "VISA", lastFour: "4242"), CardSummary(brand: "MC", lastFour: nil),
            CardSummary(brand: nil, lastFour: "4242", funding: "CREDIT"),
            CardSummary(brand: nil, lastFour: nil),
        ]
    }

    private var addresses: [String] {
        [
            "https://pay.example/r/\(count)", "https://pay.example/\(count)?lang=de",
            "https://other.example", "mailto:shop@example.com",
        ]
    }

    /// What hardly ever happens, or never should.
    private mutating func unexpected(
        _ began: JournalEntry.Began,
        _ id: String
    ) -> JournalEntry.Fact {
        let decisions: [PersonalVerdict.Decision] = [.notMoved, .moved(nil), .moved(reference())]
        guard case .ended(let ending, _) = end(began, id, [reference()]) else {
            return .began(began)
        }
        return pick([
            .began(began), .noted(reference()), .contradicted(ending), .ended(ending, by: .books),
            .settled(.init(pick(decisions), name: "Ada", reason: "asked")), .lookedUp(lookUp()),
        ])
    }

    /// A record's JSON as it is, or as another program might have written the same.
    mutating func spelled(_ json: String) -> String {
        guard isRare() else { return json }
        return switch generator.next() % 4 {
        case 0: json.replacing("\":", with: "\": ")
        case 1: String(json.dropLast()) + #","zzz":{"a":[1,null]}}"#
        case 2: json.replacing("\"a", with: #""\u0061"#)
        default: json.replacing("T09:", with: "T10:")
        }
    }
}
