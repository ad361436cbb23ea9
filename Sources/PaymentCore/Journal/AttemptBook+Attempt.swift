extension AttemptBook {
    /// Everything known about one attempt.
    public struct Attempt: Hashable, Sendable, Identifiable {
        /// Its identity.
        public let id: AttemptID
        /// What was known when it began.
        public let began: JournalEntry.Began
        /// When it began.
        public let startedAt: Date
        /// The acquirer's references, as they became known.
        public internal(set) var references: [AcquirerReference] = []
        /// How it ended; nil while it is open or was settled by a person.
        public internal(set) var ending: Ending?
        /// A person's decision, where evidence was missing.
        public internal(set) var verdict: PersonalVerdict?
        /// Why it was left open, if it was.
        public internal(set) var leftOpen: JournalEntry.LeftOpen?
        /// Evidence that came later and says the opposite of ``ending`` or ``verdict``.
        public internal(set) var contradictions: [Ending] = []
        /// The latest evidence that says the opposite of how it ended, or of what a person decided.
        public var contradiction: Ending? { contradictions.last }
        /// Every entry about it, in order.
        public internal(set) var history: [JournalEntry]

        /// Whether nobody knows how it ended.
        public var isOpen: Bool { ending == nil && verdict == nil }

        /// Whether it left money with the merchant or held, or may have.
        public var mayHaveMovedMoney: Bool {
            if (contradictions + [ending].compactMap(\.self)).contains(where: { $0.receipt != nil })
            {
                return true
            }
            if let verdict { return verdict.decision != .notMoved }
            return ending == nil
        }

        /// Whether somebody who would know said that its money moved, or that it was accepted, so that
        /// no listing proves the opposite by its silence.
        var wasSaidToMove: Bool {
            ending?.isPending == true
                || history.contains { entry in
                    if case .leftOpen(let open) = entry.fact { open.saidMoved } else { false }
                }
        }

        /// Whether one of these is certainly the attempt's.
        ///
        /// It is where the acquirer or the vendor named it so, or where it was so at a moment
        /// already. A later look into the books that matched a record to the attempt is no such word.
        func surelyHas(_ references: [AcquirerReference], by moment: Date) -> Bool {
            var looked: Date?
            return history.contains { entry in
                let named: [AcquirerReference]
                var isWord = false
                switch entry.fact {
                case .lookedUp:
                    looked = entry.at
                    return false
                case .noted(let reference):
                    // What a look found is written with the look.
                    (named, isWord) = ([reference], looked != entry.at)
                case .ended(let ending, let evidence):
                    (named, isWord) = (ending.references, evidence == .vendor)
                case .settled(let verdict):
                    guard case .moved(let reference?) = verdict.decision else { return false }
                    named = [reference]
                case .contradicted(let ending): named = ending.references
                case .began, .leftOpen: return false
                }
                return (isWord || entry.at <= moment) && named.contains(where: references.contains)
            }
        }

        /// Whether it ended in a way that cannot change any more.
        var hasFinalEnding: Bool {
            if case .pending? = ending { return false }
            return ending != nil
        }

        /// The amount in question; nil as long as nobody knows it.
        var amount: Money? { began.amount.ifKnown ?? ending?.receipt?.asked.ifKnown }

        /// Whether it ended with money moved, and nobody knows how much.
        var isAmountOpen: Bool {
            guard !began.isAmountKnown, let receipt = ending?.receipt else { return false }
            return receipt.approved.money == nil
        }

        /// The latest moment at which something could still have been submitted for it.
        public var lastActivity: Date { activity.max() ?? startedAt }

        /// The earliest moment of it, by a clock that may have been set while it ran.
        var firstActivity: Date { activity.min() ?? startedAt }

        /// Whether an ending says more than what is known: only what was pending can still end, and
        /// an amount that nobody knew can still be found.
        func takes(_ ending: Ending) -> Bool {
            !hasFinalEnding || isAmountOpen && ending.receipt?.approved.money != nil
        }

        /// The time in which something could have been submitted for it.
        var active: ClosedRange<Date> { firstActivity...lastActivity }

        private var activity: [Date] { history.filter(\.isActivity).map(\.at) }
    }
}

extension JournalEntry {
    /// Whether something may have been submitted at or before this entry and after the one before.
    fileprivate var isActivity: Bool {
        switch fact {
        case .began, .noted, .leftOpen, .ended(_, by: .vendor): true
        case .lookedUp, .ended, .settled, .contradicted: false
        }
    }
}

extension Ending {
    /// Whether the acquirer has accepted it and may still fail it.
    var isPending: Bool {
        if case .pending = self { true } else { false }
    }

    /// Whether money moved according to one of both alone.
    func contradicts(_ other: Ending) -> Bool { (receipt != nil) != (other.receipt != nil) }

    /// The acquirer's records that the ending rests on.
    var references: [AcquirerReference] {
        if case .declined(let decline) = self { return decline.references }
        return receipt?.references ?? []
    }
}

extension AttemptKind {
    /// Whether the acquirer may keep such an attempt as a record of a kind.
    func mayBeRecorded(as kind: AttemptKind) -> Bool {
        self == kind || isAtCounter && kind.isAtCounter
    }

    /// Whether both take money from the customer, or both give it back, so that a record may be
    /// taken for either.
    func resembles(_ other: AttemptKind) -> Bool {
        switch self {
        case .sale, .authorization, .capture: [.sale, .authorization, .capture].contains(other)
        case .refundToCard, .refund: [.refundToCard, .refund].contains(other)
        case .void: other == .void
        }
    }
}
