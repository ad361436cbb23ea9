public import PaymentCore
import Synchronization

/// Where every simulated acquirer books money; what an app was told is compared with it.
public final class Ledger: Sendable {
    /// One movement.
    public struct Entry: Hashable, Sendable, Codable {
        /// Which acquirer booked it.
        public let acquirer: String
        /// The acquirer's identifier of the record that it belongs to.
        public let record: String
        /// What moved.
        public let kind: Kind
        /// How much, in minor units.
        public let minorUnits: Int64
        /// The currency's code.
        public let currency: String
        /// When.
        public let time: Date

        /// Creates an entry.
        public init(
            acquirer: String,
            record: String,
            kind: Kind,
            minorUnits: Int64,
            currency: String,
            time: Date
        ) {
            self.acquirer = acquirer
            self.record = record
            self.kind = kind
            self.minorUnits = minorUnits
            self.currency = currency
            self.time = time
        }
    }

    /// What can move.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Money went to the merchant.
        case charge
        /// Money was held.
        case hold
        /// A hold was let go.
        case release
        /// Money went back to the customer.
        case refund
    }

    private let content = Mutex<[Entry]>([])

    /// Creates an empty ledger.
    public init() {}

    /// Puts the movements of an earlier run in place of all there are.
    public func restore(_ entries: [Entry]) { content.withLock { $0 = entries } }

    /// Books a movement.
    public func book(_ entry: Entry) { content.withLock { $0.append(entry) } }

    /// Every movement, in order.
    public var entries: [Entry] { content.withLock { $0 } }

    /// The movements of one kind.
    public func entries(_ kind: Kind) -> [Entry] { entries.filter { $0.kind == kind } }

    /// What the merchant has received less what went back, in minor units of a currency.
    public func balance(_ currency: Currency) -> Int64 {
        entries.reduce(0) { sum, entry in
            guard entry.currency == currency.code else { return sum }
            switch entry.kind {
            case .charge: return sum + entry.minorUnits
            case .refund: return sum - entry.minorUnits
            case .hold, .release: return sum
            }
        }
    }
}
