/// What a phone says about a customer's membership at a merchant, without a payment.
///
/// It never prints what it holds.
public struct LoyaltyPass: Hashable, Sendable {
    /// The merchant's identifier for its passes, such as `pass.com.example.shop`.
    public let merchant: String
    private let content: String

    /// Creates a pass.
    public init(merchant: String, content: String) {
        self.merchant = merchant
        self.content = content
    }

    /// What it holds; never to a log or a file.
    public func reveal() -> String { content }
}

extension LoyaltyPass: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind and merchant alone.
    public var description: String { "pass(\(merchant))" }

    /// Kind and merchant alone.
    public var debugDescription: String { description }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
