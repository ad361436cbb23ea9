import Foundation
@testable import PaymentCore

/// Entries that tests write.
enum JournalSamples {
    static let account = Account(provider: "finix", merchant: "MU-1", environment: .simulated)
    static let start = Date(timeIntervalSince1970: 1_767_603_600.25)
    static let total = money(1_250)

    /// A record's line.
    static func line(_ json: String) -> [UInt8] {
        let sum = Array(json.utf8).withUnsafeBytes(CRC32.checksum)
        return withUnsafeBytes(of: CRC32.digits(sum)) { Array($0) } + Array(" \(json)\n".utf8)
    }

    static func money(_ minorUnits: Int64) -> Money {
        guard let dollar = Currency(code: "USD"),
            let money = try? Money(minorUnits: minorUnits, currency: dollar)
        else {
            preconditionFailure("a dollar is a currency")
        }
        return money
    }

    static func began(
        _ id: String,
        order: Order,
        kind: AttemptKind = .sale,
        followUp: FollowUpID? = nil,
        parent: AttemptID? = nil
    ) -> JournalEntry {
        entry(
            id,
            .began(
                JournalEntry.Began(
                    account: account,
                    order: order,
                    kind: kind,
                    amount: total,
                    followUp: followUp,
                    parent: parent,
                    ceiling: parent.map { _ in total }
                )
            )
        )
    }

    static func entry(_ id: String, _ fact: JournalEntry.Fact) -> JournalEntry {
        JournalEntry(at: start, attempt: AttemptID(id), fact: fact)
    }

    /// A receipt with everything in it.
    static let receipt = Receipt(
        of: AttemptID("a"),
        began: full,
        approval: Approval(
            references: [AcquirerReference(kind: "transfer", value: "TRa")],
            amount: .confirmed(total),
            card: CardSummary(brand: "VISA", lastFour: "4242", funding: "credit"),
            method: .tap,
            approvalCode: "A1B2C3",
            time: start,
            url: URL(string: "https://example.com/receipts/1"),
            supportIdentifiers: ["trace": "t-1"]
        ),
        now: start
    )

    /// A beginning with everything in it.
    static let full = JournalEntry.Began(
        account: Account(
            provider: "finix",
            merchant: "MU-1",
            environment: .simulated,
            location: "shop-1"
        ),
        order: "café-東京/2of3",
        kind: .sale,
        amount: total,
        tip: money(200),
        surcharge: money(50),
        merchantName: "Corner \"Shop\"\n& Söhne",
        device: "DV-1",
        followUp: "f-1",
        parent: AttemptID("p"),
        ceiling: money(5_000),
        parentReferences: [AcquirerReference(kind: "authorization", value: "AUa")],
        software: ["app": "1.2.3", "adapter": "finix 1"]
    )

    /// Each fact and each ending once.
    static let everyFact: [JournalEntry] =
        [
            entry("a", .began(full)),
            entry("a", .noted(AcquirerReference(kind: "transfer", value: "TRa"))),
            entry(
                "a",
                .leftOpen(
                    .init(
                        error: PaymentError(
                            .timedOut,
                            vendorCode: "E7",
                            detail: "no answer",
                            supportIdentifiers: ["logref": "l-1"]
                        ),
                        phases: ["presentCard", "submitting"],
                        vendorRunning: true
                    )
                )
            ),
            entry(
                "a",
                .lookedUp(
                    .init(
                        found: 3,
                        candidates: 1,
                        complete: true,
                        acquirerTime: start,
                        conclusion: "pending",
                        provesAbsence: false
                    )
                )
            ),
        ]
        + endings.map { entry("a", .ended($0, by: .books)) }
        + [
            entry("a", .settled(.init(.notMoved, name: "Ada", reason: "asked by phone"))),
            entry("a", .settled(.init(.moved(nil), name: "Ada", reason: "on the statement"))),
            entry(
                "a",
                .settled(
                    .init(
                        .moved(AcquirerReference(kind: "transfer", value: "TRb")),
                        name: "Ada",
                        reason: "on the statement"
                    )
                )
            ),
            entry("a", .contradicted(.approved(receipt))),
        ]

    static let endings: [Ending] = [
        .approved(receipt),
        .partlyApproved(receipt, remaining: money(250)),
        .authorized(Authorization(receipt: receipt, expiresAt: start.addingTimeInterval(604_800))),
        .declined(
            Decline(
                .insufficientFunds,
                code: "51",
                detail: "not enough",
                references: [AcquirerReference(kind: "transfer", value: "TRc")],
                card: CardSummary(brand: "VISA", lastFour: "4242")
            )
        ),
        .cancelled,
        .failed(PaymentError(.tapTimedOut)),
        .done(receipt),
        .pending(receipt),
    ]

    /// Five records, of which the last has characters of several bytes.
    static let five: [JournalEntry] = [
        began("a", order: "o1"),
        entry("a", .ended(.approved(receipt), by: .vendor)),
        began("b", order: "o2"),
        entry("b", .ended(.cancelled, by: .vendor)),
        began("c", order: "café-東京"),
    ]
}
