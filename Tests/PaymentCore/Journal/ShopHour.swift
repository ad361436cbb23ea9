import Foundation

@testable import PaymentCore

/// What a till writes in an hour: a payment that was looked up and has a page of its own, a refund
/// that is pending at first, a hold, a payment in part, a refusal, and a failure.
struct ShopHour {
    let number: Int

    init(_ number: Int) { self.number = number }

    var entries: [JournalEntry] { sale + refund + hold + part + refusal + failure }

    private var sale: [JournalEntry] {
        let doubt = JournalEntry.LeftOpen(
            error: PaymentError(.timedOut, detail: "after \(number) s"),
            phases: ["presentCard", "submitting"],
            vendorRunning: true
        )
        return entries(
            "sale",
            .noted(reference("sale")),
            .leftOpen(doubt),
            looked,
            looked,
            .ended(.approved(receipt("sale")), by: .books)
        )
    }

    private var refund: [JournalEntry] {
        entries(
            "refund",
            .ended(.pending(receipt("refund")), by: .vendor),
            looked,
            .ended(.done(receipt("refund")), by: .books)
        )
    }

    private var hold: [JournalEntry] {
        let hold = Authorization(receipt: receipt("hold"), expiresAt: JournalSamples.start)
        return entries("hold", .ended(.authorized(hold), by: .books))
    }

    private var part: [JournalEntry] {
        let ending = Ending.partlyApproved(receipt("part"), remaining: JournalSamples.money(1))
        return entries("part", .ended(ending, by: .vendor))
    }

    private var refusal: [JournalEntry] {
        let decline = Decline(.pin, code: "55", references: [reference("refusal")])
        return entries("refusal", .ended(.declined(decline), by: .vendor))
    }

    private var failure: [JournalEntry] {
        let error = PaymentError(.timedOut, vendorCode: "E\(number)")
        return entries("failure", .ended(.failed(error), by: .engine))
    }

    private var looked: JournalEntry.Fact {
        .lookedUp(
            .init(
                found: number,
                candidates: 1,
                complete: true,
                acquirerTime: JournalSamples.start,
                conclusion: "is transfer \(number)",
                provesAbsence: false,
                deviceTime: JournalSamples.start
            )
        )
    }

    private func entries(_ what: String, _ facts: JournalEntry.Fact...) -> [JournalEntry] {
        ([.began(began(what))] + facts).map { JournalSamples.entry("\(what)\(number)", $0) }
    }

    private func began(_ what: String) -> JournalEntry.Began {
        let isRefund = what == "refund"
        return JournalEntry.Began(
            account: JournalSamples.account,
            order: Order(stringLiteral: what == "part" ? "t\(number)/2of12" : "o\(number)"),
            kind: isRefund ? .refund : .sale,
            amount: JournalSamples.total,
            merchantName: "Café Söhne",
            parent: isRefund ? AttemptID("sale\(number)") : nil
        )
    }

    private func reference(_ what: String) -> AcquirerReference {
        AcquirerReference(kind: "transfer", value: "\(what)\(number)")
    }

    private func receipt(_ what: String) -> Receipt {
        Receipt(
            of: AttemptID("\(what)\(number)"),
            began: began(what),
            approval: Approval(
                references: [reference(what)],
                amount: .confirmed(JournalSamples.total),
                card: CardSummary(brand: nil, lastFour: nil),
                url: URL(string: "https://pay.example/r/\(number)")
            ),
            now: JournalSamples.start
        )
    }
}
