import PaymentCore
import ReaderSimulation
import Simulation

/// An app that does everything as it should: prepares, reads, sends once a key, asks when in doubt.
///
/// It shows how a program that owns a reader can be written, and is what scenarios run by default.
public struct ReferenceClient: ScenarioClient {
    /// Creates the client.
    public init() {}

    /// Finishes what an earlier process left open, then sells what is left to sell.
    public func run(_ seat: ClientSeat) async {
        seat.hear { attempt, reply in take(reply, about: attempt, seat) }
        for entry in seat.journal.open { await finish(entry, seat) }
        let done = seat.journal.endedSales
        guard done < seat.sale.count else { return }
        for number in (done + 1)...seat.sale.count {
            guard let attempt = seat.journal.begin(sale: number) else { return }
            let outcome = await sell(attempt, seat)
            seat.journal.set(attempt, .ended(outcome))
        }
    }

    /// A notice: what the acquirer says last counts, and is told where it is news.
    private func take(_ reply: SubmissionDesk.Reply, about attempt: String, _ seat: ClientSeat) {
        guard let told = seat.journal.ending(of: attempt), let outcome = final(reply, seat),
            outcome != told
        else { return }
        seat.journal.set(attempt, .ended(outcome))
    }

    /// An attempt of an earlier process: without a submission nothing was charged.
    private func finish(_ entry: ClientJournal.Entry, _ seat: ClientSeat) async {
        let outcome: ClientOutcome
        switch entry.stage {
        case .begun: outcome = .notSent
        case .submitting:
            seat.journal.tell(entry.attempt, .unknown)
            outcome = await resolve(entry.attempt, seat)
        case .ended: return
        }
        seat.journal.set(entry.attempt, .ended(outcome))
    }

    private func sell(_ attempt: String, _ seat: ClientSeat) async -> ClientOutcome {
        var patience = Patience()
        while true {
            do throws(ReaderError) {
                try await prepare(seat)
                if seat.sale.pause > .zero { await seat.pause(seat.sale.pause) }
                let result = try await read(seat)
                return await submit(result, attempt, seat)
            } catch {
                if let outcome = await recover(from: error, &patience, seat) { return outcome }
            }
        }
    }

    // MARK: - The reader

    private func prepare(_ seat: ClientSeat) async throws(ReaderError) {
        if case .unsupported(let error) = seat.reader.support() { throw error }
        let fetched = await seat.within(.seconds(30)) {
            await result { () throws(ReaderError) in try await seat.tokens.fetch() }
        }
        // A provider that did not answer in time is as good as one that was not reached.
        guard case .success(let token) = fetched else {
            guard case .failure(let error) = fetched, error.code != .readCancelled else {
                throw ReaderError(.networkUnavailable)
            }
            throw error
        }
        // The device may need two minutes the first time; past that nobody waits any more.
        let prepared = await seat.within(.seconds(240)) {
            await result { () throws(ReaderError) in try await seat.reader.prepare(token: token) }
        }
        try (prepared ?? .failure(ReaderError(.prepareCancelled))).get()
    }

    private func link(_ seat: ClientSeat) async -> ReaderError? {
        let linked = await seat.within(.seconds(240)) {
            await result { () throws(ReaderError) in
                try await seat.reader.link(token: try await seat.tokens.fetch())
            }
        }
        if case .failure(let error) = linked { return error }
        return linked == nil ? ReaderError(.accountLinkFailed) : nil
    }

    private func read(_ seat: ClientSeat) async throws(ReaderError) -> ReadResult {
        let request = ReadRequest(
            kind: seat.sale.kind,
            minorUnits: seat.sale.minorUnits,
            currency: seat.sale.currency,
            preferredApplications: seat.sale.preferredApplications
        )
        return try await seat.reader.read(request)
    }

    /// How often each kind of trouble is met with another try.
    private struct Patience {
        var left: [ReaderError.Retry: Int] = [
            .token: 2, .prepare: 2, .prepareOnce: 1, .later: 3, .onForeground: 3, .user: 1,
        ]

        mutating func use(_ retry: ReaderError.Retry) -> Bool {
            guard let left = left[retry], left > 0 else { return false }
            self.left[retry] = left - 1
            return true
        }
    }

