public import PaymentCore
public import PaymentTransport

/// Which orders to list.
public struct RevolutOrderFilter: Sendable {
    /// When they were made; at any time when nil.
    public var created: ClosedRange<Date>?
    /// How far they are; however far when empty.
    public var states: [RevolutOrder.State] = []
    /// The merchant's own identifier.
    public var reference: String?
    /// Revolut's identifier of the customer.
    public var customer: String?
    /// The location that they belong to.
    public var location: String?

    /// Creates a filter that lets every order through.
    public init() {}
}

/// The orders that were found.
public struct RevolutOrderListing: Sendable {
    /// The orders, each once, without payments and pages, in Revolut's order.
    public var orders: [RevolutOrder] = []
    /// Whether that is all there is; absence means nothing unless it is.
    public var isComplete = true
    /// Revolut's own time, if it said so.
    public var time: Date?
}

extension RevolutMerchant {
    /// Lists orders, however many there are.
    ///
    /// Revolut's list has no pages: while it is full, the window of time is narrowed to what it did
    /// not show. More than 500 orders of one moment cannot be told, and the listing says so.
    ///
    /// - Parameter filter: Which orders.
    /// - Returns: The orders, and whether they are all.
    /// - Throws: `WireError` when Revolut could not be asked.
    public func orders(
        _ filter: RevolutOrderFilter = RevolutOrderFilter()
    ) async throws(WireError) -> RevolutOrderListing {
        var listing = RevolutOrderListing()
        var window = RevolutWindow(filter.created)
        var seen: Set<String> = []
        for _ in 0..<Self.mostPages {
            let answer = try await api.get(
                "/api/orders",
                query: query(filter, window),
                as: RevolutWire.WholeOrders.self
            )
            listing.time = answer.time
            let page = answer.body.orders.compactMap { RevolutOrder($0) }
            let rows = answer.body.orders.count + answer.body.unreadable
            if page.count < rows { listing.isComplete = false }
            let fresh = page.filter { seen.insert($0.id).inserted }
            listing.orders += fresh
            guard rows >= Self.pageSize else { return listing }
            guard !fresh.isEmpty, window.narrow(after: page.map(\.createdAt)) else { break }
        }
        listing.isComplete = false
        return listing
    }

    private func query(
        _ filter: RevolutOrderFilter,
        _ window: RevolutWindow
    ) -> [(name: String, value: String)] {
        var query: [(name: String, value: String)] = [("limit", "\(Self.pageSize)")]
        func add(_ name: String, _ value: String?) {
            if let value { query.append((name, value)) }
        }
        add("from", window.from.map(WireDate.format))
        add("to", window.to.map(WireDate.format))
        add("customer_id", filter.customer)
        add("merchant_order_data_reference", filter.reference)
        for state in filter.states { add("state", state.description) }
        add("location_id", filter.location)
        return query
    }

    static let pageSize = 500
    private static let mostPages = 200
}
