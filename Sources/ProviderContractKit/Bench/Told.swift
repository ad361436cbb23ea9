import PaymentCore

/// What an app was told about one call.
struct Told: Sendable {
    var outcome: PaymentOutcome?
    var refusal: PaymentRefusal?
    var events: [PaymentEvent] = []

    /// One word, and the code or category where there is one.
    var name: String { refusal.map { "refused \($0.code)" } ?? outcome?.name ?? "nothing" }

    /// The word alone.
    var word: String { String(name.prefix { $0 != " " }) }

    /// The name, and more about an error where there is more; for the report of a failure.
    var note: String {
        switch outcome {
        case .failed(let error): name + (error.detail.map { " (\($0))" } ?? "")
        case .unresolved(let payment): "\(name) (\(payment.reason))"
        default: refusal.map { "\(name) (\($0))" } ?? name
        }
    }

    var receipt: Receipt? { outcome?.receipt }

    var hold: Authorization? {
        if case .authorized(let authorization) = outcome { authorization } else { nil }
    }

    /// The last parts of the events' keys.
    var phases: [String] { events.map(\.phase) }
}

extension PaymentEvent {
    /// What happened, in one word; `finished` for the end.
    var phase: String {
        if case .finished = kind { return "finished" }
        return String(messageKey.description.split(separator: ".").last ?? "")
    }
}

extension PaymentOutcome {
    var name: String {
        switch self {
        case .approved: "approved"
        case .partlyApproved: "partlyApproved"
        case .authorized: "authorized"
        case .declined(let decline): "declined \(decline.category)"
        case .cancelled: "cancelled"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }

    var receipt: Receipt? {
        switch self {
        case .approved(let receipt), .partlyApproved(let receipt, _): receipt
        case .authorized(let authorization): authorization.receipt
        default: nil
        }
    }
}

extension FollowUpOutcome {
    var name: String {
        switch self {
        case .done: "done"
        case .pending: "pending"
        case .declined(let decline): "declined \(decline.category)"
        case .failed(let error): "failed \(error.code)"
        case .unresolved: "unresolved"
        }
    }

    var receipt: Receipt? {
        switch self {
        case .done(let receipt), .pending(let receipt): receipt
        default: nil
        }
    }

    var isAccepted: Bool { receipt != nil }
}

extension Resolution {
    var name: String {
        switch self {
        case .payment(let outcome): outcome.name
        case .followUp(let outcome): outcome.name
        }
    }
}
