extension ReaderControl {
    /// Has a customer hold a card near the sheet that is up, or else the next one that shows.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - after: Counted from now if a sheet is up, else from the sheet; the timing's own without.
    ///   - hold: How long; until the sheet asks to take it away when nil.
    public func present(card: SimulatedCard, after: Duration? = nil, hold: Duration? = nil) {
        gesture(.tap([card], hold: hold), after: after)
    }

    /// Has a customer hold several cards near at once.
    ///
    /// - Parameters:
    ///   - cards: The cards.
    ///   - after: As for one card.
    public func present(cards: [SimulatedCard], after: Duration? = nil) {
        gesture(.tap(cards, hold: nil), after: after)
    }

    /// Has the customer close the sheet that is up, or else the next one, if no card was detected.
    public func customerWillCancel(after: Duration? = nil) { gesture(.close, after: after) }

    /// Has the merchant cancel at the sheet that is up, or else at the next one.
    public func merchantWillCancel(after: Duration? = nil) { gesture(.cancel, after: after) }

    private func gesture(_ gesture: SimulatedCustomer.Gesture, after: Duration?) {
        machine.act { core in
            guard core.reading?.stage == .waiting, let id = core.operation?.id else {
                return core.customer.add(gesture, after: after)
            }
            let delay = after ?? core.shaken(core.timing.tap)
            core.later(delay, in: id) { $0.perform(gesture) }
        }
    }

    /// Holds a card near the device right now; nothing happens unless a sheet waits for one.
    public func tap(_ card: SimulatedCard) { machine.act { $0.detect([card], hold: nil) } }

    /// Takes away whatever card is held near.
    public func removeCard() { machine.act { $0.cardRemoved() } }

    /// The cards of the next sheets, one each, behind those that wait already.
    public func nextCards(_ cards: [SimulatedCard]) {
        machine.act { core in
            for card in cards { core.customer.add(.tap([card], hold: nil)) }
        }
    }

    /// The card of every sheet for which none waits; nobody taps without.
    public var alwaysThisCard: SimulatedCard? {
        get { machine.act { $0.customer.always } }
        set { machine.act { $0.customer.always = newValue } }
    }

    /// Has the customer close the sheet right now, as long as no card was detected.
    public func customerCancels() { machine.act { _ = $0.cancelRead(by: .customer) } }

    /// What the customer does at the next keypad that shows; ``type(_:)`` acts at one that is shown.
    ///
    /// - Parameters:
    ///   - answer: What is typed; the right PIN where nothing was said.
    ///   - after: Counted from the keypad; the timing's own without.
    public func nextPIN(_ answer: PINAnswer, after: Duration? = nil) {
        machine.act { $0.customer.add(SimulatedCustomer.Typing(answer: answer, after: after)) }
    }

    /// Types a PIN right now, where a keypad is shown.
    public func type(_ answer: PINAnswer) { machine.act { $0.type(answer) } }

    /// Puts loyalty passes on the customer's phone.
    public func carryPasses(_ passes: [LoyaltyPass]) {
        machine.act { core in for pass in passes { core.customer.passes[pass.merchant] = pass } }
    }

    /// What is done with the next sheets that show terms; they are accepted after these.
    public func nextTerms(_ answers: [TermsAnswer]) {
        machine.act { $0.customer.terms += answers }
    }

    /// Has a merchant's terms accepted already, as on a device that is in use.
    public func acceptTerms(merchant: String) { machine.act { _ = $0.linked.insert(merchant) } }
}
