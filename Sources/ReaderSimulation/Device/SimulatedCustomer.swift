/// What the person in front of a simulated reader is going to do.
struct SimulatedCustomer: Sendable {
    /// What happens at one sheet.
    enum Gesture: Sendable {
        /// Cards come near, for so long or until the sheet asks to take them away.
        case tap([SimulatedCard], hold: Duration?)
        /// The customer closes the sheet.
        case close
        /// The merchant cancels.
        case cancel
    }

    struct Presentation: Sendable {
        let gesture: Gesture
        /// Counted from the sheet; the reader's timing says without.
        let after: Duration?
    }

    /// What happens at one keypad.
    struct Typing: Sendable {
        let answer: ReaderControl.PINAnswer
        /// Counted from the keypad; the reader's timing says without.
        let after: Duration?
    }

    private(set) var queue: [Presentation] = []
    private(set) var typings: [Typing] = []
    var always: SimulatedCard?
    /// The passes on the customer's phone, by the merchants' identifiers for them.
    var passes: [String: LoyaltyPass] = [:]
    var terms: [ReaderControl.TermsAnswer] = []

    mutating func add(_ gesture: Gesture, after: Duration? = nil) {
        queue.append(Presentation(gesture: gesture, after: after))
    }

    mutating func add(_ typing: Typing) { typings.append(typing) }

    /// What happens at the sheet that is up now, if anything does.
    mutating func nextPresentation() -> Presentation? {
        if !queue.isEmpty { return queue.removeFirst() }
        return always.map { Presentation(gesture: .tap([$0], hold: nil), after: nil) }
    }

    mutating func nextTyping() -> Typing {
        typings.isEmpty ? Typing(answer: .correct, after: nil) : typings.removeFirst()
    }

    mutating func nextTermsAnswer() -> ReaderControl.TermsAnswer {
        terms.isEmpty ? .accepts : terms.removeFirst()
    }
}
