public import PaymentCore
public import PaymentTransport

/// Revolut's books, asked directly; holds the secret key, so it belongs on a back end.
public struct RevolutBackOffice: BackOffice {
    let api: RevolutAPI
    let account: Account

    /// Creates a back office.
    ///
    /// - Parameters:
    ///   - account: Whose books.
    ///   - origin: Scheme and host of the Merchant API.
    ///   - apiKey: The secret key.
    ///   - apiVersion: The date of the API's version.
    ///   - transport: What carries the requests.
    ///   - environment: Where time and randomness come from.
    public init(
        account: Account,
        origin: String,
        apiKey: Secret,
        apiVersion: String,
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        self.account = account
        api = RevolutAPI(
            origin: origin,
            apiKey: apiKey,
            version: apiVersion,
            transport: transport,
            environment: environment
        )
    }

    /// How long Revolut knows a refund's key: it does not say, so an hour is assumed.
    private static let refundKeysAreKept = Duration.seconds(3_600)

    /// Absence takes three complete looks over ten minutes; orders can be closed and linked.
    public var capabilities: BackOfficeCapabilities {
        var capabilities = BackOfficeCapabilities()
        capabilities.followUps = [.refund]
        capabilities.canClose = true
        capabilities.canLink = true
        capabilities.appearsWithin = .seconds(120)
        capabilities.absentListings = .init(count: 3, spread: .seconds(600))
        capabilities.repeats = [.refund: .idempotencyKey(keptFor: Self.refundKeysAreKept)]
        return capabilities
    }

    /// Reads orders by reference, else those of the query's span that carry its marker or none;
    /// without a marker all of them.
    public func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        var listing = RecordListing(
            records: [],
            isComplete: true,
            account: account,
            acquirerTime: nil
        )
        guard query.account == account else {
            listing.isComplete = false
            return listing
        }
        do throws(WireError) {
            let references = RevolutReference.known(query.references)
            guard references.isEmpty else {
                try await read(references, into: &listing)
                return listing
            }
            try await list(query, into: &listing)
            if RevolutReference.isReportedPaid(query.references) { listing.isComplete = false }
            return listing
        } catch {
            throw error.error
        }
    }

    private func read(
        _ references: [AcquirerReference],
        into listing: inout RecordListing
    ) async throws(WireError) {
        listing.isComplete = false
        for reference in references {
            do throws(WireError) {
                let answer = try await order(reference)
                listing.acquirerTime = answer.time
                listing.records += RevolutRecords.record(answer.body).map { [$0] } ?? []
            } catch {
                guard error.status == 404 else { throw error }
            }
        }
    }

    private func order(
        _ reference: AcquirerReference
    ) async throws(WireError) -> WireAnswer<RevolutWire.Order> {
        try await api.get("/api/orders/\(reference.value)", as: RevolutWire.Order.self)
    }

    /// Lists by window: the list has no page token, so the window is narrowed to what is left.
    private func list(
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

    /// Cancels an order that is not paid; one that is final already is read.
    public func close(_ reference: AcquirerReference) async -> CloseAnswer {
        do throws(WireError) {
            let answer = try await api.post(
                "/api/orders/\(reference.value)/cancel",
                RevolutWire.Nothing(),
                as: RevolutWire.Order.self
            )
            guard let record = RevolutRecords.record(answer.body) else {
                return .notClosed(PaymentError(.malformedAnswer))
            }
            return await settled(record, reference, PaymentError(.conflict))
        } catch {
            guard let order = try? await order(reference).body,
                let record = RevolutRecords.record(order)
            else { return .notClosed(error.error) }
            return await settled(record, reference, error.error)
        }
    }

    private func settled(
        _ record: AcquirerRecord,
        _ reference: AcquirerReference,
        _ error: PaymentError
    ) async -> CloseAnswer {
        switch record.state {
        case .cancelled, .declined: .closed(record)
        case .succeeded: .alreadyFinal(record)
        case .payable, .pending, .unknown: .notClosed(error)
        }
    }

    /// Refunds an order; captures and voids belong to holds, which Revolut's taps do not make.
    public func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        guard case .refund(let receipt) = attempt.operation,
            let order = receipt.references.first(where: { $0.kind == "order" })
        else { return .notDone(PaymentError(.requestRejected, detail: "no order to refund")) }
        let body = RevolutWire.NewRefund(
            amount: attempt.amount.minorUnits,
            currency: attempt.amount.currency.code
        )
        do throws(WireError) {
            let answer = try await api.post(
                "/api/orders/\(order.value)/refund",
                body,
                key: attempt.id.description,
                as: RevolutWire.Order.self
            )
            return Self.answer(RevolutRecords.record(answer.body))
        } catch {
            // A 400 does not prove that no refund order was made.
            return error.mayHaveActed || error.status == 400
                ? .unknown(error.error) : .notDone(error.error)
        }
    }

    private static func answer(_ record: AcquirerRecord?) -> BackOfficeAnswer {
        guard let record else { return .unknown(PaymentError(.malformedAnswer)) }
        switch record.state {
        case .succeeded: return .done(record.approval)
        case .pending, .payable: return .pending(record.approval)
        case .declined(let decline): return .declined(decline)
        case .cancelled: return .notDone(PaymentError(.conflict))
        case .unknown: return .unknown(PaymentError(.outcomeUnknown))
        }
    }

    /// Creates an order with the attempt's key, and hands out its page.
    public func link(for attempt: PaymentAttempt) async -> LinkAnswer {
        let body = RevolutWire.NewOrder(
            amount: attempt.amount.minorUnits,
            currency: attempt.amount.currency.code,
            description: RevolutMarker.description(nil, attempt.id),
            expire_pending_after: "PT10M",
            merchant_order_data: .init(reference: attempt.id.description),
            location_id: account.location
        )
        do throws(WireError) {
            let answer = try await api.post("/api/orders", body, as: RevolutWire.Order.self)
            guard let url = answer.body.checkout_url.flatMap({ URL(string: $0) }) else {
                return .unknown(PaymentError(.malformedAnswer, detail: "no checkout_url"))
            }
            return .link(
                url,
                RevolutReference.order(answer.body.id),
                expiresAt: answer.time.map { $0 + 600 }
            )
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notMade(error.error)
        }
    }

    private static let pageSize = 500
    private static let mostPages = 100
}
