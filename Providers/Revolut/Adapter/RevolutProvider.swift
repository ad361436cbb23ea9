public import PaymentCore
import Synchronization

/// Takes payments at the counter through Revolut's kit, or by a code where no kit can run.
public final class RevolutProvider: PaymentProvider {
    /// What Revolut's Tap to Pay supports.
    public let capabilities: ProviderCapabilities
    let driver: any RevolutDriver
    let tokens: RevolutTokenSource
    let session: RevolutSession
    let code: RevolutCodeFlow?
    private let environment: PaymentEnvironment

    /// Creates the counter side.
    ///
    /// - Parameters:
    ///   - configuration: What the configuration says.
    ///   - tokenProvider: The app's source of device tokens.
    ///   - backOffice: What makes pages to pay on where no kit can run.
    ///   - environment: Where time and threads come from.
    ///   - driver: Makes the shim over the kit, or the simulated one.
    public init(
        configuration: RevolutConfiguration,
        tokenProvider: any TokenProvider,
        backOffice: (any BackOffice)?,
        environment: PaymentEnvironment,
        driver: (RevolutDriverContext) -> any RevolutDriver
    ) {
        self.environment = environment
        let session = RevolutSession()
        self.session = session
        let tokens = RevolutTokenSource(tokenProvider, environment: environment)
        self.tokens = tokens
        self.driver = driver(
            RevolutDriverContext(
                configuration: configuration,
                tokens: tokens,
                onLogout: {
                    tokens.close()
                    session.logOut(environment)
                }
            )
        )
        let showsCodes = !self.driver.isSupported
        code = showsCodes ? backOffice.map { RevolutCodeFlow($0, environment: environment) } : nil
        var capabilities = Self.capabilities(cancels: code != nil, hasKit: self.driver.isSupported)
        capabilities.amounts = configuration.amounts
        self.capabilities = capabilities
    }

    private static func capabilities(cancels: Bool, hasKit: Bool) -> ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale]
        capabilities.cancelFromCode = cancels
        capabilities.marker = true
        capabilities.signsOut = true
        capabilities.qrFallback = true
        capabilities.setUpTakesPayment = hasKit
        capabilities.series = hasKit
        capabilities.descriptionLength = 200
        return capabilities
    }

    /// Revolut's records name no device.
    public func device() -> String? { nil }

    /// The kit prepares itself; what can be told is a sign-out.
    public func readiness() -> ProviderReadiness {
        ProviderReadiness(
            isSupported: driver.isSupported || code != nil,
            link: .notNeeded,
            isPrepared: true,
            isSignedOut: session.isSignedOut
        )
    }

    /// The kit has no call to prepare; it does so with the first payment.
    public func prepare() {}

    /// Runs one flow to its end, and says what its callbacks add up to.
    public func perform(
        _ attempt: PaymentAttempt,
        context: AttemptContext
    ) async -> ProviderAnswer {
        guard case .take(let request) = attempt.operation,
            let amount = UInt(exactly: attempt.amount.minorUnits)
        else { return .notCharged(PaymentError(.requestRejected)) }
        if let code { return await code.perform(attempt, context) }
        guard driver.isSupported else { return .notCharged(PaymentError(.deviceUnsupported)) }
        let flow = flow(of: attempt, context)
        guard session.begin(flow) else { return .notCharged(PaymentError(.signedOut)) }
        defer { session.end() }
        let payment = RevolutPayment(
            amount: amount,
            currency: attempt.amount.currency.code,
            description: RevolutMarker.description(request.description, attempt.id),
            merchantName: request.merchantName
        )
        driver.performPayment(payment) {
            flow.report($0)
        } completion: {
            flow.complete()
        }
        await note(await flow.reported(), attempt, context)
        let end = await flow.ended()
        for other in end.others { await note(other, attempt, context) }
        return end.answer(tokenRefusal: tokens.refusal, total: attempt.amount)
    }

    /// A flow that has the journal keep what the kit reports of an attempt when it is over: no
    /// listing may deny it then.
    func flow(of attempt: PaymentAttempt, _ context: AttemptContext) -> RevolutFlow {
        RevolutFlow { [self] report in
            environment.start { await self.note(report, attempt, context) }
        }
    }

    /// Has the journal keep the charge report, before anybody is told what it says.
    func note(
        _ report: RevolutChargeReport?,
        _ attempt: PaymentAttempt,
        _ context: AttemptContext
    ) async {
        guard let report else { return }
        await context.note(RevolutReference.report(report, of: attempt.id))
    }

    /// The kit cannot be cancelled from code; a code that the adapter shows can be closed.
    public func cancel(_ attempt: AttemptID) -> Cancellation {
        code?.cancel(attempt) ?? .unsupported
    }
}

/// What outlives one flow: whether the merchant is signed out.
final class RevolutSession: Sendable {
    private let state = Mutex((isSignedOut: false, flow: (any RevolutRunningFlow)?.none))

    var isSignedOut: Bool { state.withLock { $0.isSignedOut } }

    func begin(_ flow: any RevolutRunningFlow) -> Bool {
        state.withLock { state in
            guard !state.isSignedOut else { return false }
            state.flow = flow
            return true
        }
    }

    func end() { state.withLock { $0.flow = nil } }

    /// Signs out; a running flow that does not end by itself is given up after a while.
    func logOut(_ environment: PaymentEnvironment) {
        let flow = state.withLock { state in
            state.isSignedOut = true
            return state.flow
        }
        guard let flow else { return }
        flow.logOut()
        environment.start {
            try? await environment.clock.sleep(for: Self.patience)
            flow.giveUp()
        }
    }

    /// How long a flow may take to end after a sign-out.
    private static let patience = Duration.seconds(60)
}

/// The attempt's key at the end of the one text that a kit passes on.
enum RevolutMarker {
    private static let mark = "~m:"

    static func description(_ text: String?, _ attempt: AttemptID) -> String {
        [text, mark + attempt.description].compactMap(\.self).joined(separator: " ")
    }

    /// The key that a text carries, after the mark or alone; nil for what is left of one that was
    /// cut, since nobody can say whose that was.
    static func marker(in text: String?) -> String? {
        guard let text, !isOwn(text) else { return text }
        return text.split(whereSeparator: \.isWhitespace).last { word in
            word.hasPrefix(mark) && isOwn(word.dropFirst(mark.count))
        }.map { String($0.dropFirst(mark.count)) }
    }

    /// Whether a text by itself has the form of an attempt's key: letters, none of them a vowel.
    static func isOwn(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 24 && text.utf8.allSatisfy { 98...122 ~= $0 && !vowels.contains($0) }
    }

    private static let vowels = Set("eilou".utf8)
}
