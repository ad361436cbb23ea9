import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ProviderContractKit
import ReaderSimulation
import Synchronization

extension Mutant {
    /// Broken at the counter: answers, progress, cancelling, preparing.
    static let counter: [Mutant] = [
        Mutant("fails whatever it is asked") {
            $0.perform = { _, _, _, _ in .notCharged(PaymentError(.requestRejected)) }
        },
        Mutant("approves whatever it is asked, and sends nothing") {
            $0.perform = { _, attempt, _, _ in
                .approved(Approval(amount: .confirmed(attempt.amount)))
            }
        },
        Mutant("knows nothing, and nobody can be asked") {
            $0.perform = { inner, attempt, context, _ in
                _ = await inner.perform(attempt, context: context)
                return .unknown(PaymentError(.outcomeUnknown))
            }
            $0.listing = { listing, _ in listing = listing.emptied(isComplete: false) }
        },
        Mutant("tells what it does not know as failed", [.unknown, .events, .timeouts, .holds]) {
            $0.answer = { answer, _ in
                if case .unknown(let error) = answer { .notCharged(error) } else { answer }
            }
        },
        Mutant("tells what it does not know as declined", [.unknown, .events, .timeouts]) {
            $0.answer = { answer, _ in
                if case .unknown = answer { .declined(Decline(.generic)) } else { answer }
            }
        },
        Mutant("tells what it does not know as approved", [.unknown, .timeouts, .lookUp]) {
            $0.answer = { answer, attempt in
                guard case .unknown = answer else { return answer }
                return .approved(Approval(amount: .confirmed(attempt.amount)))
            }
        },
        Mutant("tells a decline as approved", [.declines, .sale, .holds, .events, .refunds]) {
            $0.answer = { answer, attempt in
                guard case .declined = answer else { return answer }
                return .approved(Approval(amount: .confirmed(attempt.amount)))
            }
        },
        Mutant("tells a decline as an error", [.declines, .sale]) {
            $0.answer = { answer, _ in
                guard case .declined = answer else { return answer }
                return .notCharged(PaymentError(.unclassified))
            }
        },
        Mutant("tells the amount that was asked", [.sale, .amounts]) {
            $0.answer = { answer, attempt in
                guard case .partlyApproved(var approval) = answer else { return answer }
                approval.amount = .confirmed(attempt.amount)
                return .approved(approval)
            }
        },
        Mutant("tells twice the amount", [.amounts, .refunds, .receipts]) {
            $0.answer = { answer, attempt in
                guard case .approved(var approval) = answer,
                    let twice = try? attempt.amount.multiplied(by: 2)
                else { return answer }
                approval.amount = .confirmed(twice)
                return .approved(approval)
            }
        },
        Mutant("gives no reference", [.receipts, .refunds, .holds, .sale, .lookUp]) {
            $0.answer = { answer, _ in
                answer.changed {
                    $0.references = []
                    if let money = $0.amount.money { $0.amount = .reported(money) }
                }
            }
            $0.listing = { listing, _ in listing.records = [] }
        },
        Mutant("makes references up", [.receipts, .sale, .refunds]) {
            $0.answer = { answer, _ in
                answer.changed {
                    $0.references = [AcquirerReference(kind: "payment", value: "made-up")]
                }
            }
        },
        Mutant("tells nothing of the card", [.receipts]) {
            $0.answer = { answer, _ in
                answer.changed {
                    $0.card = nil
                    $0.method = .unknown
                    $0.approvalCode = nil
                    $0.time = Date(timeIntervalSince1970: 0)
                }
            }
        },
        Mutant("takes a tip out of the amount", [.amounts]) {
            $0.attempt = { attempt in
                guard case .take(let request) = attempt.operation else { return attempt }
                return attempt.with(request.amount)
            }
        },
        Mutant("cancels after the card was read", [.cancelling, .concurrency]) {
            $0.cancelled(by: Asked())
        },
        Mutant("cancels whatever runs, and the next one too", [.cancelling, .concurrency]) {
            let wanted = LateCancel()
            $0.cancel = { _, _ in
                wanted.ask()
                return .asked
            }
            $0.perform = { inner, attempt, context, _ in
                if wanted.take() { return .cancelled }
                return await inner.perform(attempt, context: context)
            }
        },
        Mutant("never cancels, and says that it did", [.cancelling]) {
            $0.cancel = { _, _ in .asked }
        },
        Mutant("submits twice", [.sale, .amounts, .journal, .idempotency, .unknown, .redaction]) {
            $0.request = { request in
                request.isPayment
                    ? [request, request.replacing("key") { .text(($0.text ?? "") + "b") }]
                    : [request]
            }
        },
        Mutant("tells the card as read at once", [.events, .cancelling]) {
            $0.report = { context in
                context.report(.submitting)
                context.report(.cardRead)
            }
        },
        Mutant("prepares by a test payment", [.readiness]) {
            $0.prepare = { inner, scene, _ throws(PaymentError) in
                await scene.chat()
                try await inner.prepare()
            }
        },
        Mutant("prepares once in its life", [.readiness, .timeouts]) {
            $0.prepare = { inner, _, count throws(PaymentError) in
                guard count == 0 else { throw PaymentError(.preparationFailed) }
                try await inner.prepare()
            }
        },
        Mutant("is never ready and never signed out", [.readiness, .tokens]) {
            $0.readiness = { _ in
                ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: false)
            }
        },
        Mutant("is signed out by whatever happens", [.tokens, .readiness]) {
            $0.readiness = { readiness in
                var readiness = readiness
                readiness.isSignedOut = true
                return readiness
            }
        },
        Mutant(
            "talks to the acquirer whenever its device is asked for",
            [.sale, .holds, .journal, .readiness, .tokens]
        ) {
            $0.device = { scene in
                await scene.chat()
                return nil
            }
        },
        Mutant("fetches four tokens where one is needed", [.tokens]) { $0.tokenFetches = 4 },
        Mutant("has wording of its own for stolen cards", [.declines]) {
            $0.answer = { answer, _ in
                guard case .declined(let decline) = answer else { return answer }
                return .declined(Decline(.expiredCard, code: decline.code))
            }
        },
    ]

    /// Broken without codes, cancelling and follow-ups.
    static let plain: [Mutant] = [
        Mutant("fails whatever it is asked, plainly", base: .plain) {
            $0.perform = { _, _, _, _ in .notCharged(PaymentError(.requestRejected)) }
        },
        Mutant("shows a code that it does not declare", [.codes, .readiness], base: .plain) {
            $0.perform = { inner, attempt, context, _ in
                await inner.perform(attempt, context: context)
            }
        },
        Mutant("tells the amount that was asked, plainly", [.sale], base: .plain) {
            $0.answer = { answer, attempt in
                guard case .partlyApproved(var approval) = answer else { return answer }
                approval.amount = .confirmed(attempt.amount)
                return .approved(approval)
            }
        },
        Mutant("asks the app for tokens that it does not declare", [.tokens], base: .plain) {
            $0.tokenFetches = 2
        },
        Mutant(
            "declares more after a while",
            [.capabilities],
            base: .plain
        ) {
            $0.capabilities = { capabilities, looks in
                guard looks > 1 else { return }
                capabilities.kinds = Set(PaymentRequest.Kind.allCases)
                capabilities.amounts = AmountSupport()
                capabilities.tip = true
                capabilities.surcharge = true
            }
            $0.bookCapabilities = { capabilities, looks in
                if looks > 0 { capabilities.followUps = [.refund, .capture, .void] }
            }
        },
        Mutant("closes and links without declaring it", [.capabilities], base: .plain) {
            $0.isUndeclared = true
        },
        Mutant("signs out without declaring it", [.capabilities], base: .plain) {
            $0.readiness = { readiness in
                var readiness = readiness
                readiness.isSignedOut = true
                return readiness
            }
        },
        Mutant("declares sales after a while", [.capabilities], base: .holder) {
            $0.capabilities = { capabilities, looks in
                if looks > 1 { capabilities.kinds = [.sale] }
            }
        },
    ]
}

