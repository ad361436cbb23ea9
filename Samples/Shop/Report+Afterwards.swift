public import CommandLineSupport
public import PaymentCore
public import PaymentReceipts

extension Report {
    /// The report of a capture, void or refund.
    ///
    /// - Parameters:
    ///   - outcome: How it ended.
    ///   - subject: What it was about.
    ///   - id: The follow-up's own name.
    ///   - document: What the receipt says.
    ///   - quiet: Whether only the receipt is wanted.
    ///   - receipts: How the receipt is printed.
    /// - Returns: The report.
    public static func followUp(
        _ outcome: FollowUpOutcome,
        _ subject: PaymentSubject,
        id: FollowUpID?,
        document: ReceiptDocument?,
        quiet: Bool,
        receipts: ReceiptOptions
    ) -> Report {
        var object = subject.object
        object.id = id
        object.outcome = outcome.name
        object.money = outcome.money
        let lines = [receipts.text(outcome.messageKey)]
        var diagnostics = receipts.notes
        switch outcome {
        case .done(let receipt), .pending(let receipt):
            object.receipt = receipt
            object.attempt = receipt.attempt
            object.amount = receipt.approved.money ?? receipt.asked
        case .declined(let decline): object.decline = .init(decline)
        case .failed(let error):
            object.error = .init(error)
            diagnostics.append("failed: \(error.code), \(error.recovery.rawValue)")
        case .unresolved(let payment):
            object.unresolved = .init(payment)
            object.attempt = payment.attempt
            diagnostics.append("unresolved: \(payment.reason.text)")
        }
        return Report(ExitCode(outcome), object, lines: lines, diagnostics: diagnostics)
            .printing(document, quiet: quiet, receipts)
    }

    /// The life of an order, a line a step.
    public static func story(_ story: OrderStory, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.story = story.lines
        return Report(.success, object, lines: story.lines)
    }

    /// The report of an order that the journal does not know.
    public static func noAttempt(of order: Order, _ subject: PaymentSubject) -> Report {
        nothing("the journal holds no attempt for order \(order)", subject)
    }

    /// The report of something that there is not.
    public static func nothing(_ problem: String, _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.refusal = "invalidRequest"
        object.problem = problem
        return Report(.refused, object, diagnostics: ["refused: \(problem)"])
    }

    /// A list of attempts.
    ///
    /// - Parameters:
    ///   - attempts: The attempts, oldest first.
    ///   - subject: What the list is about.
    ///   - inFull: Whether every entry of the journal is shown.
    ///   - none: What is said of an empty list.
    /// - Returns: The report.
    public static func attempts(
        _ attempts: [AttemptBook.Attempt],
        _ subject: PaymentSubject,
        inFull: Bool,
        none: String = "no attempts"
    ) -> Report {
        var object = subject.object
        object.attempts = attempts.map(AttemptObject.init)
        var lines = attempts.flatMap { attempt in
            [attempt.line] + (inFull ? attempt.history.map { "  \($0.line)" } : [])
        }.map(\.onOneLine)
        if lines.isEmpty { lines = [none] }
        return Report(.success, object, lines: lines)
    }
}

extension Report {
    /// The receipt of an attempt, printed again.
    ///
    /// - Parameters:
    ///   - attempt: The attempt, however it ended.
    ///   - subject: What it was about.
    ///   - receipts: How the receipt is printed.
    /// - Returns: The report.
    public static func receipt(
        _ attempt: AttemptBook.Attempt,
        _ subject: PaymentSubject,
        _ receipts: ReceiptOptions
    ) -> Report {
        let document = ReceiptDocument(attempt)
        var object = subject.object
        object.receipt = attempt.receipt
        object.outcome = document.status.rawValue
        object.attempt = attempt.id
        object.amount = document.approved ?? document.subject.asked.ifKnown
        return Report(
            .success,
            object,
            lines: [receipts.render(document)],
            diagnostics: receipts.notes + receipts.notes(on: document)
        )
    }