    /// Repairs what can be repaired without asking anybody; nil when another try is worth it.
    private func recover(
        from error: ReaderError,
        _ patience: inout Patience,
        _ seat: ClientSeat
    ) async -> ClientOutcome? {
        if error.code == .readCancelled { return .cancelled }
        // A read that was under way is the cashier's to repeat, with the customer there.
        let isRead = error.code == .interrupted && error.payloadMayExist
        guard !isRead, patience.use(error.retry), !Task.isCancelled else {
            _ = await seat.untilForeground()
            return .failed(error.code)
        }
        switch error.retry {
        case .later: await seat.pause(.seconds(10))
        case .onForeground:
            guard await seat.untilForeground() else { return .failed(error.code) }
        case .user:
            guard error.code == .accountNotLinked else { return .failed(error.code) }
            if let failure = await link(seat) { return .failed(failure.code) }
        default: break
        }
        return nil
    }

    // MARK: - The acquirer

    private func submit(
        _ first: ReadResult,
        _ attempt: String,
        _ seat: ClientSeat
    ) async -> ClientOutcome {
        var result = first
        var tries = 0
        seat.journal.set(attempt, .submitting)
        while true {
            tries += 1
            let reply: SubmissionDesk.Reply
            do throws(SubmissionDesk.Failure) {
                reply = try await send(submission(of: result, attempt, seat), seat)
            } catch {
                guard case .notSent(let reason) = error else {
                    seat.journal.tell(attempt, .unknown)
                    return await resolve(attempt, seat)
                }
                guard tries < 4, reason.code != .resultExpired, reason.retry != .never,
                    !Task.isCancelled
                else { return .failed(reason.code) }
                await seat.pause(.seconds(5))
                continue
            }
            switch reply {
            case .pinRequired:
                do throws(ReaderError) {
                    result = try await seat.reader.capturePIN(
                        token: PINToken("pin-\(attempt)", readID: result.readID),
                        readID: result.readID
                    )
                } catch {
                    return error.code == .readCancelled ? .cancelled : .failed(error.code)
                }
            case .pending:
                seat.journal.tell(attempt, .unknown)
                return await resolve(attempt, seat)
            case .refused(429) where tries < 4, .refused(401) where tries < 3:
                await seat.pause(.seconds(5))
            case .refused: return .notCharged
            case .approved, .declined, .cancelled, .reversed:
                return final(reply, seat) ?? .unknown
            }
        }
    }

    /// Sends a payload; an answer that does not come for long is no answer.
    private func send(
        _ submission: SubmissionDesk.Submission,
        _ seat: ClientSeat
    ) async throws(SubmissionDesk.Failure) -> SubmissionDesk.Reply {
        let sent = await seat.within(.seconds(180)) {
            () async -> Result<SubmissionDesk.Reply, SubmissionDesk.Failure> in
            do throws(SubmissionDesk.Failure) {
                return .success(try await seat.submit(submission))
            } catch {
                return .failure(error)
            }
        }
        return try (sent ?? .failure(.noReply)).get()
    }

    private func submission(
        of result: ReadResult,
        _ attempt: String,
        _ seat: ClientSeat
    ) -> SubmissionDesk.Submission {
        SubmissionDesk.Submission(
            payload: result.payload,
            key: attempt,
            attempt: attempt,
            merchant: seat.merchant,
            minorUnits: seat.sale.kind == .verification ? 0 : seat.sale.minorUnits,
            currency: seat.sale.currency
        )
    }

    private func final(_ reply: SubmissionDesk.Reply, _ seat: ClientSeat) -> ClientOutcome? {
        switch reply {
        case .approved(let minorUnits):
            minorUnits < seat.sale.minorUnits ? .partlyApproved(minorUnits) : .approved
        case .declined(let refusal): .declined(refusal)
        case .cancelled: .cancelled
        case .reversed: .reversed
        case .pending, .pinRequired, .refused: nil
        }
    }

    /// Asks the books until they know; what they do not know after the payload's end was not sent.
    private func resolve(_ attempt: String, _ seat: ClientSeat) async -> ClientOutcome {
        var waited = Duration.zero
        while waited < .seconds(1_800), !Task.isCancelled {
            do throws(SubmissionDesk.Failure) {
                // A PIN that was asked for when nobody heard it comes too late by then.
                guard let reply = try await seat.query(attempt), reply != .pinRequired else {
                    if waited >= .seconds(120) { return .notCharged }
                    await seat.pause(.seconds(10))
                    waited += .seconds(10)
                    continue
                }
                if let outcome = final(reply, seat) { return outcome }
            } catch {
                // Nobody could be asked; the attempt stays open.
            }
            await seat.pause(.seconds(30))
            waited += .seconds(30)
        }
        return .unknown
    }
}

private func result<Value: Sendable>(
    _ call: () async throws(ReaderError) -> Value
) async -> Result<Value, ReaderError> {
    do throws(ReaderError) {
        return .success(try await call())
    } catch {
        return .failure(error)
    }
}
