package import AcquirerSimulation
package import PaymentCore
package import ProviderContractKit
import RevolutPayments
import RevolutSimulation
import Simulation

/// Revolut for the contract, in its simulation.
package struct RevolutHarness: ContractHarness {
    package let provider = "revolut"
    package let section = #"{ "environment": "simulated", "clientID": "demo" }"#
    package let currency = Currency.gbp
    package let facets: Set<ContractCapability> = [
        .appTokens, .codes, .declineReasons, .duplicateNotices,
    ]
    package let secrets = [RevolutEmulator.apiKey]
    package init() {}

    package func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        let (emulator, screen) = (RevolutEmulator(world: world), RevolutScreen())
        let twice = ContractFlag()
        tokens.issue { emulator.issueDeviceToken() }
        let factory = ProviderFactory(name: provider) { section, environment in
            RevolutConfiguration(section).map { configuration in
                var stage = RevolutStage()
                stage.screen = screen
                stage.tokenProvider = tokens
                if twice.isSet { stage.script.anomaly = .secondCompletion }
                return .simulatedRevolut(
                    configuration,
                    world: world,
                    emulator: emulator,
                    stage: stage,
                    environment: environment
                )
            }
        }
        return ContractStage(factory: factory, host: emulator.host, step: Self.step(of:)) {
            switch $0 {
            case .pending: return false
            case .duplicateNotices: twice.set()
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
