import AcquirerSimulation
import PaymentCore
import RevolutPayments
import RevolutSimulation
import Synchronization

/// The simulated kit behind the driver seam, whose callbacks are written down as they come.
struct RevolutHeardKit: RevolutDriver {
    /// The callbacks in order, until the app is gone.
    final class Calls: Sendable {
        private let state = Mutex<(names: [String], isOver: Bool)>(([], false))

        var names: [String] { state.withLock { $0.names } }

        func add(_ name: String) {
            state.withLock { state in
                if !state.isOver { state.names.append(name) }
            }
        }

        func end() { state.withLock { $0.isOver = true } }
    }

    private struct Tokens: TokenProviderProtocol {
        let source: RevolutTokenSource

        func fetchAccessToken() async throws -> SdkTokenApiDto {
            SdkTokenApiDto(accessToken: try await source.token().reveal())
        }
    }

    private let kit: RevolutTapToPayKit
    private let calls: Calls

    init(_ shop: RevolutShop, _ context: RevolutDriverContext, _ calls: Calls) {
        self.calls = calls
        let phone = RevolutPhone(world: shop.world, emulator: shop.emulator, stage: shop.stage)
        kit = RevolutPhone.$current.withValue(phone) {
            RevolutTapToPayKit(
                clientId: context.configuration.clientID,
                environment: .production,
                tokenProvider: Tokens(source: context.tokens)
            ) {
                calls.add("out")
                shop.stage.onLogout()
                context.onLogout()
            }
        }
    }

    /// A shop's Revolut with such a kit.
    static func factory(_ shop: RevolutShop, _ calls: Calls) -> ProviderFactory {
        ProviderFactory(name: "revolut") { section, environment in
            RevolutConfiguration(section).map { configuration in
                .revolut(
                    configuration,
                    origin: RevolutEmulator.origin,
                    apiKey: Secret(RevolutEmulator.apiKey),
                    transport: shop.emulator.host,
                    tokenProvider: SimulatedTokenProvider(
                        shop.emulator,
                        fault: shop.stage.tokenFault
                    ),
                    environment: environment
                ) { RevolutHeardKit(shop, $0, calls) }
            }
        }
    }

    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        kit.performPayment(
            amount: payment.amount,
            currency: payment.currency,
            description: payment.description,
            merchantName: payment.merchantName,
            onDidCharge: heard(onDidCharge),
            completion: heardEnd(completion)
        )
    }

    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        kit.performPayments(
            currency: series.currency,
            merchantName: series.merchantName,
            onDidCharge: heard(onDidCharge),
            completion: heardEnd(completion)
        )
    }

    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    ) {
        kit.performFirstTimeSetup(
            shouldShowIntro: setUp.shouldShowIntro,
            currency: setUp.currency,
            merchantName: setUp.merchantName,
            completion: heard(completion, as: "end ")
        )
    }

    /// Writes a report down, and passes it on.
    private func heard(
        _ told: @escaping @Sendable (RevolutChargeReport) -> Void,
        as prefix: String = ""
    ) -> RevolutTapToPayKit.OnDidCharge {
        { [calls] receipt, result in
            calls.add(prefix + KitBench.name(receipt, result))
            var failure: String?
            if case .failure(let error) = result { failure = "\(error)" }
            told(RevolutChargeReport(receipt: receipt?.url, failure: failure))
        }
    }

    /// Writes a flow's end down, and passes it on.
    private func heardEnd(_ told: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { [calls] in
            calls.add("end")
            told()
        }
    }
}
