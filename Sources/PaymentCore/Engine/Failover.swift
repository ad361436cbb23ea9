/// When a payment is taken at another acquirer, since the first could not begin.
///
/// Off unless it is configured. It never moves a payment whose vendor was called.
struct Failover: Hashable, Sendable {
    /// The acquirers to move to, by name, in order.
    var to: [String] = []
    /// The errors that allow it.
    var on: Set<PaymentError.Code> = []

    /// The errors that can be found before a vendor is called.
    static let codes: [PaymentError.Code] = [
        .deviceUnsupported, .systemTooOld, .passcodeRequired, .nfcDisabled, .notEntitled,
        .deviceRestricted, .deviceDisabled, .merchantBlocked, .merchantInvalid,
        .accountNotLinked, .linkStatusUnknown, .accountDeactivated, .notPrepared,
        .preparationFailed, .readerConfigurationInvalid, .merchantNotEnabled,
        .tokenUnavailable, .tokenInvalid, .networkUnavailable, .acquirerUnavailable,
        .signedOut, .timedOut,
    ]
}

extension ProviderReadiness {
    /// What keeps a payment from beginning, as far as preparing cannot help.
    var obstacle: PaymentError.Code? {
        if !isSupported { return .deviceUnsupported }
        if isSignedOut { return .signedOut }
        return switch link {
        case .notLinked: .accountNotLinked
        case .unknown: .linkStatusUnknown
        case .linked, .notNeeded: nil
        }
    }
}

extension PaymentEngine {
    /// Which acquirer takes a payment, and what was found on the way.
    struct Choice: Sendable {
        let acquirer: Acquirer
        /// The request as this acquirer gets it.
        let request: PaymentRequest
        /// What a payment costs there, tip and surcharge included.
        let total: Money
        /// The acquirer that could not begin, where another one takes the payment.
        var movedFrom: String?
        /// Why, for people; nil when nothing stood in the way.
        var reason: String?
    }

    /// An acquirer that can serve a request, under its own merchant's name unless one is given.
    func choice(
        of acquirer: Acquirer,
        for request: PaymentRequest
    ) throws(PaymentRefusal) -> Choice {
        var request = request
        request.merchantName = request.merchantName ?? acquirer.merchantName
        let total = try RequestCheck(acquirers: acquirers).check(request, for: acquirer)
        return Choice(acquirer: acquirer, request: request, total: total)
    }

    /// Moves on from the first choice if it cannot begin, and says why or why not.
    func choose(_ first: Choice, for request: PaymentRequest) async -> Choice {
        var first = first
        guard !failover.to.isEmpty, let code = await obstacle(at: first.acquirer) else {
            return first
        }
        let name = first.acquirer.account.provider
        guard failover.on.contains(code) else {
            first.reason = "stayed at \(name) (\(code)): moving on \(code) is not configured"
            return first
        }
        var refusals: [String] = []
        for candidate in failover.to {
            guard let next = acquirers.first(where: { $0.account.provider == candidate }) else {
                continue
            }
            guard var moved = try? choice(of: next, for: request) else {
                refusals.append("\(candidate) cannot take it")
                continue
            }
            if let code = await obstacle(at: next) {
                refusals.append("\(candidate) is not ready (\(code))")
                continue
            }
            moved.movedFrom = name
            moved.reason = "moved from \(name) (\(code)) to \(candidate)"
            return moved
        }
        first.reason = "stayed at \(name) (\(code)): " + refusals.joined(separator: ", ")
        return first
    }

    /// What keeps an acquirer from beginning a payment; nothing was called for a payment yet.
    private func obstacle(at acquirer: Acquirer) async -> PaymentError.Code? {
        guard let readiness = await readiness(of: acquirer) else { return .timedOut }
        if let obstacle = readiness.obstacle { return obstacle }
        guard !readiness.isPrepared else { return nil }
        return await preparationError(of: acquirer)?.code
    }
}