/// Remembers requests to cancel, and answers them when it is too late.
final class Asked: Sendable {
    private let asked = Mutex<Set<AttemptID>>([])
    func add(_ attempt: AttemptID) { asked.withLock { _ = $0.insert(attempt) } }
    func has(_ attempt: AttemptID) -> Bool { asked.withLock { $0.contains(attempt) } }
}

/// A request to cancel that belongs to nobody.
final class LateCancel: Sendable {
    private let wanted = Mutex(false)
    func ask() { wanted.withLock { $0 = true } }
    func take() -> Bool {
        wanted.withLock { wanted in
            defer { wanted = false }
            return wanted
        }
    }
}

extension Change {
    /// Tells every payment that somebody wished to cancel as cancelled, whatever became of it.
    fileprivate mutating func cancelled(by asked: Asked) {
        cancel = { inner, attempt in
            asked.add(attempt)
            _ = await inner.cancel(attempt)
            return .asked
        }
        answer = { answer, attempt in asked.has(attempt.id) ? .cancelled : answer }
    }
}

extension ProviderAnswer {
    /// The answer with its approval changed, if it has one.
    func changed(_ change: (inout Approval) -> Void) -> ProviderAnswer {
        switch self {
        case .approved(var approval):
            change(&approval)
            return .approved(approval)
        case .partlyApproved(var approval):
            change(&approval)
            return .partlyApproved(approval)
        case .authorized(var approval, let expiresAt):
            change(&approval)
            return .authorized(approval, expiresAt: expiresAt)
        default: return self
        }
    }
}

extension PaymentAttempt {
    /// The same over another amount.
    func with(_ amount: Money) -> PaymentAttempt {
        PaymentAttempt(
            id: id,
            account: account,
            operation: operation,
            startedAt: startedAt,
            amount: amount
        )
    }
}

extension RecordListing {
    func emptied(isComplete: Bool) -> RecordListing {
        RecordListing(
            records: [],
            isComplete: isComplete,
            account: account,
            acquirerTime: acquirerTime
        )
    }
}
