/// What the vendor's class works with.
public struct TapToPayConfiguration: Sendable {
    /// Creates a configuration.
    public init(
        credentials: APICredentials,
        merchant: MerchantInfo,
        environment: Environment,
        deviceId: String,
        transactionOptions: TransactionOptions = TransactionOptions(),
        crashReportingEnabled: Bool = true
    ) {}

    /// One of Finix's worlds.
    public enum Environment: Sendable {
        case sandbox, production
    }

    /// How transactions behave.
    public struct TransactionOptions: Sendable {
        /// Creates options.
        public init(
            returnReadResultImmediately: Bool = true,
            autoPrepareOnForeground: Bool = true,
            linkStatusCacheDuration: Double = 300
        ) {}
    }
}

/// An API key pair.
public struct APICredentials: Sendable {
    /// Creates a pair.
    public init(username: String, password: String) {}
}

/// The merchant.
public struct MerchantInfo: Sendable {
    #if FINIX_SDK_1_0
        /// Creates a merchant.
        public init(merchantId: String, merchantName: String, merchantMid: String) {}
    #else
        /// Creates a merchant.
        public init(merchantId: String, merchantName: String) {}
        /// Creates a merchant; the number is ignored.
        @available(*, deprecated)
        public init(merchantId: String, merchantName: String, merchantMid: String) {}
    #endif
}
