public import AcquirerSimulation
public import FinixPayments
public import PaymentCore

extension ProviderFactory {
    /// Finix in a simulated world, for programs that link no vendor's SDK.
    ///
    /// - Parameters:
    ///   - world: The world with the reader and the ledger.
    ///   - parts: What a Device is provisioned with, where the configuration names none.
    ///   - arrange: Called once with the configuration and the emulated Finix.
    /// - Returns: A factory that accepts the environment `simulated` alone.
    public static func simulatedFinix(
        world: SimulatedWorld,
        parts: FinixPhoneParts = .simulated,
        arrange: @escaping @Sendable (FinixConfiguration, FinixEmulator) -> Void = { _, _ in }
    ) -> ProviderFactory {
        ProviderFactory(name: "finix") { section, environment in
            guard let configuration = FinixConfiguration(section) else { return nil }
            guard configuration.account.environment == .simulated else {
                section.reject(
                    "environment",
                    "this program links no SDK of Finix's; accepted is \"simulated\""
                )
                return nil
            }
            guard world.holds(environment, section), configuration.check(parts, section)
            else { return nil }
            let device = configuration.deviceID
            let emulator = FinixEmulator(
                world: world,
                merchant: configuration.account.merchant,
                devices: device.isEmpty ? [:] : [device: true]
            )
            arrange(configuration, emulator)
            return .simulatedFinix(
                configuration,
                world: world,
                emulator: emulator,
                parts: parts,
                environment: environment
            )
        }
    }
}
