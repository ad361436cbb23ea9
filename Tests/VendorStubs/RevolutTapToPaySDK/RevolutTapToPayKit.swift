public import Foundation

/// The documented surface of the vendor's class; it does nothing.
public final class RevolutTapToPayKit {
    /// Where payments happen.
    public enum Environment {
        case production
    }

    /// A page about a payment.
    public struct Receipt {
        /// The page.
        public let url: URL
    }

    /// What went wrong; more may come.
    public enum Error: Swift.Error {
        case internalError
    }

    /// Creates it.
    public init(
        clientId: String,
        environment: Environment,
        tokenProvider: TokenProviderProtocol,
        onLogout: @escaping @Sendable () -> Void
    ) {}

    /// Takes a payment of a fixed amount.
    public func performPayment(
        amount: UInt,
        currency: String,
        description: String? = nil,
        merchantName: String? = nil,
        onDidCharge: @escaping (Receipt?, Result<Void, Error>) -> Void,
        completion: @escaping () -> Void
    ) {}

    /// Takes payments of amounts that are typed.
    public func performPayments(
        currency: String,
        merchantName: String? = nil,
        onDidCharge: @escaping (Receipt?, Result<Void, Error>) -> Void,
        completion: @escaping () -> Void
    ) {}

    /// Sets up.
    public func performFirstTimeSetup(
        shouldShowIntro: Bool,
        currency: String,
        merchantName: String? = nil,
        completion: @escaping (Receipt?, Result<Void, Error>) -> Void
    ) {}
}

/// What the app implements.
public protocol TokenProviderProtocol: Sendable {
    /// A device token.
    func fetchAccessToken() async throws -> SdkTokenApiDto
}

/// A device token.
public struct SdkTokenApiDto: Decodable {
    /// The credential.
    public let accessToken: String

    /// Creates it.
    public init(accessToken: String) { self.accessToken = accessToken }
}
