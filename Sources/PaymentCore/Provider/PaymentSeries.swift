import Synchronization

/// A run of payments whose amounts are typed on the vendor's own screen.
///
/// Each of them is for an order of its own, named after the run: `market-1`, `market-2` and so on.
/// A number whose order is taken is passed over, so that a run can go on another time.
public struct SeriesRequest: Hashable, Sendable {
    /// What the run is for; has no part.
    public var id: Order
    /// The currency of all payments.
    public var currency: Currency
    /// The name on the receipts; the configured one when nil.
    public var merchantName: String?

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - id: What the run is for; at most 120 characters and no part.
    ///   - currency: The currency of all payments.
    ///   - merchantName: The name on the receipts; the configured one when nil.
    public init(_ id: Order, currency: Currency, merchantName: String? = nil) {
        self.id = id
        self.currency = currency
        self.merchantName = merchantName
    }

    /// The order of one payment of the run.
    ///
    /// - Parameter number: Which payment, from one.
    /// - Returns: The order; nil when its name would be too long.
    public func order(_ number: Int) -> Order? {
        id.part == nil ? try? Order(id: "\(id.id)-\(number)") : nil
    }
}

/// Which payment of a series an attempt is.
public struct SeriesPlace: Hashable, Sendable, Codable {
    /// What the run is for.
    public let id: String
    /// Which payment of it, from one.
    public let number: Int
}

/// Where an adapter tells how the payments of a series ended.
public struct SeriesContext: Sendable {
    /// Tells how the next payment ended; durable when it returns.
    ///
    /// An approval need not name an amount.
    public let report: @Sendable (ProviderAnswer) async -> Void

    /// Creates a context.
    public init(report: @escaping @Sendable (ProviderAnswer) async -> Void) {
        self.report = report
    }
}

/// What a vendor says about the time after the last report of a series.
public enum SeriesEnd: Sendable {
    /// Provably nothing was submitted.
    case unused
    /// The run was closed as it should be; the vendor promises a report for each payment made.
    case closed
    /// Anything may have happened.
    case unknown(PaymentError)
}

/// One payment of a series, once it has ended.
public struct SeriesPayment: Sendable {
    /// Which payment of the run.
    public let place: SeriesPlace
    /// What it is for.
    public let order: Order
    /// The try.
    public let attempt: AttemptID
    /// How it ended; the amount of an approval is unknown until it was found in the books.
    public let outcome: PaymentOutcome
}

/// The payments of a running series, each as it ends; over once nothing of the vendor's is on screen.
///
/// Read it to its end, in one place. Giving up on it changes nothing about the payments.
public struct SeriesPayments: AsyncSequence, Sendable {
    /// Whether only a person can find the amounts, since nothing in the acquirer's books names the
    /// device or the attempt; plan for that where books must agree by themselves.
    public let needsPerson: Bool
    let channel: SeriesChannel

    /// Begins with the first payment that was not handed out yet.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: channel) }

    /// Hands out each payment as it ends.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let channel: SeriesChannel

        /// The next payment; nil once the series is over.
        public mutating func next() async -> SeriesPayment? { await channel.next() }
    }
}

/// The payments of a series on their way to whoever reads them.
final class SeriesChannel: Sendable {
    private let state = Mutex(State())

    private struct State {
        var payments: [SeriesPayment] = []
        var isOver = false
        var waiters: [CheckedContinuation<SeriesPayment?, Never>] = []
    }

    func send(_ payment: SeriesPayment) {
        let waiter = state.withLock { state -> CheckedContinuation<SeriesPayment?, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.payments.append(payment)
            return nil
        }
        waiter?.resume(returning: payment)
    }

    func finish() {
        let waiters = state.withLock { state in
            state.isOver = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    func next() async -> SeriesPayment? {
        await withCheckedContinuation { continuation in
            let answer = state.withLock { state -> SeriesPayment?? in
                if !state.payments.isEmpty { return state.payments.removeFirst() }
                if state.isOver { return .some(nil) }
                state.waiters.append(continuation)
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }
}
