import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ProviderContractKit

/// Acme for the contract, in its simulation.
struct AcmeHarness: ContractHarness {
    let provider = "acme"
    let section = #"{ "environment": "simulated", "merchant": "corner-shop" }"#
    let currency = Currency.eur
    let facets: Set<ContractCapability> = [
        .appTokens, .readerTokens, .partialApproval, .pending, .codes, .declineReasons,
        .duplicateNotices, .holdsExpire,
    ]
    let secrets = [AcmeEmulator.apiKey]

    func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        let emulator = AcmeEmulator(world: world)
        tokens.issue { emulator.issueToken() }
        let factory = ProviderFactory(name: provider) { section, environment in
            AcmeConfiguration.simulated(section).map {
                .acme(
                    $0,
                    transport: emulator.host,
                    reader: SimulatedAcmeReader(world),
                    tokens: tokens,
                    environment: environment
                )
            }
        }
        return Self.stage(emulator, factory)
    }

    static func stage(_ emulator: AcmeEmulator, _ factory: ProviderFactory) -> ContractStage {
        ContractStage(factory: factory, host: emulator.host, step: step(of:)) {
            switch $0 {
            case .duplicateNotices: emulator.listTwice()
            case .tokensExpire: emulator.expireTokens()
            case .pending(let delay, let succeeds): emulator.leavePending(delay, succeeds: succeeds)
            case .customerPaysCode(let delay): emulator.payNextPage(after: delay)
            }
            return true
        }
    }

    private static func step(of request: HTTPRequest) -> ContractStep? {
        switch (request.method, request.path.split(separator: "/").last) {
        case (.get, "reader-token"): .token
        case (.post, "payments"): .payment
        case (.post, "links"): .link
        case (.post, let verb?): ContractStep(rawValue: String(verb))
        default: .lookUp
        }
    }
}
