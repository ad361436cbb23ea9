import Foundation

@testable import PaymentCore

/// Everything that a book can be asked about what some entries name.
struct BookQuestions {
    private var attempts: Set<AttemptID> = [AttemptID("nobody")]
    private var orders: Set<Order> = ["nothing"]
    private var references: Set<AcquirerReference> = []
    private var spans: [ClosedRange<Date>] = [Date.distantPast...Date.distantFuture]

    init(about entries: [JournalEntry]) {
        for entry in entries {
            attempts.insert(entry.attempt)
            switch entry.fact {
            case .began(let began): orders.insert(began.order)
            case .noted(let reference): references.insert(reference)
            case .ended(let ending, _), .contradicted(let ending):
                references.formUnion(ending.references)
            case .settled(let verdict):
                if case .moved(let reference?) = verdict.decision { references.insert(reference) }
            case .leftOpen, .lookedUp: break
            }
        }
        let times = entries.map(\.at).sorted()
        for index in stride(from: 0, to: times.count - 1, by: 7) {
            spans.append(times[index]...times[min(index + 3, times.count - 1)])
        }
    }

    /// The first question to which two books answer differently; nil when there is none.
    func difference(_ one: AttemptBook, _ other: AttemptBook) -> String? {
        if one.all != other.all { return "all" }
        if one.open != other.open { return "open" }
        if one.contradicted != other.contradicted { return "contradicted" }
        for span in spans where claimants(one, span) != claimants(other, span) {
            return "claimants in \(span)"
        }
        for reference in references
        where one.claimant(of: reference) != other.claimant(of: reference) {
            return "claimant of \(reference)"
        }
        for order in orders {
            if let difference = difference(one, other, about: order) { return difference }
        }
        for id in attempts {
            if let difference = difference(one, other, about: id) { return difference }
        }
        return one.problem ?? other.problem
    }

    private func difference(
        _ one: AttemptBook,
        _ other: AttemptBook,
        about order: Order
    ) -> String? {
        if one.attempts(forOrderID: order.id) != other.attempts(forOrderID: order.id) {
            return "attempts for \(order)"
        }
        if one.receipt(for: order) != other.receipt(for: order) { return "receipt for \(order)" }
        if one.authorization(for: order) != other.authorization(for: order) {
            return "authorization for \(order)"
        }
        for kind in [AttemptKind.sale, .refundToCard] {
            let entry = JournalSamples.began("new", order: order, kind: kind)
            if answer(one, entry) != answer(other, entry) { return "a new \(kind) for \(order)" }
        }
        return nil
    }

    private func difference(
        _ one: AttemptBook,
        _ other: AttemptBook,
        about id: AttemptID
    ) -> String? {
        guard one[id] == other[id] else { return "attempt \(id)" }
        if one.attempt(marked: id.description) != other.attempt(marked: id.description) {
            return "marker \(id)"
        }
        guard one.followUps(of: id) == other.followUps(of: id) else { return "follow-ups of \(id)" }
        guard let attempt = one[id] else { return nil }
        let again = JournalEntry(
            at: attempt.startedAt,
            attempt: id,
            fact: .began(attempt.began)
        )
        if answer(one, again) != answer(other, again) { return "the same attempt as \(id)" }
        if one.isTaken(by: attempt) != other.isTaken(by: attempt) { return "whether \(id) takes" }
        let order = attempt.began.order
        let captured = JournalSamples.total
        if one.refundable(id, of: order, captured: captured)
            != other.refundable(id, of: order, captured: captured)
        {
            return "what may be refunded of \(id)"
        }
        for kind in [AttemptKind.refund, .capture, .void] {
            for followUp in ["new", attempt.began.followUp?.description ?? "f"] {
                let entry = JournalSamples.began(
                    "new",
                    order: order,
                    kind: kind,
                    followUp: FollowUpID(followUp),
                    parent: id
                )
                if answer(one, entry) != answer(other, entry) { return "a \(kind) of \(id)" }
            }
        }
        return nil
    }

    /// Of those in memory a book also names the ones that were active at another time.
    private func claimants(_ book: AttemptBook, _ span: ClosedRange<Date>) -> [AttemptID: Int] {
        let active = book.claimants(in: span).filter { $0.isOpen || $0.active.overlaps(span) }
        return Dictionary(active.map { ($0.id, 1) }, uniquingKeysWith: +)
    }

    private func answer(_ book: AttemptBook, _ entry: JournalEntry) -> String {
        do throws(PaymentRefusal) {
            return try book.check(entry).map { "repeats \($0)" } ?? "begins"
        } catch {
            return "\(error)"
        }
    }
}
