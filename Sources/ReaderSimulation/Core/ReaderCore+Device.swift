import PaymentCore
import Simulation

extension DeviceTraits {
    /// Why no card can ever be read here.
    var unsupported: ReaderError? { hasReader ? nil : ReaderError(.deviceUnsupported) }
}

extension ReaderCore {
    // MARK: - Tokens

    /// What is wrong with a token.
    func judge(_ token: ReaderToken) -> ReaderError? {
        if token.text.isEmpty { return ReaderError(.tokenMissing) }
        if !token.isWellFormed { return ReaderError(.tokenInvalid) }
        if token.isTooOld(at: now) || token.waitedTooLong(at: now) || hasEnded(token) {
            return ReaderError(.tokenExpired)
        }
        let isKnown = traits.knownMerchants?.contains(token.merchant) ?? true
        return isKnown ? nil : ReaderError(.merchantInvalid)
    }

    func hasEnded(_ token: ReaderToken) -> Bool {
        guard let end = tokensEnd, let issuedAt = token.issuedAt else { return false }
        return issuedAt <= end
    }

    /// Lets every token so far age out.
    mutating func expireToken() {
        pass(.tokenExpiry, for: .nobody) { core in
            core.note("tokens age out")
            core.tokensEnd = core.now
            core.session?.hasExpiredToken = true
        }
    }

    // MARK: - What a device refuses

    /// Why this device does not prepare for a merchant.
    mutating func deviceRefusal(for merchant: String) -> ReaderError? {
        let offset = now.offset
        if !traits.isSystemSupported || traits.systemSupportEnds.map({ $0 <= offset }) ?? false {
            return ReaderError(.osUnsupported)
        }
        if !traits.hasPasscode { return ReaderError(.passcodeRequired) }
        switch traits.entitlement {
        case .granted: break
        case .missing: return ReaderError(.notEntitled)
        case .grantedAfterOneFailure:
            traits.entitlement = .granted
            return ReaderError(.notEntitled)
        }
        if let until = traits.bannedUntil, until > offset {
            let date = time.wallTime.addingTimeInterval((until - offset) / .seconds(1))
            return ReaderError(.deviceRestricted, until: date)
        }
        if traits.isStorageFull { return ReaderError(.readerStorageFull) }
        return accountLimit(for: merchant)
    }

    /// A device serves so many merchants in a day.
    private mutating func accountLimit(for merchant: String) -> ReaderError? {
        let now = now
        accounts = accounts.filter { $0.value.duration(to: now) < .seconds(24 * 3_600) }
        guard accounts[merchant] == nil, accounts.count >= Self.accountsADay else { return nil }
        return ReaderError(.merchantBlocked)
    }

    private static let accountsADay = 3

    /// Makes the device another one.
    ///
    /// - Parameters:
    ///   - new: What it is like from now on.
    ///   - before: The update that was wanted so far; one more is not begun twice.
    mutating func setTraits(_ new: DeviceTraits, before: DeviceTraits.Update) {
        traits = new
        if traits.update == .random {
            traits.update = [.none, .available, .required][Int(luck.next() % 3)]
        }
        if traits.update == .required, before != .required { configured = 0 }
        look()
    }

    // MARK: - The network

    mutating func set(_ network: ReaderControl.Network) {
        note("network \(network.rawValue)")
        self.network = network
    }

    /// What a request finds now; by chance where the network is so.
    mutating func networkError() -> ReaderError? {
        switch network {
        case .up, .slow: nil
        case .down, .silent: ReaderError(.networkUnavailable)
        case .intermittent: luck.next() % 2 == 0 ? nil : ReaderError(.networkUnavailable)
        case .captive: ReaderError(.networkAuthFailed)
        }
    }

    /// How much longer the network makes everything take.
    var networkDelay: Duration {
        switch network {
        case .slow: .seconds(3)
        case .silent: .seconds(15)
        case .up, .down, .intermittent, .captive: .zero
        }
    }

    /// The network goes and comes back so often, a second each.
    mutating func flap(_ times: Int) {
        guard times > 0 else { return }
        set(.down)
        afterwards(.seconds(1)) { core in
            core.set(.up)
            guard times > 1 else { return }
            core.afterwards(.seconds(1)) { $0.flap(times - 1) }
        }
    }
}
