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

    /// Reads an order; an answer about another one is none.
    func order(
        _ reference: AcquirerReference
    ) async throws(WireError) -> WireAnswer<RevolutWire.Order> {
        try Self.checked(
            try await api.get(try Self.path(reference), as: RevolutWire.Order.self),
            reference
        )
    }

    private static func checked(
        _ answer: WireAnswer<RevolutWire.Order>,
        _ reference: AcquirerReference
    ) throws(WireError) -> WireAnswer<RevolutWire.Order> {
        guard answer.body.id == reference.value else {
            throw WireError(
                PaymentError(.malformedAnswer, detail: "the answer is about another order"),
                mayHaveActed: true
            )
        }
        return answer
    }

    /// The path of an order; one that no order can have is not sent.
    private static func path(
        _ reference: AcquirerReference,
        _ rest: String = ""
    ) throws(WireError) -> String {
        guard RevolutAPI.isPart(reference.value) else {
            throw WireError(
                PaymentError(.notFound, detail: "the order's identifier is none"),
                status: 404,
                mayHaveActed: false
            )
        }
        return "/api/orders/\(reference.value)\(rest)"
    }

    /// Cancels an order that is not paid; one that is final already is read.
    public func close(_ reference: AcquirerReference) async -> CloseAnswer {
        do throws(WireError) {
            let answer = try Self.checked(
                try await api.post(
                    try Self.path(reference, "/cancel"),
                    RevolutWire.Nothing(),
                    as: RevolutWire.Order.self
                ),
                reference
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
                try Self.path(order, "/refund"),
                body,
                key: attempt.id.description,
                as: RevolutWire.Order.self
            )
            let record = RevolutRecords.record(answer.body)
            return Self.answer(record.flatMap { $0.isRefund(of: order) ? $0 : nil })
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
            guard let record = RevolutRecords.record(answer.body), record.amount == attempt.amount,
                let url = RevolutRecords.page(of: answer.body)
            else {
                let detail = "no page to pay the amount on"
                return .unknown(PaymentError(.malformedAnswer, detail: detail))
            }
            return .link(
                url,
                record.reference,
                expiresAt: answer.time.map { $0 + 600 }
            )
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notMade(error.error)
        }
    }
}

extension AcquirerRecord {
    /// Whether it is a refund, and of a paid order where it says of which.
    fileprivate func isRefund(of paid: AcquirerReference) -> Bool {
        kind == .refund && reference != paid && (parent ?? paid) == paid
    }
}
