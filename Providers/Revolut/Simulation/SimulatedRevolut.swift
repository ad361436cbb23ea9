public import AcquirerSimulation
public import PaymentCore
import PaymentTransport
public import RevolutPayments

/// Joins the simulated kit to the driver seam, as a shim joins the vendor's.
struct SimulatedRevolutDriver: RevolutDriver {
    let kit: RevolutTapToPayKit?

    var isSupported: Bool { kit != nil }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        kit?.performPayment(
            amount: payment.amount,
            currency: payment.currency,
            description: payment.description,
            merchantName: payment.merchantName
        ) { receipt, result in
            onDidCharge(RevolutChargeReport(receipt, result))
        } completion: {
            completion()
        }
    }

    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        kit?.performPayments(
            currency: series.currency,
            merchantName: series.merchantName
        ) { receipt, result in
            onDidCharge(RevolutChargeReport(receipt, result))
        } completion: {
            completion()
        }
    }

    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    ) {
        kit?.performFirstTimeSetup(
            shouldShowIntro: setUp.shouldShowIntro,
            currency: setUp.currency,
            merchantName: setUp.merchantName
        ) { receipt, result in
            completion(RevolutChargeReport(receipt, result))
        }
    }
}

extension RevolutChargeReport {
    fileprivate init(
        _ receipt: RevolutTapToPayKit.Receipt?,
        _ result: Result<Void, RevolutTapToPayKit.Error>
    ) {
        var failure: String?
        if case .failure(let error) = result { failure = "\(error)" }
        self.init(receipt: receipt?.url, failure: failure)
    }
}

/// Hands the adapter's tokens to the kit, whose own protocol it implements.
private struct KitTokens: TokenProviderProtocol {
    let source: RevolutTokenSource

    func fetchAccessToken() async throws -> SdkTokenApiDto {
        SdkTokenApiDto(accessToken: try await source.token().reveal())
    }
}

/// The app's own back end, as far as it hands out device tokens.
public struct SimulatedTokenProvider: TokenProvider {
    private let emulator: RevolutEmulator
    private let fault: @Sendable () -> TokenProviderError?

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - emulator: The Revolut that issues the tokens.
    ///   - fault: What goes wrong with the next token, if something does.
    public init(
        _ emulator: RevolutEmulator,
        fault: @escaping @Sendable () -> TokenProviderError? = { nil }
    ) {
        self.emulator = emulator
        self.fault = fault
    }

    /// A fresh device token.
    public func token() async throws -> AccessToken {
        if let error = fault() { throw error }
        return emulator.issueDeviceToken()
    }
}

/// What can be set about a simulated Revolut before a point of sale opens.
public struct RevolutStage: Sendable {
    /// Which shapes the kit shows.
    public var script = RevolutKitScript()
    /// What the kit shows itself on.
    public var screen = RevolutScreen()
    /// What the merchant does at the kit's screen.
    public var hands = RevolutHands()
    /// What the phone keeps for the app.
    public var installation = RevolutInstallation()
    /// Whether a kit can run here at all.
    public var hasKit = true
    /// What goes wrong with the next device token, if something does.
    public var tokenFault: @Sendable () -> TokenProviderError? = { nil }

    /// Where device tokens come from; straight from the emulator when nil.
    public var tokenProvider: (any TokenProvider)?

    /// Hears of the kit's sign-out, beside the adapter.
    public var onLogout: @Sendable () -> Void = {}

    /// Creates a stage on which nothing goes wrong.
    public init() {}
}

extension Acquirer {
    /// Revolut in a simulated world.
    ///
    /// - Parameters:
    ///   - configuration: A configuration whose environment is `simulated`.
    ///   - world: The world with the reader and the ledger.
    ///   - emulator: The Revolut that both sides of the adapter talk to.
    ///   - stage: What the kit does.
    ///   - environment: Where time and threads come from.
    /// - Returns: Both sides of the adapter.
    public static func simulatedRevolut(
        _ configuration: RevolutConfiguration,
        world: SimulatedWorld,
        emulator: RevolutEmulator,
        stage: RevolutStage = RevolutStage(),
        environment: PaymentEnvironment
    ) -> Acquirer {
        .revolut(
            configuration,
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            transport: emulator.host,
            tokenProvider: stage.tokenProvider
                ?? SimulatedTokenProvider(emulator, fault: stage.tokenFault),
            environment: environment
        ) { context in
            guard stage.hasKit else { return SimulatedRevolutDriver(kit: nil) }
            let phone = RevolutPhone(world: world, emulator: emulator, stage: stage)
            let kit = RevolutPhone.$current.withValue(phone) {
                RevolutTapToPayKit(
                    clientId: configuration.clientID,
                    environment: .production,
                    tokenProvider: KitTokens(source: context.tokens)
                ) {
                    stage.onLogout()
                    context.onLogout()
                }
            }
            return SimulatedRevolutDriver(kit: kit)
        }
    }
}

extension ProviderFactory {
    /// Revolut in a simulated world, for programs that link no vendor's kit.
    ///
    /// The emulated Revolut belongs to the world: whoever opens a point of sale again finds its books.
    ///
    /// - Parameters:
    ///   - world: The world with the reader and the ledger.
    ///   - arrange: Called with the configuration and the emulated Revolut whenever one is opened;
    ///     says what the kit does.
    /// - Returns: A factory that accepts the environment `simulated` alone.
    public static func simulatedRevolut(
        world: SimulatedWorld,
        arrange: @escaping @Sendable (RevolutConfiguration, RevolutEmulator) -> RevolutStage = {
            _,
            _ in RevolutStage()
        }
    ) -> ProviderFactory {
        ProviderFactory(name: "revolut") { section, environment in
            guard let configuration = RevolutConfiguration(section) else { return nil }
            guard configuration.account.environment == .simulated else {
                section.reject(
                    "environment",
                    "this program links no kit of Revolut's; accepted is \"simulated\""
                )
                return nil
            }
            guard world.holds(environment, section) else { return nil }
            let emulator = world.acquirer("revolut") { RevolutEmulator(world: world) }
            let stage = arrange(configuration, emulator)
            return .simulatedRevolut(
                configuration,
                world: world,
                emulator: emulator,
                stage: stage,
                environment: environment
            )
        }
    }
}
