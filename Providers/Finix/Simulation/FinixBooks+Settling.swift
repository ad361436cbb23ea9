import AcquirerSimulation
import PaymentCore
import Simulation
import Synchronization

/// How rows come into the emulated Finix's books, become final, and move money.
extension FinixBooks {
    func book(_ decided: FinixRow) -> FinixRow {
        var row = decided
        if row.state == "SUCCEEDED",
            let pending = pending.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
        {
            row.state = "PENDING"
            row.settlesAs = pending.succeeds ? "SUCCEEDED" : "FAILED"
            row.settlesAt = world.time.wallTime.addingTimeInterval(pending.delay / .seconds(1))
        }
        row = state.withLock { [row] state in
            var row = row
            row.id = state.nextID(row.isHold ? "AU" : "TR")
            if row.isHold {
                state.authorizations.add(row)
            } else {
                state.transfers.add(row)
            }
            return row
        }
        awaitSettlement(of: row)
        move(row)
        return row
    }

    /// Has a pending row become final at its time.
    func awaitSettlement(of row: FinixRow) {
        guard let time = row.settlesAt else { return }
        let delay = Duration.seconds(max(time.timeIntervalSince(world.time.wallTime), 0))
        world.time.clock.schedule(after: delay) { self.settle(row.id) }
    }

    private func settle(_ id: String) {
        let now = world.time.wallTime
        let settled = state.withLock { state -> FinixRow? in
            for path in [\State.transfers, \State.authorizations] {
                guard let index = state[keyPath: path].index(of: id),
                    let final = state[keyPath: path][index].settlesAs
                else { continue }
                let hadMoved = state[keyPath: path][index].isAccepted
                state[keyPath: path][index].state = final
                state[keyPath: path][index].settlesAt = nil
                state[keyPath: path][index].updatedAt = now
                if final == "FAILED" { state[keyPath: path][index].failureCode = "GENERIC_DECLINE" }
                return hadMoved ? nil : state[keyPath: path][index]
            }
            return nil
        }
        if let settled { move(settled) }
    }

    // MARK: Keeping

    /// Everything that Finix knows.
    var snapshot: State { state.withLock { $0 } }

    /// Goes on from what Finix knew in an earlier run.
    func restore(_ snapshot: State) {
        state.withLock { $0 = snapshot }
        for row in Array(snapshot.transfers) + snapshot.authorizations { awaitSettlement(of: row) }
    }

    /// Books what a row moves; what still waits for its batch has moved all the same.
    func move(_ row: FinixRow) {
        guard row.state == "SUCCEEDED" || row.isAccepted else { return }
        world.ledger.book(
            Ledger.Entry(
                acquirer: "finix",
                record: row.id,
                kind: row.ledgerKind,
                minorUnits: row.amount,
                currency: row.currency,
                time: world.time.wallTime
            )
        )
    }
}
