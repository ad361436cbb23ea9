import PaymentCore
import PaymentTransport

extension FinixBackOffice {
    private typealias Answer<Row: Decodable & Sendable> = WireAnswer<FinixWire.Page<Row>>

    /// Lists what the merchant took, held or gave in a query's span.
    func list(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(PaymentError) {
        let isHold = query.kind == .authorization
        let span = [
            (name: "created_at.gte", value: WireDate.format(query.created.lowerBound)),
            (name: "created_at.lte", value: WireDate.format(query.created.upperBound)),
        ]
        let hasEnded = try await readPages(isHold ? "/authorizations" : "/transfers", span) {
            (answer: Answer<FinixWire.Payment>) in
            listing.acquirerTime = answer.time
            let payments = answer.body.rows.filter { isHold || FinixRecords.isPayment($0) }
            let records = payments.map { row in
                isHold ? FinixRecords.hold(row) : FinixRecords.listed(row)
            }
            listing.add(records, unreadable: answer.body.unreadable)
        }
        if !hasEnded { listing.isComplete = false }
        if query.kind == .sale { try await tellCaptures(since: query.created.lowerBound, &listing) }
    }

    /// Tells apart what captures took: such a transfer looks like a sale on its hold's Device, and
    /// only the hold names it.
    private func tellCaptures(
        since start: Date,
        _ listing: inout RecordListing
    ) async throws(PaymentError) {
        guard listing.records.contains(where: { $0.kind == .sale }) else { return }
        var holds: [AcquirerReference: AcquirerReference] = [:]
        var unreadable = 0
        let changed = [(name: "updated_at.gte", value: WireDate.format(start))]
        let hasEnded = try await readPages("/authorizations", changed) {
            (answer: Answer<FinixWire.Captured>) in
            for hold in answer.body.rows {
                guard let transfer = hold.transfer.map(FinixReference.transfer) else { continue }
                holds[transfer] = FinixReference.authorization(hold.id)
            }
            unreadable += answer.body.unreadable
        }
        let areAllRead = hasEnded && unreadable == 0
        if !areAllRead { listing.isComplete = false }
        for index in listing.records.indices where listing.records[index].kind == .sale {
            if let hold = holds[listing.records[index].reference] {
                listing.records[index].kind = .capture
                listing.records[index].parent = hold
            } else if !areAllRead {
                listing.records[index].state = .unknown("a sale or a capture")
            }
        }
    }

    /// Reads a list by cursor.
    ///
    /// - Returns: Whether it was read to its end.
    private func readPages<Row: Decodable & Sendable>(
        _ path: String,
        _ filter: [(name: String, value: String)],
        _ take: (Answer<Row>) -> Void
    ) async throws(PaymentError) -> Bool {
        let whole = [(name: "merchant_id", value: account.merchant), ("limit", "100")] + filter
        var parameters = whole
        var seen: Set<String> = []
        for _ in 0..<Self.mostPages {
            let answer: Answer<Row>
            do throws(WireError) {
                answer = try await api.get(path, query: parameters, as: FinixWire.Page<Row>.self)
            } catch {
                throw error.error
            }
            take(answer)
            guard let cursor = answer.body.nextCursor else { return true }
            guard seen.insert(cursor).inserted else {
                throw PaymentError(.malformedAnswer, detail: "the list repeats a cursor")
            }
            parameters = whole + [("after_cursor", cursor)]
        }
        return false
    }

    // MARK: Refunds

    /// The payment that a query's refunds belong to.
    static func payment(in query: RecordQuery) -> AcquirerReference? {
        query.parents.first { $0.kind == FinixReference.transferKind }
    }

    /// Lists the refunds of a payment; this list counts by offset and not by cursor.
    func listRefunds(
        of paid: AcquirerReference?,
        into listing: inout RecordListing
    ) async throws(PaymentError) {
        guard let paid, FinixRecords.isFetchable(paid) else {
            listing.isComplete = false
            return
        }
        var seen = 0
        for _ in 0..<Self.mostPages {
            let answer: Answer<FinixWire.Payment>
            do throws(WireError) {
                answer = try await api.get(
                    "/transfers/\(paid.value)/reversals",
                    query: [("limit", "100"), ("offset", "\(seen)")],
                    as: FinixWire.Page<FinixWire.Payment>.self
                )
            } catch {
                throw error.error
            }
            let page = answer.body
            let known = listing.records.count
            listing.acquirerTime = answer.time
            let refunds = page.rows.filter { FinixRecords.isPayment($0) }
                .map { FinixRecords.refund($0, of: paid) }
            listing.add(refunds, unreadable: page.unreadable)
            seen += page.length
            let isWhole = seen >= page.count ?? seen
            if isWhole, page.length < page.limit ?? 100 { return }
            // A server that does not heed the offset shows the same page for ever.
            guard listing.records.count > known else {
                if !isWhole || page.length > 0 { listing.isComplete = false }
                return
            }
        }
        listing.isComplete = false
    }
}

extension RecordListing {
    /// Adds a page's records; what could not be read makes the listing incomplete, and what moved
    /// on to this page is not told twice.
    fileprivate mutating func add(_ page: [AcquirerRecord?], unreadable: Int) {
        if unreadable > 0 || page.contains(where: { $0 == nil }) { isComplete = false }
        let known = Set(records.map(\.reference))
        records += page.compactMap(\.self).filter { !known.contains($0.reference) }
    }
}
