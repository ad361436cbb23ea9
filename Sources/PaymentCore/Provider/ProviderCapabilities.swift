/// What a provider can do at the counter; starts as nothing.
public struct ProviderCapabilities: Hashable, Sendable {
    /// The kinds of payment it takes.
    public var kinds: Set<PaymentRequest.Kind> = []
    /// The amounts that its wire can express exactly.
    public var amounts = AmountSupport()
    /// Whether a tip can be named apart.
    public var tip = false
    /// Whether a surcharge can be named apart.
    public var surcharge = false
    /// Whether a running payment can be cancelled from code.
    public var cancelFromCode = false
    /// Whether the acquirer keeps the attempt's key on its record.
    public var marker = false
    /// Whether the provider can lose its authorization and sign out.
    public var signsOut = false
    /// Whether setting up takes a test payment.
    public var setUpTakesPayment = false
    /// Whether payments can be taken in a series, with amounts that the vendor's own screen asks for.
    public var series = false
    /// Whether a payment falls back to a QR code when a tap is impossible.
    public var qrFallback = false
    /// The longest description, in characters; zero when there is no room for one.
    public var descriptionLength = 0
    /// The longest merchant name, in characters.
    public var merchantNameLength = 100

    /// Creates the capabilities of a provider that can do nothing.
    public init() {}
}

/// The amounts that an acquirer's wire can express exactly.
public struct AmountSupport: Hashable, Sendable {
    /// The only currencies that are accepted; any when nil.
    public var currencies: Set<Currency>?
    /// The only counts of minor-unit digits that are accepted; any when nil.
    public var minorUnitDigits: Set<Int>?
    /// The largest amount in minor units.
    public var largest: Int64 = .max
    /// The smallest amount in minor units.
    public var smallest: Int64 = 1
    /// Currencies whose amounts must be a multiple of so many minor units.
    public var steps: [Currency: Int64] = [:]

    /// Creates the support for any amount.
    public init() {}
}

/// Something that an acquirer can do or not; named in refusals.
public struct Capability: Hashable, Sendable, CustomStringConvertible {
    /// A stable name, such as `kind.authorization`.
    public let name: String
    /// What it means for the request that was refused.
    public let description: String

    package init(_ name: String, _ description: String) {
        self.name = name
        self.description = description
    }
}

extension ProviderCapabilities {
    /// The first thing that a request needs and this provider lacks; nil when nothing is missing.
    package func missing(for request: PaymentRequest, total: Money) -> Capability? {
        let currency = total.currency
        guard kinds.contains(request.kind) else {
            return Capability("kind.\(request.kind.rawValue)", "payments of kind \(request.kind)")
        }
        if let accepted = amounts.currencies, !accepted.contains(currency) {
            let codes = accepted.map(\.code).sorted().joined(separator: ", ")
            return Capability("currency.\(currency.code)", "\(currency.code) (it takes \(codes))")
        }
        if let digits = amounts.minorUnitDigits, !digits.contains(currency.minorUnitDigits) {
            let accepted = digits.sorted().map(String.init).joined(separator: " or ")
            return Capability(
                "currency.minorUnitDigits.\(currency.minorUnitDigits)",
                """
                currencies with \(currency.minorUnitDigits) minor-unit digits such as \
                \(currency.code) (it takes those with \(accepted))
                """
            )
        }
        if request.tip != nil, !tip { return Capability("tip", "a tip") }
        if request.surcharge != nil, !surcharge { return Capability("surcharge", "a surcharge") }
        return nil
    }

    /// What is wrong with a request that this provider could serve otherwise; nil when nothing is.
    package func invalid(in request: PaymentRequest, total: Money) -> InvalidRequest? {
        for part in [request.amount, request.tip, request.surcharge].compactMap(\.self) {
            let step = amounts.steps[part.currency] ?? 1
            guard step <= 1 || part.minorUnits % step == 0 else {
                return InvalidRequest(
                    field: "amount",
                    problem: "\(part) is not a multiple of \(step) minor units of \(part.currency)"
                )
            }
        }
        guard total.minorUnits >= amounts.smallest, total.minorUnits <= amounts.largest else {
            return InvalidRequest(
                field: "amount",
                problem: """
                    \(total) is outside of \(amounts.smallest) to \(amounts.largest) minor units
                    """
            )
        }
        if let text = request.description, descriptionLength > 0, text.count > descriptionLength {
            return InvalidRequest(
                field: "description",
                problem: "\(text.count) characters; at most \(descriptionLength) are accepted"
            )
        }
        if let text = request.merchantName, text.count > merchantNameLength {
            return InvalidRequest(
                field: "merchantName",
                problem: "\(text.count) characters; at most \(merchantNameLength) are accepted"
            )
        }
        return nil
    }
}
