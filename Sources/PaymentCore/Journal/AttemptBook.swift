/// What a journal's entries add up to: attempts by order, which are open, and who claimed what.
///
/// A pure value: the same entries give the same book.
public struct AttemptBook: Sendable {
    private var attempts: [AttemptID: Attempt] = [:]
    private var byOrder: [String: [AttemptID]] = [:]
    private var openIDs: Set<AttemptID> = []
    private var claims: [AcquirerReference: AttemptID] = [:]
    private var unreferenced: Set<AttemptID> = []

    /// Creates an empty book.
    public init() {}

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
        /// Evidence that says the opposite of how it ended, or of what a person decided.
        public internal(set) var contradiction: Ending?
        /// A person's decision, where evidence was missing.
        public internal(set) var verdict: PersonalVerdict?
        /// Why it was left open, if it was.
        public internal(set) var leftOpen: JournalEntry.LeftOpen?
        /// Every entry about it, in order.
        public internal(set) var history: [JournalEntry]

        /// Whether nobody knows how it ended.
        public var isOpen: Bool { ending == nil && verdict == nil }

        /// Whether it left money with the merchant or held, or may have.
        public var mayHaveMovedMoney: Bool {
            if contradiction?.receipt != nil { return true }
            if let verdict { return verdict.decision != .notMoved }
            guard let ending else { return true }
            return ending.receipt != nil
        }

        /// Takes an ending; the first one stays, unless it was only pending.
        mutating func end(as next: Ending) {
            if let ending, !ending.isPending {
                if ending.contradicts(next) { contradiction = next }
            } else {
                ending = next
            }
        }

        /// The latest moment at which something could still have been submitted for it.
        public var lastActivity: Date { history.last { $0.isActivity }?.at ?? startedAt }
    }

    /// One attempt.
    public subscript(_ id: AttemptID) -> Attempt? { attempts[id] }

    /// The attempts whose end nobody knows, oldest first.
    public var open: [Attempt] {
        openIDs.compactMap { attempts[$0] }.sorted(by: Self.isEarlier)
    }

    /// The attempts for an order, whatever part, oldest first.
    public func attempts(forOrderID id: String) -> [Attempt] {
        (byOrder[id] ?? []).compactMap { attempts[$0] }
    }

    /// Every attempt, oldest first.
    public var all: [Attempt] {
        attempts.values.sorted(by: Self.isEarlier)
    }

    private static func isEarlier(_ one: Attempt, _ other: Attempt) -> Bool {
        (one.startedAt, one.id.description) < (other.startedAt, other.id.description)
    }

    /// Which attempt an acquirer's record belongs to, if to any.
    public func claimant(of reference: AcquirerReference) -> AttemptID? { claims[reference] }

    /// Which attempt a record's marker names, if any.
    func attempt(marked marker: String?) -> AttemptID? {
        marker.map { AttemptID($0) }.flatMap { attempts[$0]?.id }
    }

    /// The attempts whose acquirer's record may be one that nobody claimed: the open ones, and those
    /// that moved money under a reference that nobody knows.
    var claimants: [Attempt] { openIDs.union(unreferenced).compactMap { attempts[$0] } }

    /// Adds an entry.
    public mutating func apply(_ entry: JournalEntry) {
        if case .began(let began) = entry.fact {
            guard attempts[entry.attempt] == nil else { return }
            attempts[entry.attempt] = Attempt(
                id: entry.attempt,
                began: began,
                startedAt: entry.at,
                history: [entry]
            )
            byOrder[began.order.id, default: []].append(entry.attempt)
            openIDs.insert(entry.attempt)
            return
        }
        guard attempts[entry.attempt] != nil else { return }
        attempts[entry.attempt]?.history.append(entry)
        switch entry.fact {
        case .began, .lookedUp: break
        case .contradicted(let ending): attempts[entry.attempt]?.contradiction = ending
        case .noted(let reference): claim([reference], for: entry.attempt)
        case .leftOpen(let leftOpen): attempts[entry.attempt]?.leftOpen = leftOpen
        case .ended(let ending, _):
            attempts[entry.attempt]?.end(as: ending)
            openIDs.remove(entry.attempt)
            claim(ending.references, for: entry.attempt)
            noteWhetherReferenced(entry.attempt)
        case .settled(let verdict):
            attempts[entry.attempt]?.verdict = verdict
            openIDs.remove(entry.attempt)
            if case .moved(let reference?) = verdict.decision {
                claim([reference], for: entry.attempt)
            }
            noteWhetherReferenced(entry.attempt)
        }
    }

    private mutating func noteWhetherReferenced(_ id: AttemptID) {
        guard let attempt = attempts[id] else { return }
        if attempt.mayHaveMovedMoney, attempt.references.isEmpty {
            unreferenced.insert(id)
        } else {
            unreferenced.remove(id)
        }
    }

    private mutating func claim(_ references: [AcquirerReference], for attempt: AttemptID) {
        for reference in references {
            if claims[reference] == nil { claims[reference] = attempt }
            if attempts[attempt]?.references.contains(reference) == false {
                attempts[attempt]?.references.append(reference)
            }
        }
    }
}

extension JournalEntry {
    /// Whether something may have been submitted at or before this entry and after the one before.
    fileprivate var isActivity: Bool {
        switch fact {
        case .began, .noted, .leftOpen: true
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
