package import AcquirerSimulation
import FinixPayments
import FinixSimulation
package import PaymentCore
import PaymentTransport
package import ProviderContractKit
import ReaderSimulation

/// Finix for the contract, in its simulation.
package struct FinixHarness: ContractHarness {
    package let provider = "finix"
    package let section =
        #"{ "environment": "simulated", "merchant": "MU", "merchantName": "Shop" }"#
    package let currency = Currency.usd
    package let facets: Set<ContractCapability> = [
        .readerTokens, .partialApproval, .pending, .declineReasons, .holdsExpire,
    ]
    package let secrets = [FinixEmulator.password]
    package init() {}

    package func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        world.device.control.acceptTerms(merchant: "MU")
        let devices = ["DVsimulated": true]
        let emulator = FinixEmulator(world: world, merchant: "MU", devices: devices)
        emulator.modes.ignoresTriggerAmounts = true
        let factory = ProviderFactory(name: provider) { section, environment in
            FinixConfiguration(section).map {
                .simulatedFinix($0, world: world, emulator: emulator, environment: environment)
            }
        }
        return ContractStage(factory: factory, host: emulator.host, step: Self.step(of:)) {
            happening in
            guard case .pending(let delay, let succeeds) = happening else { return false }
            emulator.leavePending(until: delay, succeeds: succeeds)
            return true
        }
    }
}
