public import PaymentCore
public import PaymentTransport

/// Finix's books, asked directly; holds the API key, so it belongs on a back end.
public struct FinixBackOffice: BackOffice {
    let api: FinixAPI
    let account: Account

    /// Creates a back office.
    ///
    /// - Parameters:
    ///   - account: Whose books; the merchant is Finix's `MU…`.
    ///   - origin: Scheme and host of Finix's API.
    ///   - username: The API key's identifier.
    ///   - password: The API key's secret.
    ///   - transport: What carries the requests.
    ///   - environment: Where time and randomness come from.
    public init(
        account: Account,
        origin: String,
        username: Secret,
        password: Secret,
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        self.account = account
        api = FinixAPI(
            origin: origin,
            credentials: .init(username: username, password: password),
            transport: transport,
            environment: environment
        )
    }

    /// How long Finix knows an idempotency id: it does not say, so an hour is assumed.
    private static let idempotencyIDsAreKept = Duration.seconds(3_600)

    /// Payments may appear for five minutes, Finix's longest request time.
    public var capabilities: BackOfficeCapabilities {
        var capabilities = BackOfficeCapabilities()
        capabilities.appearsWithin = .seconds(300)
        capabilities.followUps = [.capture, .void, .refund]
        capabilities.repeats = [.refund: .idempotencyKey(keptFor: Self.idempotencyIDsAreKept)]
        return capabilities
    }

    /// Fetches by reference, else lists the merchant's transfers or holds of the query's span.
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
        let fetchable = query.references.filter { FinixRecords.isFetchable($0) }
        if !fetchable.isEmpty {
            listing.isComplete = false
            for reference in fetchable {
                guard let record = try await fetch(reference, query, time: &listing.acquirerTime)
                else { continue }
                listing.records.append(record)
            }
            return listing
        }
        switch query.kind {
        case .sale, .authorization, .refundToCard: try await list(query, into: &listing)
        case .capture, .void: try await readHold(query, into: &listing)
        case .refund: try await listRefunds(query, into: &listing)
        }
        return listing
    }

    private func fetch(
        _ reference: AcquirerReference,
        _ query: RecordQuery,
        time: inout Date?
    ) async throws(PaymentError) -> AcquirerRecord? {
        do throws(WireError) {
            if reference.kind == FinixReference.authorizationKind {
                let answer = try await hold(reference)
                time = answer.time
                return query.kind == .void
                    ? FinixRecords.release(answer.body) : FinixRecords.hold(answer.body)
            }
            let answer = try await transfer(reference)
            time = answer.time
            guard query.kind == .capture else { return FinixRecords.transfer(answer.body) }
            return FinixRecords.capture(answer.body, of: query.parents.first)
        } catch {
            guard error.status == 404 else { throw error.error }
            return try await fetchHold(named: reference, query, time: &time)
        }
    }

    /// A hold whose identifier does not say that it is one.
    private func fetchHold(
        named reference: AcquirerReference,
        _ query: RecordQuery,
        time: inout Date?
    ) async throws(PaymentError) -> AcquirerRecord? {
        guard query.kind == .authorization, FinixReference.isAmbiguous(reference) else {
            return nil
        }
        let authorization = FinixReference.authorization(reference.value)
        var record = try await fetch(authorization, query, time: &time)
        record?.otherReferences.append(reference)
        return record
    }

    private func list(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(PaymentError) {
        let isHold = query.kind == .authorization
        let path = isHold ? "/authorizations" : "/transfers"
        var parameters: [(name: String, value: String)] = [
            ("merchant_id", account.merchant), ("limit", "100"),
            ("created_at.gte", WireDate.format(query.created.lowerBound)),
            ("created_at.lte", WireDate.format(query.created.upperBound)),
        ]
        var seen: Set<String> = []
        for _ in 0..<Self.mostPages {
            let answer: WireAnswer<FinixWire.Page<FinixWire.Payment>>
            do throws(WireError) {
                answer = try await api.get(
                    path,
                    query: parameters,
                    as: FinixWire.Page<FinixWire.Payment>.self
                )
            } catch {
                throw error.error
            }
            listing.acquirerTime = answer.time
            let records = answer.body.rows.map { row in
                isHold ? FinixRecords.hold(row) : FinixRecords.transfer(row)
            }
            listing.records += records.compactMap(\.self)
            if answer.body.unreadable > 0 || records.contains(where: { $0 == nil }) {
                listing.isComplete = false
            }
            guard let cursor = answer.body.nextCursor else { return }
            guard seen.insert(cursor).inserted else {
                throw PaymentError(.malformedAnswer, detail: "the list repeats a cursor")
            }
            parameters.removeAll { $0.name == "after_cursor" }
            parameters.append(("after_cursor", cursor))
        }
        listing.isComplete = false
    }

    /// Nothing to close: a tap that was not submitted left no record behind.
    public func close(_ reference: AcquirerReference) -> CloseAnswer { .unsupported }

    /// Finix's taps have no page to pay on.
    public func link(for attempt: PaymentAttempt) -> LinkAnswer { .unsupported }

    /// The most pages that one look reads.
    static let mostPages = 100
}