    /// What the configured acquirers can do.
    public static func providers(
        _ providers: [ProviderObject],
        _ subject: PaymentSubject
    ) -> Report {
        var object = subject.object
        object.providers = providers
        return Report(.success, object, lines: providers.flatMap(\.lines))
    }

    /// The same report with another end.
    public func ending(as exitCode: ExitCode, _ diagnostic: String) -> Report {
        Report(exitCode, object, lines: lines, diagnostics: diagnostics + [diagnostic])
    }
}

/// One attempt in a list.
public struct AttemptObject: Encodable, Sendable {
    let attempt: AttemptID
    let order: Order
    let kind: String
    /// Absent as long as nobody knows it.
    let amount: Money?
    let startedAt: String
    let outcome: String
    let id: FollowUpID?
    let history: [JournalEntry]

    /// Describes an attempt.
    public init(_ attempt: AttemptBook.Attempt) {
        self.attempt = attempt.id
        order = attempt.began.order
        kind = attempt.began.kind.rawValue
        amount = (attempt.receipt?.asked ?? attempt.began.amount).ifKnown
        startedAt = Timestamp.text(attempt.startedAt)
        outcome = attempt.state
        id = attempt.began.followUp
        history = attempt.history
    }
}

extension AttemptBook.Attempt {
    /// The receipt of the money that it moved or holds, as far as that is told.
    var receipt: Receipt? {
        switch told {
        case .payment(.approved(let receipt)), .payment(.partlyApproved(let receipt, _)),
            .followUp(.done(let receipt)), .followUp(.pending(let receipt)):
            receipt
        case .payment(.authorized(let authorization)): authorization.receipt
        default: nil
        }
    }

    /// The amount, as far as it is known by now.
    var shownAmount: String { (receipt?.asked ?? began.amount).orNotKnown }

    /// How it ended, or that it is open.
    var state: String {
        if let ending { return ending.name }
        switch verdict?.decision {
        case .moved: return "settled as moved"
        case .notMoved: return "settled as not moved"
        case nil: return "open"
        }
    }

    var line: String {
        """
        \(Timestamp.text(startedAt))  \(began.order)  \(began.kind) \(shownAmount)  \(state)  \(id)
        """
    }
}

extension JournalEntry {
    /// The entry in a sentence.
    var line: String {
        let sentence =
            switch fact {
            case .began(let began):
                "began: \(began.kind) of \(began.amount.orNotKnown), \(began.account)"
            case .noted(let reference): "the acquirer calls it \(reference)"
            case .lookedUp(let lookUp):
                "looked up: \(lookUp.found) found, \(lookUp.conclusion)"
                    + (lookUp.complete ? "" : " (the list was not complete)")
            case .leftOpen(let leftOpen):
                "left open"
                    + (leftOpen.error.map { ": \($0.code)" } ?? ": the program ended")
                    + (leftOpen.phases.isEmpty
                        ? "" : " after " + leftOpen.phases.joined(separator: ", "))
            case .ended(let ending, let evidence): "\(ending.name), as the \(evidence) said"
            case .settled(let verdict): "settled by \(verdict.name): \(verdict.reason)"
            case .contradicted(let ending): "contradicted: \(ending.name)"
            }
        return "\(Timestamp.text(at))  \(sentence)"
    }
}

extension FollowUpOutcome {
    /// The outcome's name for programs.
    public var name: String {
        switch self {
        case .done: "done"
        case .pending: "pending"
        case .declined: "declined"
        case .failed: "failed"
        case .unresolved: "unresolved"
        }
    }

    /// Where the money is, for programs.
    var money: String {
        switch self {
        case .done(let receipt): receipt.kind == .void ? "released" : "moved"
        case .pending: "pending"
        case .declined, .failed: "none"
        case .unresolved: "unknown"
        }
    }
}
