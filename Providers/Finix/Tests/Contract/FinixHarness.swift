public import AcquirerSimulation
import FinixPayments
import FinixSimulation
public import PaymentCore
import PaymentTransport
public import ProviderContractKit
import ReaderSimulation

/// Finix for the contract, in its simulation.
public struct FinixHarness: ContractHarness {
    public let provider = "finix"
    public let section = #"{ "environment": "simulated", "merchant": "MU", "merchantName": "Shop" }"#
    public let currency = Currency.usd
    public let facets: Set<ContractCapability> = [
        .readerTokens, .partialApproval, .pending, .declineReasons, .holdsExpire,
    ]
    public let secrets = [FinixEmulator.password]
    public init() {}

    public func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        world.device.control.acceptTerms(merchant: "MU")
        let devices = ["DVsimulated": true]
        let emulator = FinixEmulator(world: world, merchant: "MU", devices: devices)
        let factory = ProviderFactory(name: provider) { section, environment in
            FinixConfiguration(section).map {
                .simulatedFinix($0, world: world, emulator: emulator, environment: environment)
            }
        }
        return ContractStage(factory: factory, host: emulator.host, step: Self.step(of:)) { happening in
            guard case .pending(let delay, let succeeds) = happening else { return false }
            emulator.leavePending(until: delay, succeeds: succeeds)
            return true
        }
    }
}
