import PaymentCore
import Simulation

extension ReaderCore {
    /// Makes what a completed read yields.
    mutating func makeResult(_ outcome: ReadResult.Outcome) {
        guard let read = reading, let card = read.card else { return }
        let transaction = transactions[card.id, default: 0] + 1
        transactions[card.id] = transaction
        let content = SimulatedPayload(
            readID: "read-" + Self.letters(chance.next()),
            cardID: card.id,
            merchant: session?.token.merchant ?? "",
            minorUnits: read.request.minorUnits,
            currency: read.request.currency,
            kind: read.request.kind,
            cvm: verification(of: card, read),
            pin: read.pin,
            application: read.application?.identifier,
            transaction: transaction,
            isRefusedByCard: read.isRefusedByCard,
            issuedAt: now.offset,
            expiresAt: now.offset + timing.payloadLifetime
        )
        let result = ReadResult(
            payload: CardPayload(content),
            outcome: outcome,
            tagBlock: TagBlock(content, card: card, at: time.wallTime, chance: chance.next()),
            kernel: read.application?.kernel,
            isPINFallback: read.request.asksForPIN,
            pinBypassed: read.pin == .bypassed,
            passes: passes(for: read)
        )
        reading?.result = result
        reading?.stage = .completed
        let finished = FinishedRead(
            request: read.request,
            result: result,
            content: content,
            at: now
        )
        session?.lastRead = finished
    }

    /// The passes that a read wants and the customer's phone has.
    func passes(for read: ReadInProgress) -> [LoyaltyPass] {
        guard read.card?.entry == .phone else { return [] }
        return read.request.passMerchants.compactMap { customer.passes[$0] }
    }

    private func verification(
        of card: SimulatedCard,
        _ read: ReadInProgress
    ) -> SimulatedPayload.Verification {
        switch read.pin {
        case .right, .wrong: .onlinePIN
        case .bypassed: .none
        case .none:
            read.request.kind == .purchase && card.verification == .device ? .device : .none
        }
    }
}
