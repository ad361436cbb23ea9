/// What the world around a simulated device does: customers, networks, other apps, faults.
///
/// It acts at once. A test calls it before a run, between two, or from an observer of events.
public final class ReaderControl: Sendable {
    let machine: ReaderMachine

    init(_ machine: ReaderMachine) { self.machine = machine }

    /// What a person does with the sheet that shows the terms.
    public enum TermsAnswer: String, Hashable, Sendable, CaseIterable {
        /// Accepts them.
        case accepts
        /// Closes the sheet.
        case closes
        /// Accepts, but linking does not work with this account.
        case fails
    }

    // MARK: - Customers

    /// Has a customer hold a card near the sheet that is up, or else the next one that shows.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - after: Counted from now if a sheet is up, else from the sheet; the timing's own without.
    public func present(card: SimulatedCard, after: Duration? = nil) {
        machine.act { core in
            guard core.reading?.stage == .waiting, let id = core.operation?.id else {
                return core.customer.queue([card], after: after)
            }
            core.later(after ?? core.timing.tap, in: id) { $0.detect(card) }
        }
    }

    /// Holds a card near the device right now; nothing happens unless a sheet waits for one.
    public func tap(_ card: SimulatedCard) { machine.act { $0.detect(card) } }

    /// The cards of the next sheets, one each, behind those that wait already.
    public func nextCards(_ cards: [SimulatedCard]) { machine.act { $0.customer.queue(cards) } }

    /// The card of every sheet for which none waits; nobody taps without.
    public var alwaysThisCard: SimulatedCard? {
        get { machine.act { $0.customer.always } }
        set { machine.act { $0.customer.always = newValue } }
    }

    /// Has the customer close the sheet, as long as no card was detected.
    public func customerCancels() { machine.act { _ = $0.cancelRead(by: .customer) } }

    /// What is done with the next sheets that show terms; they are accepted after these.
    public func nextTerms(_ answers: [TermsAnswer]) {
        machine.act { $0.customer.terms += answers }
    }

    // MARK: - App and network

    /// Moves the app off the screen.
    public func background() { machine.act { $0.background() } }

    /// Moves the app back on the screen.
    public func foreground() { machine.act { $0.foreground() } }

    /// Cuts the network.
    public func networkDown() { machine.act { $0.hasNetwork = false } }

    /// Gives the network back.
    public func networkUp() { machine.act { $0.hasNetwork = true } }

    // MARK: - Account, session and faults

    /// Undoes the acceptance of the terms, of one merchant or of all.
    public func revokeLink(merchant: String? = nil) {
        machine.act { core in
            core.note("link revoked")
            if let merchant { core.linked.remove(merchant) } else { core.linked = [] }
            guard let user = core.session?.token.merchant else {
                if core.linked.isEmpty { core.state.learn(isLinked: false) }
                return
            }
            if !core.linked.contains(user) { core.loseSession(.revoked) }
        }
    }

    /// Lets the session age out, at once or when the read that uses it has ended.
    public func expireSession() { machine.act { $0.loseSession(.expired) } }

    /// Says why the device cannot read cards, or that it can.
    public func setUnsupported(_ reason: ReaderError?) {
        machine.act { core in
            core.unsupported = reason
            core.look()
        }
    }

    /// Makes the reader fail at the next passage of a moment; several wait for one passage each.
    public func throwAtNext(_ moment: ReaderMoment, _ error: ReaderError) {
        machine.act { $0.faults[moment, default: []].append(error) }
    }

    // MARK: - Looking

    /// Where the reader is.
    public var state: ReaderState { machine.act { $0.state } }

    /// Faults that were scripted and have not happened.
    public var unusedFaults: [ReaderMoment: [ReaderError]] { machine.act { $0.faults } }

    /// The merchants who have accepted the terms.
    public var linkedMerchants: Set<String> { machine.act { $0.linked } }

    /// How much of the configuration is done, in percent.
    public var configured: Int { machine.act { $0.configured } }
}
