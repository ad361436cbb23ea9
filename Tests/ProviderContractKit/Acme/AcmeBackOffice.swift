import PaymentCore
import PaymentTransport

/// Acme's books.
struct AcmeBackOffice: BackOffice {
    let account: Account
    let api: AcmeAPI

    var capabilities: BackOfficeCapabilities {
        var capabilities = BackOfficeCapabilities()
        capabilities.followUps = [.capture, .void, .refund]
        capabilities.canClose = true
        capabilities.canLink = true
        capabilities.appearsWithin = .seconds(120)
        return capabilities
    }

    func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        var listing = RecordListing(
            records: [],
            isComplete: query.account == account,
            account: account,
            acquirerTime: nil
        )
        guard query.account == account else { return listing }
        do throws(WireError) {
            if query.references.isEmpty {
                try await list(query, into: &listing)
            } else {
                listing.isComplete = false
                for reference in query.references {
                    try await read(reference, into: &listing)
                }
            }
        } catch {
            throw error.error
        }
        return listing
    }

    private func read(
        _ reference: AcquirerReference,
        into listing: inout RecordListing
    ) async throws(WireError) {
        do throws(WireError) {
            let request = api.request(.get, "/payments/\(reference.value)")
            let answer = try await api.client.read(request, as: AcmeAPI.Payment.self)
            listing.acquirerTime = answer.time
            listing.records += answer.body.record.map { [$0] } ?? []
        } catch {
            guard error.status == 404 else { throw error }
        }
    }

    private func list(
        _ query: RecordQuery,
        into listing: inout RecordListing
    ) async throws(WireError) {
        var next: Int? = 0
        var seen: Set<AcquirerReference> = []
        while let start = next {
            let request = api.request(
                .get,
                "/payments",
                query: [
                    ("from", WireDate.format(query.created.lowerBound)),
                    ("to", WireDate.format(query.created.upperBound)), ("start", "\(start)"),
                ]
            )
            let answer = try await api.client.read(request, as: AcmeAPI.Page.self)
            listing.acquirerTime = answer.time
            let records = answer.body.payments.map(\.record)
            // Acme may list a payment twice.
            listing.records += records.compactMap(\.self).filter {
                seen.insert($0.reference).inserted
            }
            if records.contains(where: { $0 == nil }) { listing.isComplete = false }
            next = answer.body.next
        }
    }

    func close(_ reference: AcquirerReference) async -> CloseAnswer {
        do throws(WireError) {
            let request = api.request(.post, "/payments/\(reference.value)/close")
            let answer = try await api.client.write(
                request,
                [String: String](),
                as: AcmeAPI.Payment.self
            )
            guard let record = answer.body.record else {
                return .notClosed(PaymentError(.malformedAnswer))
            }
            switch record.state {
            case .cancelled: return .closed(record)
            case .succeeded, .declined: return .alreadyFinal(record)
            default: return .notClosed(PaymentError(.conflict))
            }
        } catch {
            return .notClosed(error.error)
        }
    }

    func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        let (receipt, verb): (Receipt, String)
        switch attempt.operation {
        case .take: return .notDone(PaymentError(.requestRejected))
        case .capture(let hold): (receipt, verb) = (hold.receipt, "capture")
        case .void(let hold): (receipt, verb) = (hold.receipt, "void")
        case .refund(let payment): (receipt, verb) = (payment, "refund")
        }
        guard let payment = receipt.references.first(where: { $0.kind == "payment" }) else {
            return .notDone(PaymentError(.requestRejected, detail: "no payment to \(verb)"))
        }
        do throws(WireError) {
            let answer = try await api.change("/payments/\(payment.value)/\(verb)", attempt)
            guard let record = answer.body.record else {
                return .unknown(PaymentError(.malformedAnswer))
            }
            switch record.state {
            case .succeeded: return .done(record.approval)
            case .declined(let decline): return .declined(decline)
            case .pending, .payable: return .pending(record.approval)
            case .cancelled: return .notDone(PaymentError(.conflict))
            case .unknown: return .unknown(PaymentError(.outcomeUnknown))
            }
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notDone(error.error)
        }
    }

    func link(for attempt: PaymentAttempt) async -> LinkAnswer {
        let body = AcmeAPI.NewPayment(
            key: attempt.id.description,
            kind: attempt.kind.rawValue,
            amount: attempt.amount.minorUnits,
            currency: attempt.amount.currency.code,
            payload: nil,
            note: nil
        )
        do throws(WireError) {
            let request = api.request(.post, "/links")
            let answer = try await api.client.write(request, body, as: AcmeAPI.Payment.self)
            guard let url = answer.body.url.flatMap({ URL(string: $0) }) else {
                return .unknown(PaymentError(.malformedAnswer))
            }
            return .link(
                url,
                answer.body.reference,
                expiresAt: answer.body.expires.flatMap(WireDate.parse)
            )
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notMade(error.error)
        }
    }
}
