import PaymentCore
import PaymentTransport
import Synchronization

/// Takes payments at the counter through Acme.
final class AcmeProvider: PaymentProvider {
    private let api: AcmeAPI
    private let reader: any AcmeReader
    private let session: AcmeSession
    private let backOffice: AcmeBackOffice
    private let environment: PaymentEnvironment
    private let state = Mutex(State())

    private struct State {
        var current: AttemptID?
        var wasRead = false
        var cancelWanted: AttemptID?
        var isPrepared = false
    }

    init(
        api: AcmeAPI,
        reader: any AcmeReader,
        session: AcmeSession,
        backOffice: AcmeBackOffice,
        environment: PaymentEnvironment
    ) {
        self.api = api
        self.reader = reader
        self.session = session
        self.backOffice = backOffice
        self.environment = environment
    }

    var capabilities: ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale, .authorization, .refundToCard]
        capabilities.amounts.largest = 999_999_999
        capabilities.tip = true
        capabilities.surcharge = true
        capabilities.cancelFromCode = true
        capabilities.marker = true
        capabilities.signsOut = true
        capabilities.qrFallback = true
        capabilities.descriptionLength = 40
        return capabilities
    }

    func device() async -> String? { nil }

    func readiness() async -> ProviderReadiness {
        ProviderReadiness(
            isSupported: true,
            link: .notNeeded,
            isPrepared: state.withLock { $0.isPrepared },
            isSignedOut: session.isSignedOut
        )
    }

    func prepare() async throws(PaymentError) {
        guard reader.isSupported else { return }
        let token = try await readerToken()
        do throws(AcmeReaderError) {
            try await reader.prepare(token: token)
        } catch {
            throw PaymentError(error.code)
        }
        state.withLock { $0.isPrepared = true }
    }

    /// A token for the reader; a device token that was refused is replaced once.
    private func readerToken() async throws(PaymentError) -> String {
        for isSecond in [false, true] {
            let token = try await session.token(afterRefusal: isSecond)
            do throws(WireError) {
                let request = api.request(.get, "/reader-token", token: token)
                return try await api.client.read(request, as: AcmeAPI.Token.self).body.token
            } catch {
                guard error.status == 401 else { throw error.error }
            }
        }
        session.signOut()
        throw PaymentError(.signedOut)
    }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        guard case .take(let request) = attempt.operation else {
            return .notCharged(PaymentError(.requestRejected))
        }
        guard begin(attempt.id) else { return .cancelled }
        defer { end() }
        guard reader.isSupported else { return await showCode(attempt, context) }
        if !state.withLock({ $0.isPrepared }) {
            context.report(.preparing)
            do throws(PaymentError) { try await prepare() } catch { return .notCharged(error) }
        }
        if isCancelled(attempt.id) { return .cancelled }
        context.report(.presentCard)
        let payload: String
        do throws(AcmeReaderError) {
            payload = try await read(attempt, request.kind)
        } catch {
            return error.isCancelled ? .cancelled : .notCharged(PaymentError(error.code))
        }
        context.report(.cardRead)
        context.report(.submitting)
        return await submit(attempt, request, payload)
    }

    /// Cancels an attempt, at once or as soon as it can be.
    func cancel(_ attempt: AttemptID) async -> Cancellation {
        state.withLock { state in
            if state.current == attempt, state.wasRead { return .tooLate }
            state.cancelWanted = attempt
            return .asked
        }
    }

    private func begin(_ attempt: AttemptID) -> Bool {
        state.withLock { state in
            state.current = attempt
            state.wasRead = false
            return state.cancelWanted != attempt
        }
    }

    private func end() {
        state.withLock { state in
            state.current = nil
            state.cancelWanted = nil
        }
    }

    private func isCancelled(_ attempt: AttemptID) -> Bool {
        state.withLock { $0.cancelWanted == attempt }
    }

    /// Reads a card while somebody looks whether the read is to be cancelled.
    private func read(
        _ attempt: PaymentAttempt,
        _ kind: PaymentRequest.Kind
    ) async throws(AcmeReaderError) -> String {
        let result = await withTaskGroup(of: Result<String, AcmeReaderError>?.self) { group in
            group.addTask { [self] in
                let result: Result<String, AcmeReaderError>
                do throws(AcmeReaderError) {
                    result = .success(try await reader.read(attempt.amount, kind: kind))
                    state.withLock { $0.wasRead = true }
                } catch {
                    result = .failure(error)
                }
                return result
            }
            group.addTask { [self] in
                while (try? await environment.clock.sleep(for: .milliseconds(5))) != nil {
                    if isCancelled(attempt.id) { await reader.cancel() }
                }
                return nil
            }
            var result: Result<String, AcmeReaderError>?
            for await end in group where end != nil {
                result = end
                group.cancelAll()
            }
            return result
        }
        guard let result else { throw AcmeReaderError(.cardNotRead) }
        return try result.get()
    }

    private func submit(
        _ attempt: PaymentAttempt,
        _ request: PaymentRequest,
        _ payload: String
    ) async -> ProviderAnswer {
        let body = AcmeAPI.NewPayment(
            key: attempt.id.description,
            kind: request.kind.rawValue,
            amount: attempt.amount.minorUnits,
            currency: attempt.amount.currency.code,
            payload: payload,
            note: request.description
        )
        for isSecond in [false, true] {
            let token: AccessToken
            do throws(PaymentError) {
                token = try await session.token(afterRefusal: isSecond)
            } catch {
                return .notCharged(error)
            }
            do throws(WireError) {
                let request = api.request(.post, "/payments", token: token)
                let answer = try await api.client.write(request, body, as: AcmeAPI.Payment.self)
                return Self.answer(answer.body.record, to: attempt)
            } catch {
                // The refusal of a token proves that nothing was done.
                if error.status == 401 { continue }
                return error.mayHaveActed ? .unknown(error.error) : .notCharged(error.error)
            }
        }
        session.signOut()
        return .notCharged(PaymentError(.signedOut))
    }

    private static func answer(
        _ record: AcquirerRecord?,
        to attempt: PaymentAttempt
    ) -> ProviderAnswer {
        guard let record, record.marker == attempt.id.description else {
            return .unknown(PaymentError(.malformedAnswer))
        }
        switch record.state {
        case .succeeded where attempt.kind == .authorization:
            return .authorized(record.approval, expiresAt: record.expiresAt)
        case .succeeded where record.amount != attempt.amount:
            return .partlyApproved(record.approval)
        case .succeeded: return .approved(record.approval)
        case .declined(let decline): return .declined(decline)
        case .cancelled, .payable, .pending, .unknown:
            return .unknown(PaymentError(.outcomeUnknown))
        }
    }

    // MARK: Codes

    /// Shows a page to pay on until it is paid, closed or out of time.
    private func showCode(
        _ attempt: PaymentAttempt,
        _ context: AttemptContext
    ) async -> ProviderAnswer {
        switch await backOffice.link(for: attempt) {
        case .unsupported: return .notCharged(PaymentError(.deviceUnsupported))
        case .notMade(let error): return .notCharged(error)
        case .unknown(let error): return .unknown(error)
        case .link(let url, let reference, let expiresAt):
            await context.note(reference)
            context.report(.showQRCode(url, expiresAt: expiresAt))
            let start = environment.wallTime()
            while environment.wallTime().timeIntervalSince(start) < 600 {
                if isCancelled(attempt.id) { break }
                if await isPaid(reference, attempt) { break }
                try? await environment.clock.sleep(for: .seconds(2))
            }
            switch await backOffice.close(reference) {
            case .closed: return .cancelled
            case .alreadyFinal(let record): return Self.answer(record, to: attempt)
            case .notClosed(let error): return .unknown(error)
            case .unsupported: return .unknown(PaymentError(.outcomeUnknown))
            }
        }
    }

    private func isPaid(_ reference: AcquirerReference, _ attempt: PaymentAttempt) async -> Bool {
        let query = RecordQuery(
            account: attempt.account,
            references: [reference],
            created: attempt.startedAt...attempt.startedAt,
            kind: attempt.kind
        )
        let record = try? await backOffice.records(query).records.first
        return record?.state == .succeeded
    }
}
