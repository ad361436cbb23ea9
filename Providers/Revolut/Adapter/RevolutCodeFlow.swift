import PaymentCore
import Synchronization

/// The adapter's own way to be paid where no kit can run: a code for the customer's own device.
final class RevolutCodeFlow: Sendable {
    private let backOffice: any BackOffice
    private let environment: PaymentEnvironment
    private let cancelled = Mutex<Set<AttemptID>>([])

    init(_ backOffice: any BackOffice, environment: PaymentEnvironment) {
        self.backOffice = backOffice
        self.environment = environment
    }

    /// Remembers that an attempt is to be closed; the flow sees it when it looks next.
    func cancel(_ attempt: AttemptID) -> Cancellation {
        cancelled.withLock { _ = $0.insert(attempt) }
        return .asked
    }

    func perform(_ attempt: PaymentAttempt, _ context: AttemptContext) async -> ProviderAnswer {
        defer { cancelled.withLock { _ = $0.remove(attempt.id) } }
        switch await backOffice.link(for: attempt) {
        case .unsupported: return .notCharged(PaymentError(.deviceUnsupported))
        case .notMade(let error): return .notCharged(error)
        case .unknown(let error): return .unknown(error)
        case .link(let url, let reference, let expiresAt):
            await context.note(reference)
            context.report(.showQRCode(url, expiresAt: expiresAt))
            return await wait(for: reference, attempt)
        }
    }

    private func wait(
        for reference: AcquirerReference,
        _ attempt: PaymentAttempt
    ) async -> ProviderAnswer {
        while true {
            if cancelled.withLock({ $0.contains(attempt.id) }) { return await close(reference) }
            if let record = await read(reference, attempt), let answer = answer(for: record) {
                return answer
            }
            guard (try? await environment.clock.sleep(for: Self.pause)) != nil else {
                return .unknown(PaymentError(.outcomeUnknown, detail: "the wait was interrupted"))
            }
        }
    }

    private func read(
        _ reference: AcquirerReference,
        _ attempt: PaymentAttempt
    ) async -> AcquirerRecord? {
        let query = RecordQuery(
            account: attempt.account,
            references: [reference],
            created: attempt.startedAt...attempt.startedAt,
            kind: .sale
        )
        return try? await backOffice.records(query).records.first
    }

    /// What a record means while the code is shown; nil while the customer may still pay.
    private func answer(for record: AcquirerRecord) -> ProviderAnswer? {
        switch record.state {
        case .succeeded: .approved(record.approval)
        case .declined(let decline): .declined(decline)
        case .cancelled: .notCharged(PaymentError(.expired))
        case .payable, .pending, .unknown: nil
        }
    }

    /// Cancelling closes the order first: a payment that wins the race is told as paid.
    private func close(_ reference: AcquirerReference) async -> ProviderAnswer {
        switch await backOffice.close(reference) {
        case .closed(let record), .alreadyFinal(let record):
            switch record.state {
            case .succeeded: .approved(record.approval)
            case .declined(let decline): .declined(decline)
            case .cancelled: .cancelled
            case .payable, .pending, .unknown: .unknown(PaymentError(.outcomeUnknown))
            }
        case .notClosed(let error): .unknown(error)
        case .unsupported: .unknown(PaymentError(.outcomeUnknown))
        }
    }

    /// How often the order is read while the code is shown.
    private static let pause = Duration.seconds(2)
}
