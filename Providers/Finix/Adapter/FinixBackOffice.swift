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
        case .refund:
            try await listRefunds(of: Self.payment(in: query), into: &listing)
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
            return switch query.kind {
            case .capture: FinixRecords.capture(answer.body, of: query.parents.first)
            case .refund: FinixRecords.refund(answer.body, of: Self.payment(in: query))
            default: FinixRecords.transfer(answer.body)
            }
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

    /// Nothing to close: a tap that was not submitted left no record behind.
    public func close(_ reference: AcquirerReference) -> CloseAnswer { .unsupported }

    /// Finix's taps have no page to pay on.
    public func link(for attempt: PaymentAttempt) -> LinkAnswer { .unsupported }

    /// The most pages that one look reads.
    static let mostPages = 100
}
