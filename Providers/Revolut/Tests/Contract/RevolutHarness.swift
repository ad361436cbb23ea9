public import AcquirerSimulation
public import PaymentCore
public import ProviderContractKit
import RevolutPayments
import RevolutSimulation
import Simulation

/// Revolut for the contract, in its simulation.
public struct RevolutHarness: ContractHarness {
    public let provider = "revolut"
    public let section = #"{ "environment": "simulated", "clientID": "demo" }"#
    public let currency = Currency.gbp
    public let facets: Set<ContractCapability> = [.appTokens, .codes, .declineReasons]
    public let secrets = [RevolutEmulator.apiKey]
    public init() {}

    public func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        let (emulator, screen) = (RevolutEmulator(world: world), RevolutScreen())
        tokens.issue { emulator.issueDeviceToken() }
        let factory = ProviderFactory(name: provider) { section, environment in
            RevolutConfiguration(section).map {
                .simulatedRevolut(
                    $0, world: world, emulator: emulator, screen: screen, tokens: tokens,
                    environment: environment)
            }
        }
        return ContractStage(factory: factory, host: emulator.host, step: Self.step(of:)) {
            switch $0 {
            case .pending: return false
            case .tokensExpire: emulator.revokeDeviceTokens()
            case .customerPaysCode(let delay):
                screen.observe { content in
                    guard case .code(_, let order) = content else { return }
                    world.time.clock.schedule(after: delay) { emulator.payByCode(order) }
                }
            }
            return true
        }
    }
}
