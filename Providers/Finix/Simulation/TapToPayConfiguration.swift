/// What a kit works with; constant for its life.
public struct TapToPayConfiguration: Sendable {
    /// The API key pair.
    public var credentials: APICredentials
    /// The merchant.
    public var merchant: MerchantInfo
    /// Which of Finix's worlds all of this belongs to.
    public var environment: Environment
    /// The activated Device.
    public var deviceId: String
    /// How transactions behave.
    public var transactionOptions: TransactionOptions
    /// Whether crashes are reported; the simulated kit reports nothing anywhere.
    public var crashReportingEnabled: Bool
    /// What payments name as their origin.
    public let referrerSource = "CARD_PRESENT_IOS_TAP_TO_PAY_SDK"

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - credentials: The API key pair, of the same environment.
    ///   - merchant: The merchant.
    ///   - environment: Which of Finix's worlds.
    ///   - deviceId: The activated Device.
    ///   - transactionOptions: How transactions behave.
    ///   - crashReportingEnabled: Whether crashes are reported.
    public init(
        credentials: APICredentials,
        merchant: MerchantInfo,
        environment: Environment,
        deviceId: String,
        transactionOptions: TransactionOptions = TransactionOptions(),
        crashReportingEnabled: Bool = true
    ) {
        self.credentials = credentials
        self.merchant = merchant
        self.environment = environment
        self.deviceId = deviceId
        self.transactionOptions = transactionOptions
        self.crashReportingEnabled = crashReportingEnabled
    }

    /// One of Finix's worlds.
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        /// For tests; no money moves.
        case sandbox
        /// Real money.
        case production
    }

    /// How transactions behave.
    public struct TransactionOptions: Hashable, Sendable {
        /// Without effect, as in the vendor's first release.
        public var returnReadResultImmediately: Bool
        /// Whether a session is renewed when the app returns to the foreground.
        public var autoPrepareOnForeground: Bool
        /// For how many seconds an answer about the link is believed; zero or less for none.
        public var linkStatusCacheDuration: Double

        /// Creates options.
        ///
        /// - Parameters:
        ///   - returnReadResultImmediately: Without effect.
        ///   - autoPrepareOnForeground: Whether a session is renewed in the foreground.
        ///   - linkStatusCacheDuration: For how many seconds a link answer is believed.
        public init(
            returnReadResultImmediately: Bool = true,
            autoPrepareOnForeground: Bool = true,
            linkStatusCacheDuration: Double = 300
        ) {
            self.returnReadResultImmediately = returnReadResultImmediately
            self.autoPrepareOnForeground = autoPrepareOnForeground
            self.linkStatusCacheDuration = linkStatusCacheDuration
        }
    }

    /// Whether nothing is missing that every call needs.
    var isComplete: Bool {
        let needed = [
            credentials.username, credentials.password, merchant.merchantId,
            merchant.merchantName, deviceId,
        ]
        return needed.allSatisfy { text in text.contains { !$0.isWhitespace } }
    }
}

/// The merchant that takes payments.
public struct MerchantInfo: Hashable, Sendable {
    /// Finix's identifier, `MU…`.
    public var merchantId: String
    /// The name that the buyer sees while the card is read.
    public var merchantName: String

    /// Creates a merchant.
    public init(merchantId: String, merchantName: String) {
        self.merchantId = merchantId
        self.merchantName = merchantName
    }

    /// Creates a merchant as up to 1.0.x; the processor's number is looked up now.
    @available(*, deprecated, message: "the number is ignored; use init(merchantId:merchantName:)")
    public init(merchantId: String, merchantName: String, merchantMid: String) {
        self.init(merchantId: merchantId, merchantName: merchantName)
    }
}
