public import AcquirerSimulation
public import FinixPayments
public import PaymentCore

extension ProviderFactory {
    /// Finix in a simulated world, for programs that link no vendor's SDK.
    ///
    /// The emulated Finix belongs to the world: whoever opens a point of sale again finds its books.
    ///
    /// - Parameters:
    ///   - world: The world with the reader and the ledger.
    ///   - parts: What a Device is provisioned with, where the configuration names none.
    ///   - arrange: Called with the configuration and the emulated Finix whenever one is opened.
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
            let merchant = configuration.account.merchant
            let emulator = world.acquirer("finix \(merchant)") {
                FinixEmulator(world: world, merchant: merchant, devices: [:])
            }
            let device = configuration.deviceID
            if !device.isEmpty { emulator.books.admit(device) }
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
