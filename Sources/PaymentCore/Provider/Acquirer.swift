/// One configured acquirer: whose money it is, and both sides of its adapter.
public struct Acquirer: Sendable {
    /// Whose money it is.
    public let account: Account
    /// The counter side.
    public let provider: any PaymentProvider
    /// The books side; nil when this device has no way to ask.
    public let backOffice: (any BackOffice)?
    /// The merchant's name for receipts and screens, when the request names none.
    public let merchantName: String?
    /// Names and versions of the adapter and the vendor's SDK, for records.
    public let software: [String: String]

    /// Creates an acquirer.
    public init(
        account: Account,
        provider: any PaymentProvider,
        backOffice: (any BackOffice)?,
        merchantName: String? = nil,
        software: [String: String] = [:]
    ) {
        self.account = account
        self.provider = provider
        self.backOffice = backOffice
        self.merchantName = merchantName
        self.software = software
    }
}
