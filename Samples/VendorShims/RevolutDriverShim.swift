import Dispatch
import PaymentCore
import RevolutPayments
@preconcurrency import RevolutTapToPaySDK

/// Joins Revolut's SDK to ``RevolutDriver``; an app copies this file.
///
/// It forwards calls, and passes the SDK's callbacks on as they come, on whichever thread that is.
/// The SDK's class is not `Sendable`, so one instance lives on the main actor, which creates, calls
/// and releases it. It signs out for good: after a new consent make a new point of sale, outside of
/// the sign-out itself. What the SDK's module is called is known to registered partners.
final class RevolutDriverShim: RevolutDriver {
    private let context: RevolutDriverContext
    private let desk = Desk()

    /// Creates a shim; another client ID needs another one.
    init(_ context: RevolutDriverContext) { self.context = context }

    /// The kit has no call that tells: it shows a code where no tap is possible.
    var isSupported: Bool { true }

    func performPayment(
        _ payment: RevolutPayment,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        onMain { kit, end in
            kit.performPayment(
                amount: payment.amount,
                currency: payment.currency,
                description: payment.description,
                merchantName: payment.merchantName,
                onDidCharge: { @Sendable receipt, result in
                    onDidCharge(RevolutChargeReport(vendor: receipt, result))
                },
                completion: { @Sendable in
                    end()
                    completion()
                }
            )
        }
    }

    func performPayments(
        _ series: RevolutSeries,
        onDidCharge: @escaping @Sendable (RevolutChargeReport) -> Void,
        completion: @escaping @Sendable () -> Void
    ) {
        onMain { kit, end in
            kit.performPayments(
                currency: series.currency,
                merchantName: series.merchantName,
                onDidCharge: { @Sendable receipt, result in
                    onDidCharge(RevolutChargeReport(vendor: receipt, result))
                },
                completion: { @Sendable in
                    end()
                    completion()
                }
            )
        }
    }

    func performFirstTimeSetup(
        _ setUp: RevolutFirstTimeSetup,
        completion: @escaping @Sendable (RevolutChargeReport) -> Void
    ) {
        onMain { kit, end in
            kit.performFirstTimeSetup(
                shouldShowIntro: setUp.shouldShowIntro,
                currency: setUp.currency,
                merchantName: setUp.merchantName,
                completion: { @Sendable receipt, result in
                    end()
                    completion(RevolutChargeReport(vendor: receipt, result))
                }
            )
        }
    }

    /// Starts a flow on the main actor; its end keeps the desk, and with it the kit, until then.
    private func onMain(
        _ flow:
            @escaping @MainActor @Sendable (
                _ kit: RevolutTapToPayKit, _ end: @escaping @Sendable () -> Void
            ) -> Void
    ) {
        let (context, desk) = (context, desk)
        DispatchQueue.main.async {
            MainActor.assumeIsolated { flow(desk.kit(context)) { desk.flowEnded() } }
        }
    }
}

/// Keeps the one kit, for as long as the shim and every flow that it started.
@MainActor private final class Desk {
    private var kit: RevolutTapToPayKit?

    nonisolated init() {}

    func kit(_ context: RevolutDriverContext) -> RevolutTapToPayKit {
        let kit =
            kit
            ?? RevolutTapToPayKit(
                clientId: context.configuration.clientID,
                environment: .production,
                tokenProvider: ShimTokens(source: context.tokens),
                onLogout: context.onLogout
            )
        self.kit = kit
        return kit
    }

    /// Marks the end of a flow: until then its closures hold this desk, and with it the kit.
    nonisolated func flowEnded() {}
}

/// Hands the adapter's device tokens to the SDK.
private struct ShimTokens: TokenProviderProtocol {
    let source: RevolutTokenSource

    func fetchAccessToken() async throws -> SdkTokenApiDto {
        SdkTokenApiDto(accessToken: try await source.token().reveal())
    }
}

extension RevolutChargeReport {
    fileprivate init(
        vendor receipt: RevolutTapToPayKit.Receipt?,
        _ result: Result<Void, RevolutTapToPayKit.Error>
    ) {
        var failure: String?
        if case .failure(let error) = result {
            switch error {
            case .internalError: failure = "internalError"
            // A case of a later version keeps its own name, and is as unclassified as this one.
            @unknown default: failure = "\(error)"
            }
        }
        self.init(receipt: receipt?.url, failure: failure)
    }
}
