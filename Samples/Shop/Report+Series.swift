public import CommandLineSupport
public import PaymentCore

/// A payment as the merchant types it at a kit's own screen.
public struct TypedPayment: Hashable, Sendable {
    /// The amount in minor units.
    public let amount: UInt
    /// Whether a code was chosen in place of a tap.
    public let byCode: Bool

    /// Reads an amount, and with it `tap` or `code`.
    ///
    /// - Parameters:
    ///   - text: Such as `12.50` or `12.50 code`; a colon may stand for the blank.
    ///   - currency: The currency of the series.
    /// - Throws: ``UsageError`` that says what was wrong, and what is accepted.
    public init(_ text: some StringProtocol, in currency: Currency) throws(UsageError) {
        let words = text.split(whereSeparator: { $0 == ":" || $0.isWhitespace })
        guard let amount = words.first, words.count <= 2 else {
            throw UsageError(
                "series: found \"\(text.prefix(40))\"; accepted is an amount, and tap or code"
            )
        }
        let method = words.count == 2 ? words[1] : "tap"
        guard ["tap", "code"].contains(method) else {
            throw UsageError("series: found \"\(method.prefix(40))\"; accepted is tap or code")
        }
        let money = try OrderWords.money(String(amount), currency.code, of: "series")
        self.amount = UInt(money.minorUnits)
        byCode = method == "code"
    }
}

/// One payment of a series.
public struct SeriesObject: Encodable, Sendable {
    let number: Int
    let order: Order
    let attempt: AttemptID
    let outcome: String
    let money: String
    let amount: Money?
    let unresolved: ReportObject.OpenObject?
    let error: ReportObject.ErrorObject?

    /// Reads a payment.
    public init(_ payment: SeriesPayment) {
        number = payment.place.number
        order = payment.order
        attempt = payment.attempt
        outcome = payment.outcome.name
        money = payment.outcome.money.rawValue
        if case .approved(let receipt) = payment.outcome {
            amount = receipt.approved.money
        } else {
            amount = nil
        }
        if case .unresolved(let open) = payment.outcome {
            unresolved = .init(open)
        } else {
            unresolved = nil
        }
        if case .failed(let problem) = payment.outcome {
            error = .init(problem)
        } else {
            error = nil
        }
    }

    /// The payment as a line.
    public var line: String {
        let known = amount.map { "\($0)" } ?? (outcome == "approved" ? "amount not known yet" : nil)
        return ["\(order)", outcome, known, unresolved?.reason, error?.code].compactMap(\.self)
            .joined(separator: "  ")
    }
}

extension Report {
    /// The report of a series.
    ///
    /// It ends as its worst payment: with 20 if one is open, 12 if one failed, 10 if one was
    /// declined, 11 if one was cancelled, else with 0.
    ///
    /// - Parameters:
    ///   - payments: The payments, as they ended.
    ///   - subject: What it was about.
    ///   - later: The command that finds amounts in the books.
    ///   - needsPerson: Whether only a person can find the amounts.
    /// - Returns: The report.
    public static func series(
        _ payments: [SeriesPayment],
        _ subject: PaymentSubject,
        later: String,
        needsPerson: Bool
    ) -> Report {
        var object = subject.object
        object.attempt = nil
        object.payments = payments.map(SeriesObject.init)
        let names = Set(payments.map(\.outcome.name))
        let worst: [(String, ExitCode)] = [
            ("unresolved", .unresolved), ("failed", .failed), ("declined", .declined),
            ("cancelled", .cancelled),
        ]
        let code = worst.first { names.contains($0.0) }?.1 ?? .success
        let count = payments.count { $0.outcome.money == .moved }
        let unknown = payments.count { $0.outcome.money == .unknown }
        var lines = [
            payments.isEmpty
                ? "No payment was made"
                : "\(count) of \(payments.count) payments approved"
                    + (unknown > 0 ? ", \(unknown) not known yet" : "")
        ]
        let open = payments.filter { payment in
            switch payment.outcome {
            case .unresolved: true
            case .approved(let receipt): receipt.approved.money == nil
            default: false
            }
        }
        if needsPerson, !open.isEmpty {
            lines.append("Nothing marks these payments in the books: a person finds the amounts")
        }
        lines += open.map { "Later: \(later) \($0.order)" }
        var report = Report(code, object, lines: lines)
        report.standsUnread = true
        return report
    }

    /// The records that could be a payment, for a person to choose from.
    public static func candidates(
        _ records: [AcquirerRecord],
        _ subject: PaymentSubject
    ) -> Report {
        var object = subject.object
        object.records = records.map(RecordObject.init)
        let lines = records.map { RecordObject($0).line }
        return Report(
            .success,
            object,
            lines: lines.isEmpty ? ["the books hold nothing that could be it"] : lines
        )
    }
}
