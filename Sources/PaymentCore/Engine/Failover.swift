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
    final class Choice: Sendable {
        let acquirer: Acquirer
        /// The request as this acquirer gets it.
        let request: PaymentRequest
        /// What a payment costs there, tip and surcharge included.
        let total: Money
        /// The acquirer that could not begin, where another one takes the payment.
        let movedFrom: String?
        /// Why, for people; nil when nothing stood in the way.
        let reason: String?

        init(
            _ acquirer: Acquirer,
            _ request: PaymentRequest,
            _ total: Money,
            movedFrom: String? = nil,
            because reason: String? = nil
        ) {
            self.acquirer = acquirer
            self.request = request
            self.total = total
            self.movedFrom = movedFrom
            self.reason = reason
        }

        /// The same choice, and why it was made.
        func made(because reason: String, movingFrom name: String? = nil) -> Choice {
            Choice(acquirer, request, total, movedFrom: name, because: reason)
        }
    }

    /// An acquirer that can serve a request, under its own merchant's name unless one is given.
    func choice(
        of acquirer: Acquirer,
        for request: PaymentRequest
    ) throws(PaymentRefusal) -> Choice {
        var request = request
        request.merchantName = request.merchantName ?? acquirer.merchantName
        let total = try RequestCheck(acquirers: acquirers).check(request, for: acquirer)
        return Choice(acquirer, request, total)
    }

    /// Moves on from the first choice if it cannot begin, and says why or why not.
    func choose(_ first: Choice, for request: PaymentRequest) async -> Choice {
        guard let code = await obstacle(at: first.acquirer) else { return first }
        let name = first.acquirer.account.provider
        guard failover.on.contains(code) else {
            return first.made(
                because: "stayed at \(name) (\(code)): moving on \(code) is not configured"
            )
        }
        var refusals: [String] = []
        for candidate in failover.to {
            guard let next = acquirers.first(where: { $0.account.provider == candidate }) else {
                continue
            }
            guard let choice = try? choice(of: next, for: request) else {
                refusals.append("\(candidate) cannot take it")
                continue
            }
            if let code = await obstacle(at: next) {
                refusals.append("\(candidate) is not ready (\(code))")
                continue
            }
            return choice.made(
                because: "moved from \(name) (\(code)) to \(candidate)",
                movingFrom: name
            )
        }
        return first.made(
            because: "stayed at \(name) (\(code)): " + refusals.joined(separator: ", ")
        )
    }

    /// What keeps an acquirer from beginning a payment; nothing was called for a payment yet.
    private func obstacle(at acquirer: Acquirer) async -> PaymentError.Code? {
        guard let readiness = await readiness(of: acquirer) else { return .timedOut }
        if let obstacle = readiness.obstacle { return obstacle }
        guard !readiness.isPrepared else { return nil }
        return await preparationError(of: acquirer)?.code
    }
}
