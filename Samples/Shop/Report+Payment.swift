public import CommandLineSupport
public import PaymentCore
public import PaymentReceipts

extension Report {
    /// The report of a payment's end.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - subject: What it was about.
    ///   - document: What the receipt says.
    ///   - quiet: Whether only the receipt is wanted.
    ///   - receipts: How the receipt is printed.
    /// - Returns: The report.
    public static func payment(
        _ outcome: PaymentOutcome,
        _ subject: PaymentSubject,
        document: ReceiptDocument?,
        quiet: Bool,
        receipts: ReceiptOptions
    ) -> Report {
        var object = subject.object
        object.outcome = outcome.name
        object.money = outcome.money.rawValue
        var lines = [receipts.text(outcome.messageKey)]
        var diagnostics = receipts.notes
        var receipt: Receipt?
        switch outcome {
        case .approved(let approved): receipt = approved
        case .partlyApproved(let approved, let remaining):
            receipt = approved
            object.remaining = remaining
        case .authorized(let authorization):
            object.authorization = .init(authorization)
            receipt = authorization.receipt
        case .declined(let decline):
            object.decline = .init(decline)
            let words = [decline.category.description, decline.advice.rawValue, decline.code ?? ""]
            let told = words.filter { !$0.isEmpty }
            diagnostics.append("declined: " + told.joined(separator: ", "))
        case .cancelled: break
        case .failed(let error):
            object.error = .init(error)
            diagnostics.append("failed: \(error.code), \(error.recovery.rawValue)")
        case .unresolved(let payment):
            object.unresolved = .init(payment)
            object.attempt = payment.attempt
            diagnostics.append("unresolved: \(payment.reason.text)")
            lines.append("Later: \(subject.later) \(payment.order)")
        }
        if let receipt {
            object.receipt = receipt
            object.attempt = receipt.attempt
        }
        return Report(ExitCode(outcome), object, lines: lines, diagnostics: diagnostics)
            .printing(document ?? receipt.map(ReceiptDocument.init), quiet: quiet, receipts)
    }

    /// The same report of something that may have moved money, with what its receipt says.
    ///
    /// - Parameters:
    ///   - document: What the receipt says, if there is one.
    ///   - quiet: Whether only the receipt is wanted.
    ///   - receipts: How the receipt is printed.
    /// - Returns: The report.
    func printing(
        _ document: ReceiptDocument?,
        quiet: Bool,
        _ receipts: ReceiptOptions
    ) -> Report {
        var (lines, diagnostics) = (lines, diagnostics)
        if let document {
            let text = receipts.render(document)
            diagnostics += receipts.notes(on: document)
            lines = quiet || receipts.isAlone ? [text] : lines + ["", text]
        }
        var report = Report(exitCode, object, lines: lines, diagnostics: diagnostics)
        report.standsUnread = true
        return report
    }

    /// The report of a payment that was given up before it began.
    static func notBegun(_ problem: String, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.problem = "\(problem); nothing was charged"
        return Report(.cancelled, object, diagnostics: ["\(problem); nothing was charged"])
    }

    /// The same report, with what came of asking for a cancellation.
    func telling(_ cancellation: Cancellation?) -> Report {
        guard var object = object as? ReportObject else { return self }
        object.cancellation = cancellation?.rawValue
        var report = Report(exitCode, object, lines: lines, diagnostics: diagnostics)
        report.standsUnread = standsUnread
        return report
    }

    /// The report of a call that did not start.
    public static func refusal(_ refusal: PaymentRefusal, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.refusal = refusal.code
        object.problem = refusal.description
        switch refusal {
        case .alreadyPaid(let receipt): object.receipt = receipt
        case .alreadyAuthorized(let authorization): object.authorization = .init(authorization)
        case .open(let payment): object.unresolved = .init(payment)
        default: break
        }
        return Report(
            ExitCode(refusal),
            object,
            diagnostics: ["refused: \(refusal.description)"]
        )
    }
}

/// What a command is about, whatever comes of it.
public struct PaymentSubject: Sendable {
    /// What is paid.
    public let order: Order?
    /// Whose money it is.
    public let account: Account
    /// The amount, where the command names one.
    public let amount: Money?
    /// The attempt, once there is one.
    public var attempt: AttemptID?
    /// The seed that repeats the run.
    public let seed: UInt64?
    /// The command that asks about it later.
    public let later: String

    /// Creates a subject.
    public init(
        order: Order?,
        account: Account,
        amount: Money?,
        seed: UInt64,
        later: String
    ) {
        self.order = order
        self.account = account
        self.amount = amount
        self.seed = seed
        self.later = later
    }

    /// The members that every report about it has.
    public var object: ReportObject {
        var object = ReportObject()
        object.order = order
        object.account = .init(account)
        object.amount = amount
        object.attempt = attempt
        object.seed = seed
        return object
    }
}

extension PaymentOutcome {
    /// The outcome's name for programs.
    public var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .unresolved: "unresolved"
        }
    }
}
