import Simulation

extension ReaderCore {
    /// Cards come near; nothing happens unless a sheet waits for one.
    mutating func detect(_ cards: [SimulatedCard], hold: Duration?) {
        let names = cards.map(\.id).joined(separator: "+")
        guard let id = operation?.id, let card = cards.first,
            reading?.stage == .waiting, let deadline = reading?.deadline,
            // At the very end of the wait the sheet is as good as gone, whichever timer is first.
            now < deadline
        else {
            note("tap \(names): nobody looks")
            return
        }
        note("tap \(names)")
        reading?.card = card
        let detection = now
        reading?.detectedAt = detection
        reading?.stage = .detected
        state.cardDetected()
        if let hold {
            later(hold, in: id) { core in
                if core.reading?.detectedAt == detection { core.cardRemoved() }
            }
        }
        let tap = Holder.tap(id, reading?.retries ?? 0)
        pass(.cardDetected, for: tap) {
            $0.emit(.cardDetected)
        } then: { core in
            core.examine(cards, tap, id)
        }
    }

    private mutating func examine(_ cards: [SimulatedCard], _ tap: Holder, _ id: Int) {
        guard let card = cards.first, let read = reading else { return }
        if cards.count > 1 || card.companion != nil && read.retries == 0 {
            return tryAgain(.collision, cards)
        }
        if read.request.isForPassesAlone, passes(for: read).isEmpty {
            return failRead(ReaderError(.loyaltyReadFailed))
        }
        switch card.reading {
        case .stops(let code, afterRemoval: false): return failRead(ReaderError(code))
        case .retriesOnce(let reason) where read.retries == 0: return tryAgain(reason, cards)
        case .sheetClosesOnce where closedSheets.insert(card.id).inserted:
            note("the system closes the sheet")
            return failRead(.readCancelled(by: .system), terminal: .readCancelled)
        default: break
        }
        switch effect {
        case .retriesOnce(let reason) where read.retries == 0: return tryAgain(reason, cards)
        case .stops(.cardNotSupported): return failRead(ReaderError(.cardNotSupported))
        case .background: return leaveWithCard()
        default: break
        }
        pass(.applicationSelected, for: tap) {
            $0.selectApplication(card)
        } then: { core in
            core.later(about: core.timing.cardData, in: id) { $0.takeData(card, tap, id) }
        }
    }

    /// What an amount can script: the app leaves the screen, and comes back after a while.
    private mutating func leaveWithCard() {
        background()
        afterwards(.seconds(5)) { $0.foreground() }
    }

    private mutating func selectApplication(_ card: SimulatedCard) {
        let preferred = reading?.request.preferredApplications ?? []
        let chosen =
            preferred.lazy.compactMap { wanted in
                card.applications.first { $0.identifier.hasPrefix(wanted) }
            }.first ?? card.applications.first
        reading?.application = chosen
        note("application \(chosen?.label ?? "none")")
    }

    private mutating func takeData(_ card: SimulatedCard, _ tap: Holder, _ id: Int) {
        // A tap that came to nothing gives no data, however soon the next one comes.
        guard isAlive(tap) else { return }
        pass(.cardDataRead, for: tap) { core in
            core.reading?.isDataComplete = true
            core.emit(.removeCard)
        } then: { core in
            core.judge(card, id)
        }
    }

    /// The card's data is there: whether the card, its limits or the amount let the read go on.
    private mutating func judge(_ card: SimulatedCard, _ id: Int) {
        guard let read = reading else { return }
        if case .stops(let code, afterRemoval: true) = card.reading {
            return failRead(ReaderError(code))
        }
        if read.request.kind == .purchase, isTooMuchToTap(card, read) {
            return failRead(ReaderError(.anotherInterfaceNeeded))
        }
        if card.reading == .refusesOffline || effect == .refusesOffline { return refuse() }
        if case .stops(let code) = effect { return failRead(ReaderError(code)) }
        pass(.cvmDecided, for: .operation(id)) { core in
            core.note("verification: \(core.wantsPIN(card) ? "PIN" : card.verification.rawValue)")
        } then: { core in
            if core.wantsPIN(card) { return core.askForPIN(id) }
            core.finish(card, id)
        }
    }

    private func isTooMuchToTap(_ card: SimulatedCard, _ read: ReadInProgress) -> Bool {
        guard card.entry == .card else { return false }
        let isInterac = read.application == .interac && read.request.currency == "CAD"
        let limits = [
            configuration.limits[read.request.currency]?.contactless,
            isInterac ? ReaderLimits.interac : nil,
        ]
        return limits.contains { limit in limit.map { read.request.minorUnits > $0 } ?? false }
    }

    /// The card itself refuses: a payload that must be sent, or an error that says so.
    private mutating func refuse() {
        reading?.isRefusedByCard = true
        guard configuration.errorsInResult else {
            return failRead(ReaderError(.cardDeclinedOffline))
        }
        complete(.cardDeclined)
    }

    /// Everything is there: the read completes after its time.
    mutating func finish(_ card: SimulatedCard, _ id: Int) {
        var rest = timing.completion
        if case .takes(let duration) = card.reading { rest = duration - timing.cardData }
        if case .takes(let duration) = effect { rest = duration - timing.cardData }
        later(about: max(rest, .zero), in: id) { $0.complete(.success) }
    }

    // MARK: - Another tap

    /// The sheet asks for another tap, or gives up after three.
    private mutating func tryAgain(
        _ reason: SimulatedCard.RetryReason,
        _ cards: [SimulatedCard]
    ) {
        guard let id = operation?.id, let read = reading else { return }
        read.retries += 1
        note("another tap is needed: \(reason.rawValue)")
        emit(.retry(reason: configuration.fidelity == .open ? reason.rawValue : nil))
        guard read.retries < Self.mostTaps else {
            return failRead(ReaderError(.cardReadFailed))
        }
        reading?.isDataComplete = false
        waitForTap(id)
        // A sheet that waits again is cancelled by whoever has closed the reader meanwhile.
        if closesAfterRead {
            _ = cancelRead(by: .app)
            return
        }
        guard customer.queue.isEmpty else { return awaitCustomer(id) }
        // Whoever was asked to tap again does so, with what is left in the hand.
        let left = cards.count > 1 ? cards : Array(cards.prefix(1))
        later(about: timing.tap, in: id) { $0.detect(left, hold: nil) }
    }

    private static let mostTaps = 3

    /// The card is taken away: too early, as long as its data is not complete.
    mutating func cardRemoved() {
        guard let read = reading, read.stage == .detected, !read.isDataComplete,
            let card = read.card, let since = read.detectedAt,
            since.duration(to: now) < timing.cardData
        else { return }
        note("the card is taken away")
        tryAgain(.removedEarly, [card])
    }

    /// Another card comes near: a collision while one is read, a tap while none is.
    mutating func comesToo(_ card: SimulatedCard) {
        guard let read = reading, read.stage == .detected, !read.isDataComplete,
            let first = read.card
        else { return detect([card], hold: nil) }
        note("another card comes near")
        tryAgain(.collision, [first])
    }
}
