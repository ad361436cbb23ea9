import AcquirerSimulation
import CommandLineSupport
import FinixSimulation
import PaymentCore
import ReaderSimulation
import RevolutSimulation
import ShopSupport
import Simulation
import Synchronization

/// Plays schedules and compares what the app was told with the ledger.
struct Proof {
    /// What came of one schedule.
    struct Outcome: Hashable {
        /// What was told at each attempt.
        let told: [String]
        /// What each order cost, by the ledger.
        let charges: [Order: Int]
        /// What must never happen and did; nil when nothing did.
        let violation: String?
    }

    /// One attempt as the app and the acquirers saw it.
    private struct Seen {
        let move: Move
        var told: String
        var attempt: AttemptID?
        var records: Set<String>
    }

    static func play(_ schedule: Schedule, bug: Bug? = nil) -> Outcome {
        let world = ProofWorld(seed: schedule.seed, bug: bug)
        var seen: [Seen] = []
        do {
            for move in schedule.moves {
                let before = world.records
                var (told, attempt) = try take(move, in: world)
                if told == "refused open" {
                    // A person waits, has it looked up, and tries again.
                    try settle(move, in: world)
                    (told, attempt) = try take(move, in: world)
                }
                seen.append(
                    Seen(
                        move: move,
                        told: told,
                        attempt: attempt,
                        records: world.records.subtracting(before)
                    )
                )
            }
            if let last = schedule.moves.last { try settle(last, in: world) }
            return try judge(seen, in: world)
        } catch {
            return Outcome(told: seen.map(\.told), charges: [:], violation: "\(error)")
        }
    }

    /// Opens a till, takes one payment, and has the process end where the move says so.
    private static func take(
        _ move: Move,
        in world: ProofWorld
    ) throws -> (told: String, attempt: AttemptID?) {
        let life = Life(move.happening)
        world.heal()
        let cancels = AsyncStream<Void>.makeStream()
        let steps = Mutex(0)
        var driving = Driving()
        if case .cancel(let step) = move.happening {
            driving.betweenSteps = {
                let now = steps.withLock { steps in
                    steps += 1
                    return steps
                }
                if now == step + 1 { cancels.continuation.yield() }
            }
        }
        let told = try world.world.time.run("\(move)", driving: driving) { () async -> Told in
            await Self.take(move, in: world, life, cancels.stream)
        }
        guard life.isDead else { return (told.name, told.attempt) }
        // What was under way when the process ended comes to its own end, without anybody.
        world.world.device.control.background()
        world.world.time.advance(by: .seconds(300))
        return ("died", told.attempt)
    }

    private struct Told {
        var name: String
        var attempt: AttemptID?
    }

    private static func take(
        _ move: Move,
        in world: ProofWorld,
        _ life: Life,
        _ cancels: AsyncStream<Void>
    ) async -> Told {
        let pointOfSale: PointOfSale
        do throws(PointOfSaleError) {
            pointOfSale = try await world.open(move, life)
        } catch {
            return Told(name: "not open: \(error)")
        }
        stage(move, in: world)
        try? await pointOfSale.prepare()
        return await withTaskGroup(of: Told?.self) { group in
            group.addTask {
                for await _ in cancels { _ = await pointOfSale.cancel(move.order) }
                return nil
            }
            var told = Told(name: "nothing")
            do throws(PaymentRefusal) {
                let amount = try money()
                let outcome = try await pointOfSale.take(.sale(amount, for: move.order)) {
                    told.attempt = $0.attempt
                }
                told.name = outcome.name
            } catch {
                told.name = "refused \(error.code)"
            }
            group.cancelAll()
            return told
        }
    }

    private static func money() throws(PaymentRefusal) -> Money {
        do throws(PaymentError) {
            return try Money(minorUnits: ProofWorld.price, currency: .usd)
        } catch {
            throw .cannotRecord("\(error)")
        }
    }

    /// Puts what happens in its place.
    private static func stage(_ move: Move, in world: ProofWorld) {
        let control = world.world.device.control
        let declines = move.happening == .decline
        control.alwaysThisCard = SimulatedCard.named(declines ? "declined-funds" : "visa-credit")
        switch move.happening {
        case .lostBefore, .lostAfter, .lostAndBooksDown:
            world.finix.loseNextPayment(booked: move.happening != .lostBefore)
            world.revolut.loseNextCharge(booked: move.happening != .lostBefore)
            guard move.happening == .lostAndBooksDown else { return }
            world.finix.cutBackOffice()
            world.revolut.cutBackOffice()
        case .pending(let approves):
            world.finix.leavePending(until: .seconds(200), succeeds: approves)
        case .customerCancels:
            control.alwaysThisCard = nil
            control.customerWillCancel(after: .milliseconds(5))
        case .signedOut: world.revolut.revokeDeviceTokens()
        case .approve, .decline, .cancel, .diesAtWrite, .diesAtRequest: break
        }
    }

    /// Everything is in order again, time has passed, and a new process asks about what is open.
    private static func settle(_ move: Move, in world: ProofWorld) throws {
        world.heal()
        world.world.time.advance(by: .seconds(1_200))
        var calm = move
        calm.happening = .approve
        let asked = calm
        let failure = try world.world.time.run("resolving") { () async -> PointOfSaleError? in
            let pointOfSale: PointOfSale
            do throws(PointOfSaleError) {
                pointOfSale = try await world.open(asked, Life(.approve))
            } catch {
                return error
            }
            for _ in 0..<3 {
                let open = await pointOfSale.unresolved
                if open.isEmpty { return nil }
                for payment in open { _ = await pointOfSale.resolve(payment) }
                try? await world.world.time.clock.sleep(for: .seconds(600))
            }
            return nil
        }
        if let failure { throw failure }
    }

    // MARK: - Judging

    private static func judge(_ seen: [Seen], in world: ProofWorld) throws -> Outcome {
        let moved = world.moved
        var charges: [Order: Int] = [:]
        for attempt in seen {
            charges[attempt.move.order, default: 0] += attempt.records.reduce(0) {
                $0 + (moved[$1] ?? 0)
            }
        }
        let endings = try world.world.time.run("reading") {
            await world.journal.read { book in
                Dictionary(uniqueKeysWithValues: book.all.map { ($0.id, $0.ending) })
            }
        }
        return Outcome(
            told: seen.map(\.told),
            charges: charges,
            violation: violation(seen, moved, charges, endings)
        )
    }

    private static func violation(
        _ seen: [Seen],
        _ moved: [String: Int],
        _ charges: [Order: Int],
        _ endings: [AttemptID: Ending?]
    ) -> String? {
        for (order, count) in charges where count > 1 {
            return "order \(order) was charged \(count) times"
        }
        for attempt in seen {
            if attempt.told.hasPrefix("not open") { return "\(attempt.move): \(attempt.told)" }
            let charged = attempt.records.reduce(0) { $0 + (moved[$1] ?? 0) }
            if let wants = wanted(attempt.told), wants != charged {
                return "\(attempt.move): told \(attempt.told), and \(charged) moved"
            }
            guard let id = attempt.attempt, let ending = endings[id], let ending else { continue }
            let known = ending.receipt == nil ? 0 : 1
            if known != charged {
                return "\(attempt.move): resolved as \(ending.name), and \(charged) moved"
            }
        }
        return nil
    }

    /// How often an app that was told so must have been charged; nil where it was told nothing.
    private static func wanted(_ told: String) -> Int? {
        switch told {
        case "approved": 1
        case "declined", "cancelled", "failed": 0
        case _ where told.hasPrefix("refused"): 0
        default: nil
        }
    }
}
