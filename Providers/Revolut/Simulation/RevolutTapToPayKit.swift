import AcquirerSimulation
public import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import Simulation

/// The simulated kit: the documented surface of Revolut's SDK, over the simulated reader.
///
/// It pairs, creates the order, reads, charges and falls back to a code by itself, and tells it all
/// by callbacks on any thread, as the vendor's does. It hides what the vendor's hides.
public final class RevolutTapToPayKit: Sendable {
    let clientId: String
    let phone: RevolutPhone?
    let service: RevolutKitService?

    /// Where the kit's payments happen.
    public enum Environment: Hashable, Sendable {
        /// The only one; in simulation it is the emulated Revolut of the phone.
        case production
    }

    /// A page about a payment, for sharing.
    public struct Receipt: Hashable, Sendable {
        /// The page.
        public let url: URL
    }

    /// The vendor's one error.
    public enum Error: Swift.Error, Hashable, Sendable {
        /// Something went wrong; money may have moved.
        case internalError
    }

    /// A charge report: a page about the payment if there is one, and whether it went through.
    public typealias OnDidCharge = @Sendable (Receipt?, Result<Void, Error>) -> Void

    /// Creates the kit on the simulated phone that the code runs on.
    ///
    /// - Parameters:
    ///   - clientId: The identifier of the app.
    ///   - environment: The only one.
    ///   - tokenProvider: Where device tokens come from.
    ///   - onLogout: Called once the merchant is signed out, on any thread.
    public init(
        clientId: String,
        environment: Environment,
        tokenProvider: any TokenProviderProtocol,
        onLogout: @escaping @Sendable () -> Void
    ) {
        self.clientId = clientId
        phone = RevolutPhone.current
        service = phone.map { phone in
            RevolutKitService(
                transport: phone.emulator.host,
                tokens: tokenProvider,
                onLogout: onLogout
            )
        }
    }

    /// Takes one payment of a fixed amount.
    ///
    /// - Parameters:
    ///   - amount: The amount in minor units.
    ///   - currency: The ISO 4217 code.
    ///   - description: The text in the merchant's account.
    ///   - merchantName: The name on the receipt.
    ///   - onDidCharge: Told while the kit is still on screen.
    ///   - completion: Told when nothing of the kit's is on screen any more.
    public func performPayment(
        amount: UInt,
        currency: String,
        description: String?,
        merchantName: String?,
        onDidCharge: @escaping OnDidCharge,
        completion: @escaping @Sendable () -> Void
    ) {
        start { phone, service in
            let flow = RevolutKitFlow(
                .payment,
                script: phone.stage.script,
                onDidCharge: onDidCharge,
                completion: completion
            )
            let payment = RevolutKitFlow.Payment(
                amount: Int64(clamping: amount),
                currency: currency,
                description: description
            )
            await RevolutKitRun(self.clientId, phone, service, flow).payment(payment)
        } otherwise: {
            onDidCharge(nil, .failure(.internalError))
            completion()
        }
    }

    /// Takes payments whose amounts the merchant types at the kit, one after another.
    ///
    /// - Parameters:
    ///   - currency: The ISO 4217 code of all of them.
    ///   - merchantName: The name on the receipts.
    ///   - onDidCharge: Told for each payment that ends.
    ///   - completion: Told when nothing of the kit's is on screen any more.
    public func performPayments(
        currency: String,
        merchantName: String?,
        onDidCharge: @escaping OnDidCharge,
        completion: @escaping @Sendable () -> Void
    ) {
        start { phone, service in
            let flow = RevolutKitFlow(
                .series,
                script: phone.stage.script,
                onDidCharge: onDidCharge,
                completion: completion
            )
            await RevolutKitRun(self.clientId, phone, service, flow).series(currency)
        } otherwise: {
            onDidCharge(nil, .failure(.internalError))
            completion()
        }
    }

    /// Sets the reader up, introduces the merchant to it, and offers a payment to try.
    ///
    /// - Parameters:
    ///   - shouldShowIntro: Whether the introduction is wanted; it is shown once at most.
    ///   - currency: The currency of the payment.
    ///   - merchantName: The name on the receipt.
    ///   - completion: Told when nothing of the kit's is on screen any more; with a receipt only
    ///     if a payment was made.
    public func performFirstTimeSetup(
        shouldShowIntro: Bool,
        currency: String,
        merchantName: String?,
        completion: @escaping OnDidCharge
    ) {
        start { phone, service in
            let flow = RevolutKitFlow(.setUp, script: phone.stage.script)
            let run = RevolutKitRun(self.clientId, phone, service, flow)
            let (receipt, result) = await run.setUp(currency, introduces: shouldShowIntro)
            completion(receipt, result)
        } otherwise: {
            completion(nil, .failure(.internalError))
        }
    }

    /// Runs a flow on the phone, if there is one.
    private func start(
        _ flow: @escaping @Sendable (RevolutPhone, RevolutKitService) async -> Void,
        otherwise fail: () -> Void
    ) {
        guard let phone, let service else { return fail() }
        phone.world.environment.start { await flow(phone, service) }
    }
}
