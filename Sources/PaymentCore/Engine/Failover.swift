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
        /// What a payment costs there, tip and surcharge included.
        let total: Money
        /// The acquirer that could not begin, where another one takes the payment.
        var movedFrom: String?
        /// Why, for people; nil when nothing stood in the way.
        var reason: String?
    }

    /// Chooses the acquirer of a request that the first one could serve.
    func choose(_ request: PaymentRequest, _ total: Money) async -> Choice {
        var choice = Choice(acquirer: active, total: total)
        guard !failover.to.isEmpty, let code = await obstacle(at: active) else { return choice }
        let name = active.account.provider
        guard failover.on.contains(code) else {
            choice.reason = "stayed at \(name) (\(code)): moving on \(code) is not configured"
            return choice
        }
        var refusals: [String] = []
        for candidate in failover.to {
            guard let next = acquirers.first(where: { $0.account.provider == candidate }) else {
                continue
            }
            var request = request
            request.merchantName = request.merchantName ?? next.merchantName
            guard let total = try? RequestCheck(acquirers: acquirers).check(request, for: next)
            else {
                refusals.append("\(candidate) cannot take it")
                continue
            }
            if let code = await obstacle(at: next) {
                refusals.append("\(candidate) is not ready (\(code))")
                continue
            }
            return Choice(
                acquirer: next,
                total: total,
                movedFrom: name,
                reason: "moved from \(name) (\(code)) to \(candidate)"
            )
        }
        choice.reason = "stayed at \(name) (\(code)): " + refusals.joined(separator: ", ")
        return choice
    }

    /// What keeps an acquirer from beginning a payment; nothing was called for a payment yet.
    private func obstacle(at acquirer: Acquirer) async -> PaymentError.Code? {
        guard let readiness = await readiness(of: acquirer) else { return .timedOut }
        if let obstacle = readiness.obstacle { return obstacle }
        guard !readiness.isPrepared else { return nil }
        let provider = acquirer.provider
        let error = await shield.run(deadline: settling.preparationDeadline) {
            () async -> PaymentError? in
            do throws(PaymentError) {
                try await provider.prepare()
                return nil
            } catch {
                return error
            }
        }
        return error.map { $0?.code } ?? .timedOut
    }
}
