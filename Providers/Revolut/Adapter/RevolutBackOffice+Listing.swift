import PaymentCore
import PaymentTransport

extension RevolutBackOffice {
    /// Lists by window: the list has no page token, so the window is narrowed to what is left.
    func list(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(WireError) {
        var window = RevolutWindow(query.created)
        var seen: Set<String> = []
        for _ in 0..<Self.mostPages {
            let answer = try await api.get(
                "/api/orders",
                query: [
                    ("limit", "\(Self.pageSize)"),
                    ("from", WireDate.format(window.from ?? query.created.lowerBound)),
                    ("to", WireDate.format(window.to ?? query.created.upperBound)),
                ],
                as: RevolutWire.Orders.self
            )
            listing.acquirerTime = answer.time
            if answer.body.unreadable > 0 { listing.isComplete = false }
            let fresh = answer.body.orders.filter { seen.insert($0.id).inserted }
            for order in fresh where isWanted(order, query) {
                let isOwn = query.marker.map { RevolutRecords.carries($0, order) } ?? false
                // Any other payment can only be put to a person, as the list shows it.
                let isShort = query.kind != .refund && !isOwn
                let whole =
                    isShort
                    ? order : try await self.order(RevolutReference.order(order.id)).body
                guard var record = RevolutRecords.record(whole) else {
                    listing.isComplete = false
                    continue
                }
                if isOwn, record.kind != .refund { record.marker = query.marker }
                listing.records.append(record)
            }
            guard answer.body.orders.count + answer.body.unreadable >= Self.pageSize else { return }
            let times = answer.body.orders.compactMap { WireDate.parse($0.created_at) }
            guard !fresh.isEmpty, window.narrow(after: times) else { break }
        }
        listing.isComplete = false
    }

    private func isWanted(_ order: RevolutWire.Order, _ query: RecordQuery) -> Bool {
        guard RevolutRecords.mayBe(query.kind == .refund ? .refund : .sale, order) else {
            return false
        }
        if query.kind == .refund {
            return order.related_order_id.map { id in
                query.parents.contains(RevolutReference.order(id))
            } ?? false
        }
        // An order that names another location is another till's; the kit's may name none.
        let isElsewhere =
            account.location != nil && order.location_id != nil
            && order.location_id != account.location
        guard let marker = query.marker else { return !isElsewhere }
        return RevolutRecords.carries(marker, order)
            || !isElsewhere && RevolutRecords.marker(of: order) == nil
    }

    private static let pageSize = 500
    private static let mostPages = 100
}
