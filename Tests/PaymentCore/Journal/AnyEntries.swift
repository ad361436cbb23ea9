import Foundation
import Simulation

@testable import PaymentCore

/// Entries of every kind with anything in them; equal seeds give equal entries.
struct AnyEntries {
    private var generator: SeededGenerator
    /// Whether an entry may hold what only the encoder knows how to write.
    private let isWild: Bool

    /// Entries of the kinds that a journal has most of, with texts that need no escapes.
    static func usual(_ count: Int) -> [JournalEntry] {
        var entries = AnyEntries(seed: 1, isWild: false)
        return (0..<count).map { _ in entries.next() }
    }

    static func wild(_ count: Int) -> [JournalEntry] {
        var entries = AnyEntries(seed: 2, isWild: true)
        return (0..<count).map { _ in entries.next() }
    }

    private init(seed: UInt64, isWild: Bool) {
        generator = SeededGenerator(seed: seed)
        self.isWild = isWild
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int(generator.next() % UInt64(values.count))]
    }

    private mutating func maybe<Value>(_ value: (inout Self) -> Value) -> Value? {
        generator.next() % 2 == 0 ? value(&self) : nil
    }

    /// Whether the next part is one that only the encoder knows; rarely, so that some entries have none.
    private mutating func isRare() -> Bool { isWild && generator.next() % 64 == 0 }

    private mutating func text() -> String {
        if isRare() { return pick(["\"", "\\", "a\nb", "\u{0}", "\u{1F}", "\t\u{8}\u{C}\r"]) }
        return pick([
            "", "a", "TRb7Qw", "a/b", "café", "東京", "👩‍🚀", "e\u{301}", "\u{2028}\u{7F}\u{80}",
        ])
    }

    private mutating func time() -> Date {
        let seconds =
            isRare()
            ? pick([-0.001, -62_135_596_800, 7_258_118_399, 253_402_300_798.5])
            : pick([0, 951_782_400, 1_767_603_600.25, 1_767_603_600.9996, 7_258_118_398.999_4])
        return Date(timeIntervalSince1970: seconds)
    }

    private mutating func money() -> Money {
        let currency = pick(["USD", "JPY", "KWD"]).currency
        let minorUnits = pick([0, 7, 1_250, Int64.max, Int64(generator.next() % 1_000_000)])
        return Money(checked: minorUnits, currency: currency)
    }

    private mutating func account() -> Account {
        Account(
            provider: text(),
            merchant: text(),
            environment: pick(Account.Environment.allCases),
            location: maybe { $0.text() }
        )
    }

    private mutating func reference() -> AcquirerReference {
        AcquirerReference(kind: text(), value: text())
    }

    private mutating func references() -> [AcquirerReference] {
        (0..<generator.next() % 3).map { _ in reference() }
    }

    private mutating func named() -> [String: String] {
        let names = ["app", "adapter", "sdk"] + (isRare() ? ["B", "a10", "a9", "é", "a-b"] : [])
        return Dictionary(
            (0..<generator.next() % 4).map { _ in (pick(names), text()) },
            uniquingKeysWith: { $1 }
        )
    }

    private mutating func began() -> JournalEntry.Began {
        var began = JournalEntry.Began(
            account: account(),
            order: pick(["o1", "t/2of3", "café-東京", "a-b/1of2"]),
            kind: pick(AttemptKind.allCases),
            amount: money(),
            tip: maybe { $0.money() },
            surcharge: maybe { $0.money() },
            merchantName: maybe { $0.text() },
            device: maybe { $0.text() },
            followUp: maybe { FollowUpID($0.text()) },
            parent: maybe { AttemptID($0.text()) },
            ceiling: maybe { $0.money() },
            parentReferences: maybe { $0.references() },
            software: maybe { $0.named() }
        )
        began.choice = maybe { $0.text() }
        if isRare() { began.series = SeriesPlace(id: text(), number: 3) }
        return began
    }

    private mutating func card() -> CardSummary {
        CardSummary(
            brand: isRare() ? nil : text(),
            lastFour: maybe { _ in "4242" },
            funding: maybe { $0.text() }
        )
    }

    private mutating func receipt() -> Receipt {
        let approved = money()
        return Receipt(
            of: AttemptID(text()),
            began: began(),
            approval: Approval(
                references: references(),
                amount: pick([.confirmed(approved), .reported(approved), .unknown]),
                card: maybe { $0.card() },
                method: pick(PaymentMethod.allCases),
                approvalCode: maybe { $0.text() },
                time: time(),
                url: isRare() ? URL(string: "https://example.com/r/1") : nil,
                supportIdentifiers: named()
            ),
            now: time()
        )
    }

    private mutating func ending() -> Ending {
        let receipt = receipt()
        let usual: [Ending] = [
            .approved(receipt), .done(receipt), .pending(receipt), .cancelled,
        ]
        guard isWild else { return pick(usual) }
        let rare: [Ending] = [
            .partlyApproved(receipt, remaining: money()),
            .authorized(Authorization(receipt: receipt, expiresAt: maybe { $0.time() })),
            .declined(Decline(.generic, code: maybe { $0.text() }, references: references())),
            .failed(PaymentError(.timedOut, detail: maybe { $0.text() })),
        ]
        return pick(usual + rare)
    }

    private mutating func fact() -> JournalEntry.Fact {
        let evidence = pick([JournalEntry.Evidence.vendor, .books, .engine])
        let usual: [JournalEntry.Fact] = [
            .began(began()), .noted(reference()), .ended(ending(), by: evidence),
        ]
        guard isWild else { return pick(usual) }
        let rare: [JournalEntry.Fact] = [
            .leftOpen(.init(error: nil, phases: [text()], vendorRunning: true)),
            .settled(.init(.moved(maybe { $0.reference() }), name: text(), reason: text())),
            .contradicted(ending()),
            .lookedUp(
                .init(
                    found: 3,
                    candidates: 1,
                    complete: true,
                    acquirerTime: maybe { $0.time() },
                    conclusion: text(),
                    provesAbsence: false
                )
            ),
        ]
        return pick(usual + usual + rare)
    }

    private mutating func next() -> JournalEntry {
        JournalEntry(at: time(), attempt: AttemptID(text()), fact: fact())
    }
}

extension String {
    fileprivate var currency: Currency {
        guard let currency = Currency(code: self) else { preconditionFailure("no currency") }
        return currency
    }
}
