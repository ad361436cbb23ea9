public import PaymentCore

/// Something that an adapter can do, or that its harness can make happen.
public struct ContractCapability: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// A stable name, such as `followUp.refund`.
    public let description: String

    init(_ description: String) { self.description = description }

    /// By name.
    public static func < (one: Self, other: Self) -> Bool { one.description < other.description }

    // MARK: Declared by the adapter

    /// It takes sales.
    public static let sale = kind(.sale)
    /// It makes holds.
    public static let authorization = kind(.authorization)
    /// It gives money to a tapped card.
    public static let refundToCard = kind(.refundToCard)
    /// It takes currencies without minor units, such as the yen.
    public static let noDecimals = Self("currency.noDecimals")
    /// It takes currencies with a thousand minor units, such as the dinar of Kuwait.
    public static let threeDecimals = Self("currency.threeDecimals")
    /// A tip can be named apart.
    public static let tip = Self("tip")
    /// A surcharge can be named apart.
    public static let surcharge = Self("surcharge")
    /// A running payment can be cancelled from code.
    public static let cancelFromCode = Self("cancelFromCode")
    /// Its records carry the attempt's key.
    public static let marker = Self("marker")
    /// It can lose its authorization.
    public static let signsOut = Self("signsOut")
    /// It falls back to a code.
    public static let qrFallback = Self("qrFallback")
    /// It has room for a description.
    public static let description = Self("description")
    /// It captures holds.
    public static let capture = followUp(.capture)
    /// It lets holds go.
    public static let void = followUp(.void)
    /// It gives captured money back.
    public static let refund = followUp(.refund)
    /// Its books can be asked.
    public static let books = Self("books")
    /// Unpaid records can be closed.
    public static let close = Self("close")
    /// It makes pages to pay on.
    public static let link = Self("link")

    // MARK: Told by the harness

    /// The app hands over tokens, through ``ContractTokens``.
    public static let appTokens = Self("harness.appTokens")
    /// The reader's own tokens come over the wire.
    public static let readerTokens = Self("harness.readerTokens")
    /// The acquirer approves in part where the issuer does.
    public static let partialApproval = Self("harness.partialApproval")
    /// The acquirer may leave a payment pending.
    public static let pending = Self("harness.pending")
    /// A customer can pay the code that is shown.
    public static let codes = Self("harness.codes")
    /// A decline comes with its reason.
    public static let declineReasons = Self("harness.declineReasons")
    /// The acquirer may tell one end twice.
    public static let duplicateNotices = Self("harness.duplicateNotices")
    /// Holds lapse within ten days.
    public static let holdsExpire = Self("harness.holdsExpire")

    /// A kind of payment.
    static func kind(_ kind: PaymentRequest.Kind) -> Self { Self("kind.\(kind.rawValue)") }
    /// A kind of follow-up.
    static func followUp(_ kind: AttemptKind) -> Self { Self("followUp.\(kind.rawValue)") }

    /// What an adapter declares, in the words of the contract.
    public static func declared(by acquirer: Acquirer) -> Set<Self> {
        let capabilities = acquirer.provider.capabilities
        var all = Set(capabilities.kinds.map(kind))
        let digits = capabilities.amounts.minorUnitDigits
        let currencies = capabilities.amounts.currencies
        func takes(_ code: String, _ count: Int) -> Bool {
            guard let currency = Currency(code: code) else { return false }
            return digits?.contains(count) ?? true && currencies?.contains(currency) ?? true
        }
        let flags: [(Self, Bool)] = [
            (.noDecimals, takes("JPY", 0)), (.threeDecimals, takes("KWD", 3)),
            (.tip, capabilities.tip), (.surcharge, capabilities.surcharge),
            (.cancelFromCode, capabilities.cancelFromCode), (.marker, capabilities.marker),
            (.signsOut, capabilities.signsOut), (.qrFallback, capabilities.qrFallback),
            (.description, capabilities.descriptionLength > 0),
        ]
        all.formUnion(flags.filter(\.1).map(\.0))
        guard let books = acquirer.backOffice?.capabilities else { return all }
        all.insert(.books)
        all.formUnion(books.followUps.map(followUp))
        if books.canClose { all.insert(.close) }
        if books.canLink { all.insert(.link) }
        return all
    }
}
