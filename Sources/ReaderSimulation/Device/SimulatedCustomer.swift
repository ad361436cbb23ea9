/// What the person in front of a simulated reader is going to do.
struct SimulatedCustomer: Sendable {
    struct Presentation: Sendable {
        let card: SimulatedCard
        /// Counted from the sheet; the reader's timing says without.
        let after: Duration?
    }

    private var queue: [Presentation] = []
    var always: SimulatedCard?
    var terms: [ReaderControl.TermsAnswer] = []

    mutating func queue(_ cards: [SimulatedCard], after: Duration? = nil) {
        queue += cards.map { Presentation(card: $0, after: after) }
    }

    /// The card for the sheet that is up now, if anybody taps at all.
    mutating func nextPresentation() -> Presentation? {
        if !queue.isEmpty { return queue.removeFirst() }
        return always.map { Presentation(card: $0, after: nil) }
    }

    mutating func nextTermsAnswer() -> ReaderControl.TermsAnswer {
        terms.isEmpty ? .accepts : terms.removeFirst()
    }
}
