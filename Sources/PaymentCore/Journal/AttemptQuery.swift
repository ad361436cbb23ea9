/// What to look for among a journal's attempts; what is left out is not looked at.
public struct AttemptQuery: Hashable, Sendable {
    /// The order's id begins so.
    public var order: String?
    /// The amount that would have moved.
    public var amount: Money?
    /// It began in this span, by this device's clock.
    public var began: ClosedRange<Date>?
    /// The card's last four digits.
    public var lastFour: String?
    /// Whether only attempts are wanted whose end nobody knows.
    public var isOpen = false

    /// Looks for everything.
    public init() {}

    /// Whether an attempt is one of those.
    public func matches(_ attempt: AttemptBook.Attempt) -> Bool {
        if let order, !attempt.began.order.id.hasPrefix(order) { return false }
        if let amount, attempt.amount != amount { return false }
        if let began, !began.contains(attempt.startedAt) { return false }
        if isOpen, !attempt.isOpen { return false }
        guard let lastFour else { return true }
        if case .declined(let decline) = attempt.ending, decline.card?.lastFour == lastFour {
            return true
        }
        return attempt.ending?.receipt?.card?.lastFour == lastFour
    }
}

extension PointOfSale {
    /// The attempts that match, oldest first.
    public func attempts(matching query: AttemptQuery) async -> [AttemptBook.Attempt] {
        // A look through all of them must not hold up a payment.
        let book = await engine.journal.read { $0 }
        return book.all(where: query.matches)
    }

    /// Everything about some attempts as text for the acquirer's support: one JSON object a line.
    ///
    /// It holds identifiers, times, amounts and codes, and nothing by which a customer could be
    /// recognised: no name, no digits of a card, no address of a receipt.
    public func export(_ query: AttemptQuery = AttemptQuery()) async -> String {
        let attempts = await attempts(matching: query)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = JournalDate.encoding
        return attempts.flatMap { SupportLine.lines(of: $0) }.compactMap { line in
            (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) + "\n" }
        }.joined()
    }
}

/// One step of an attempt as support sees it.
private struct SupportLine: Encodable {
    let attempt: AttemptID
    let account: Account
    let order: Order
    let kind: AttemptKind
    /// Absent as long as nobody knows it.
    let amount: Money?
    let device: String?
    let software: [String: String]?
    let at: Date
    let what: String
    let money: MoneyPlace
    let why: String?
    let references: [AcquirerReference]

    static func lines(of attempt: AttemptBook.Attempt) -> [SupportLine] {
        zip(attempt.history, OrderStory.Attempt(attempt).steps).map { entry, step in
            var (what, why) = (step.what, step.why)
            // Who decided, and in which words, is nobody's business outside.
            if case .settled(let verdict) = entry.fact {
                what = "a person decided: \(verdict.decision == .notMoved ? "not paid" : "paid")"
                why = nil
            }
            return SupportLine(
                attempt: attempt.id,
                account: attempt.began.account,
                order: attempt.began.order,
                kind: attempt.began.kind,
                amount: attempt.amount,
                device: attempt.began.device,
                software: attempt.began.software,
                at: step.at,
                what: what,
                money: step.money,
                why: why,
                references: attempt.references
            )
        }
    }
}
