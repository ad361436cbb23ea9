import Synchronization

/// Claims on orders, kept by the app's own back end.
///
/// A journal protects the orders of one till. Tills that may take the same order, and an app that
/// was installed anew, need someone else who remembers: the engine claims an order before it writes
/// the attempt down and before anything of a vendor's is touched.
public protocol OrderClaims: Sendable {
    /// Claims an order for an attempt; the same claim again is granted again.
    ///
    /// - Parameter claim: Which order, for which attempt of which till.
    /// - Returns: Whether it is granted; ``OrderClaim/conflicts(with:)`` says what stands against it.
    /// - Throws: ``PaymentError`` when the back end could not be asked.
    func claim(_ claim: OrderClaim) async throws(PaymentError) -> OrderClaimAnswer
    /// Lets go of an order, since the attempt provably moved no money, or its hold was released.
    ///
    /// What was not claimed, or not by this attempt, stays as it is.
    func release(_ claim: OrderClaim) async throws(PaymentError)
    /// The claims of a till that were not released, for a till that has lost its journal.
    func claims(ofTill till: String, since: Date) async throws(PaymentError) -> [OrderClaim]
}

/// The answer to a claim.
public enum OrderClaimAnswer: Hashable, Sendable {
    /// The attempt may begin.
    case granted
    /// Another attempt has the order, and has moved its money or may yet.
    case taken(by: OrderClaim)
}

/// One attempt's claim on an order.
public struct OrderClaim: Hashable, Sendable, Codable {
    /// The order.
    public let order: Order
    /// The attempt.
    public let attempt: AttemptID
    /// The till that makes the attempt.
    public let till: String
    /// Whose money it is.
    public let account: Account
    /// What is tried.
    public let kind: AttemptKind
    /// The amount that would move.
    public let amount: Money
    /// When it began, by the till's clock.
    public let at: Date

    /// Creates a claim.
    public init(
        order: Order,
        attempt: AttemptID,
        till: String,
        account: Account,
        kind: AttemptKind,
        amount: Money,
        at: Date
    ) {
        self.order = order
        self.attempt = attempt
        self.till = till
        self.account = account
        self.kind = kind
        self.amount = amount
        self.at = at
    }

    /// Whether both are the claim of one attempt; the time is the till's and may have been rounded.
    public func isSame(as other: OrderClaim) -> Bool {
        attempt == other.attempt && order == other.order && till == other.till
            && account == other.account
    }

    /// Whether both together could charge, or give back, something twice.
    public func conflicts(with other: OrderClaim) -> Bool {
        !isSame(as: other) && order.overlaps(other.order)
            && (kind == .refundToCard) == (other.kind == .refundToCard)
    }
}

/// Whom a till asks for its orders, and what it does without an answer.
public struct OrderClaiming: Sendable {
    /// The back end's claims.
    public var claims: any OrderClaims
    /// What the back end calls this till; the same after the app was installed anew.
    public var till: String
    /// Whether a payment begins although the back end did not answer.
    ///
    /// Off by default: without an answer nothing is charged. A refusal is an answer, and nothing is
    /// charged after one.
    public var goesOnUnclaimed = false

    /// Asks so, and charges nothing without an answer.
    public init(_ claims: any OrderClaims, till: String) {
        self.claims = claims
        self.till = till
    }
}

/// Claims on orders in memory: what a back end keeps in its database, and two tills of one process.
public final class OrderClaimTable: OrderClaims {
    private let table: Mutex<Table>

    private struct Table {
        var claims: [OrderClaim]
        /// The attempts that let go; a claim of theirs that comes late is never granted.
        var released: Set<AttemptID> = []
    }

    /// Starts with the claims of an earlier table, and the attempts that had let go of theirs.
    public init(_ claims: [OrderClaim] = [], released: Set<AttemptID> = []) {
        table = Mutex(Table(claims: claims, released: released))
    }

    /// Every claim that was not released, oldest first.
    public var all: [OrderClaim] { table.withLock { $0.claims } }

    /// Grants a claim unless another one conflicts with it, or its attempt has let go.
    public func claim(_ claim: OrderClaim) async throws(PaymentError) -> OrderClaimAnswer {
        let answer = table.withLock { table -> OrderClaimAnswer? in
            if let other = table.claims.first(where: { $0.conflicts(with: claim) }) {
                return .taken(by: other)
            }
            if let own = table.claims.first(where: { $0.attempt == claim.attempt }) {
                return own.isSame(as: claim) ? .granted : .taken(by: own)
            }
            guard !table.released.contains(claim.attempt) else { return nil }
            table.claims.append(claim)
            return .granted
        }
        guard let answer else {
            throw PaymentError(.conflict, detail: "the attempt has let go of its order")
        }
        return answer
    }

    /// Lets go of what the attempt has claimed for its account.
    public func release(_ claim: OrderClaim) async throws(PaymentError) {
        table.withLock { table in
            let isOthers = table.claims.contains {
                $0.attempt == claim.attempt && !$0.isSame(as: claim)
            }
            guard !isOthers else { return }
            table.claims.removeAll { $0.attempt == claim.attempt }
            table.released.insert(claim.attempt)
        }
    }

    /// The till's own claims.
    public func claims(
        ofTill till: String,
        since: Date
    ) async throws(PaymentError) -> [OrderClaim] {
        table.withLock { $0.claims.filter { $0.till == till && $0.at >= since } }
    }
}
