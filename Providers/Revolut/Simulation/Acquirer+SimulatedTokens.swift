public import AcquirerSimulation
public import PaymentCore
import PaymentTransport
public import RevolutPayments

extension ProviderFactory {
    /// Revolut in a simulated world, with an app's own source of device tokens.
    ///
    /// - Parameters:
    ///   - world: The world with the reader and the ledger.
    ///   - emulator: The Revolut that both sides of the adapter talk to.
    ///   - screen: What the kit shows itself on.
    ///   - tokens: The app's source of device tokens.
    ///   - endsTwice: Whether the kit of the app's next start tells the end of each flow twice.
    /// - Returns: A factory that makes both sides from a section of the configuration.
    public static func simulatedRevolut(
        _ world: SimulatedWorld,
        _ emulator: RevolutEmulator,
        _ screen: RevolutScreen,
        _ tokens: any TokenProvider,
        endsTwice: @escaping @Sendable () -> Bool = { false }
    ) -> ProviderFactory {
        ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                var script = RevolutKitScript()
                if endsTwice() { script.anomaly = .secondCompletion }
                return .simulatedRevolut(
                    configuration,
                    world: world,
                    emulator: emulator,
                    screen: screen,
                    tokens: tokens,
                    script: script,
                    environment: environment
                )
            }
        }
    }
}

extension Acquirer {
    /// Revolut in a simulated world, with an app's own source of device tokens.
    ///
    /// - Parameters:
    ///   - configuration: A configuration whose environment is `simulated`.
    ///   - world: The world with the reader and the ledger.
    ///   - emulator: The Revolut that both sides of the adapter talk to.
    ///   - screen: What the kit shows itself on.
    ///   - tokens: The app's source of device tokens.
    ///   - script: Which shapes the kit shows.
    ///   - environment: Where time and threads come from.
    /// - Returns: Both sides of the adapter.
    public static func simulatedRevolut(
        _ configuration: RevolutConfiguration,
        world: SimulatedWorld,
        emulator: RevolutEmulator,
        screen: RevolutScreen,
        tokens: any TokenProvider,
        script: RevolutKitScript,
        environment: PaymentEnvironment
    ) -> Acquirer {
        .revolut(
            configuration,
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            transport: emulator.host,
            tokenProvider: tokens,
            environment: environment
        ) { context in
            SimulatedRevolutDriver(
                kit: RevolutTapToPayKit(
                    clientID: configuration.clientID,
                    world: world,
                    emulator: emulator,
                    screen: screen,
                    script: script,
                    tokens: context.tokens,
                    onLogout: context.onLogout
                )
            )
        }
    }
}
