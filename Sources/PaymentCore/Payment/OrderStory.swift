/// The life of an order, step by step, for whoever has to answer for it.
public struct OrderStory: Sendable {
    /// The order.
    public let order: Order
    /// Its attempts, oldest first.
    public let attempts: [Attempt]

    /// One attempt.
    public struct Attempt: Sendable {
        /// Its identity, which is also its key at the acquirer.
        public let id: AttemptID
        /// Whose money it is.
        public let account: Account
        /// What was tried.
        public let kind: AttemptKind
        /// The amount in question.
        public let amount: Money
        /// What happened, in order.
        public let steps: [Step]
        /// Where its money is by now.
        public let money: MoneyPlace
        /// The identifiers that support will ask for, by name.
        public let identifiers: [String: String]
    }

    /// One thing that happened.
    public struct Step: Sendable {
        /// When, by this device's clock.
        public let at: Date
        /// What happened.
        public let what: String
        /// Where the money was, as far as was certain then.
        public let money: MoneyPlace
        /// Why the point of sale went on as it did; nil where there was nothing to decide.
        public let why: String?
    }
}

extension OrderStory {
    init(_ order: Order, _ attempts: [AttemptBook.Attempt]) {
        self.order = order
        self.attempts = attempts.map(Attempt.init)
    }

    /// One line a step, for a person.
    public var lines: [String] {
        attempts.flatMap { attempt in
            var lines = [
                "\(attempt.kind) of \(attempt.amount.orNotKnown) at \(attempt.account), attempt \(attempt.id)"
            ]
            for step in attempt.steps {
                lines.append("  \(Self.time(step.at))  \(step.what)")
                lines.append(
                    "      money: \(step.money.sentence)" + (step.why.map { "; \($0)" } ?? "")
                )
            }
            let names = attempt.identifiers.sorted { $0.key < $1.key }
            lines += names.map { "  \($0.key): \($0.value)" }
            return lines.map(\.onOneLine)
        }
    }

    private static func time(_ date: Date) -> String { JournalDate.format(date) ?? "\(date)" }
}

extension MoneyPlace {
    /// Where the amount of an attempt is, for a person.
    fileprivate var sentence: String {
        switch self {
        case .moved: "with the merchant"
        case .partly: "with the merchant in part"
        case .held: "held on the card"
        case .none: "with the customer"
        case .unknown: "not known"
        }
    }
}

extension OrderStory.Attempt {
    init(_ attempt: AttemptBook.Attempt) {
        id = attempt.id
        account = attempt.began.account
        kind = attempt.began.kind
        amount = attempt.began.amount
        var teller = Teller(attempt)
        steps = attempt.history.map { teller.step($0) }
        money = teller.money
        var names = ["attempt": attempt.id.description, "account": "\(attempt.began.account)"]
        names["device"] = attempt.began.device
        for reference in attempt.references { names[reference.kind] = reference.value }
        let receipt = attempt.ending?.receipt
        names.merge(receipt?.supportIdentifiers ?? [:]) { known, _ in known }
        names["approval code"] = receipt?.approvalCode
        identifiers = names
    }

    /// Tells entries one after the other, since what is certain follows from all before.
    private struct Teller {
        private let attempt: AttemptBook.Attempt
        private var kind: AttemptKind { attempt.began.kind }
        private(set) var money: MoneyPlace

        init(_ attempt: AttemptBook.Attempt) {
            self.attempt = attempt
            // Before anything happened the money is where it stays if nothing does.
            money = Ending.cancelled.place(after: attempt.began.kind)
        }

        mutating func step(_ entry: JournalEntry) -> OrderStory.Step {
            let (what, why) = tell(entry.fact)
            return OrderStory.Step(at: entry.at, what: what, money: money, why: why)
        }

        private mutating func tell(_ fact: JournalEntry.Fact) -> (what: String, why: String?) {
            switch fact {
            case .began(let began):
                return (
                    "written down before anything was touched",
                    began.choice
                        ?? (kind.isAtCounter
                            ? "from here on the order takes no second payment" : nil)
                )
            case .noted(let reference):
                money = .unknown
                return ("the acquirer gave the reference \(reference)", nil)
            case .lookedUp(let look):
                return ("the acquirer's books were asked: \(look.conclusion)", why(look))
            case .leftOpen(let open):
                money = .unknown
                let heard = open.error.map { "\($0.code)" } ?? "the app ended in between"
                let phases =
                    open.phases.isEmpty ? "" : ", after \(open.phases.joined(separator: ", "))"
                return ("nobody knew how it ended: \(heard)\(phases)", Self.why(open))
            case .ended(let ending, let evidence):
                money = ending.place(after: kind)
                return ("ended as \(ending.name), by \(Self.source(evidence))", why(ending))
            case .settled(let verdict):
                money = verdict.ending(of: attempt).place(after: kind)
                return (
                    "\(verdict.name) decided: \(verdict.decision == .notMoved ? "not paid" : "paid")",
                    verdict.reason
                )
            case .contradicted(let ending):
                money = .unknown
                return (
                    "evidence says the opposite: \(ending.name)",
                    "what was told stands, and a person must look"
                )
            }
        }

        private static func why(_ open: JournalEntry.LeftOpen) -> String {
            if open.isSentAgain {
                return "the same request went out again under its key, which acts only once"
            }
            return open.vendorRunning
                ? "the vendor's call had not come back, so the device stayed busy"
                : "it may have been submitted, so the books are asked and the order waits"
        }

        private func why(_ look: JournalEntry.LookUp) -> String? {
            let seen = "\(look.found) listed, \(look.candidates) in question"
            if look.provesAbsence { return "\(seen); complete, and the time to appear is over" }
            return look.complete ? seen : "\(seen); not complete, so absence proves nothing"
        }

        private func why(_ ending: Ending) -> String? {
            guard kind.isAtCounter else {
                return ending.isPending ? "accepted by the acquirer, which may still fail it" : nil
            }
            return switch ending {
            case .approved, .partlyApproved, .authorized, .done: "charging again is refused"
            case .pending: "accepted by the acquirer, which may still fail it"
            case .declined, .cancelled, .failed: "charging again is safe"
            }
        }

        private static func source(_ evidence: JournalEntry.Evidence) -> String {
            switch evidence {
            case .vendor: "what the vendor answered"
            case .books: "the acquirer's books"
            case .engine: "the point of sale, before the vendor was called"
            }
        }
    }
}
