import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ProviderContractKit

extension Mutant {
    /// Broken on the wire and in the books.
    static let books: [Mutant] = [
        Mutant("adds one to every amount", [.amounts, .holds, .refunds]) {
            $0.request = { request in
                [request.replacing("amount") { $0.number.map { .number($0 + 1) } ?? $0 }]
            }
        },
        Mutant("rounds amounts to tens", [.amounts]) {
            $0.request = { request in
                [request.replacing("amount") { $0.number.map { .number($0 / 10 * 10) } ?? $0 }]
            }
        },
        Mutant("sends every amount as euros", [.amounts]) {
            $0.request = { request in [request.replacing("currency") { _ in .text("EUR") }] }
        },
        Mutant("sends holds and refunds to cards as sales", [.holds, .refunds, .receipts]) {
            $0.request = { request in
                request.isPayment ? [request.replacing("kind") { _ in .text("sale") }] : [request]
            }
        },
        Mutant("sends one key for everything", [.sale, .refunds, .idempotency, .journal, .lookUp]) {
            $0.request = { request in [request.replacing("key") { _ in .text("key") }] }
        },
        Mutant("takes texts for commands", [.sale, .capabilities]) {
            $0.request = { request in
                [request.replacing("note") { .text(($0.text ?? "") + " and more") }]
            }
        },
        Mutant("sends no marker", [.capabilities, .lookUp, .unknown]) {
            $0.listing = { listing, _ in
                for index in listing.records.indices { listing.records[index].marker = nil }
            }
        },
        Mutant("takes one record that is listed twice for two", [.events, .unknown]) {
            $0.listing = { listing, _ in listing.records += listing.records }
        },
        Mutant("takes whatever record is answered for its own", [.unknown]) {
            $0.response = { request, response in
                guard request.isPayment, let asked = JSONTree.members(of: request.body)?["key"],
                    var record = JSONTree.members(of: response.body)
                else { return response }
                record["key"] = asked
                return .json(response.status, .object(record))
            }
        },
        Mutant("takes a state that it does not know for success", [.unknown]) {
            $0.response = { _, response in
                response.replacing(#""MOONLIT""#, with: #""succeeded""#)
            }
        },
        Mutant("takes a state that it does not know for a decline", [.unknown]) {
            $0.response = { _, response in
                response.replacing(#""MOONLIT""#, with: #""declined""#)
            }
        },
        Mutant("takes silence for absence", [.unknown, .lookUp, .timeouts, .refunds]) {
            $0.listingError = { _, query in
                RecordListing(
                    records: [],
                    isComplete: true,
                    account: query.account,
                    acquirerTime: query.created.upperBound
                )
            }
        },
        Mutant("finds nothing in the books", [.unknown, .lookUp, .idempotency, .journal, .holds]) {
            $0.listing = { listing, _ in listing = listing.emptied(isComplete: true) }
            $0.bookCapabilities = { capabilities, _ in capabilities.appearsWithin = .zero }
        },
        Mutant("tells the amount that was asked in the books too", [.receipts, .lookUp]) {
            $0.listing = { listing, _ in
                for index in listing.records.indices {
                    let twice = try? listing.records[index].amount.multiplied(by: 2)
                    listing.records[index].amount = twice ?? listing.records[index].amount
                }
            }
            $0.answer = { answer, _ in
                answer.changed { $0.amount = $0.amount.money.map { .reported($0) } ?? .unknown }
            }
        },
        Mutant("reads the first page alone", [.lookUp]) {
            $0.response = { request, response in
                guard request.method == .get, request.path == "/payments" else { return response }
                let start = request.query.first { $0.name == "start" }?.value
                return start == "0"
                    ? response.withoutNext
                    : HTTPResponse.json(200, .object(["payments": .list([])]))
            }
        },
        Mutant("asks in the device's own time", [.lookUp]) {
            $0.listing = { listing, query in
                listing.acquirerTime = nil
                listing.records.removeAll {
                    !(query.created.lowerBound...query.created.upperBound ~= $0.createdAt)
                        || abs($0.createdAt.timeIntervalSince(query.created.lowerBound)) > 3_600
                }
            }
        },
        Mutant("takes pending for approved", [.timeouts]) {
            $0.listing = { listing, _ in
                for index in listing.records.indices where listing.records[index].state == .pending
                {
                    listing.records[index].state = .succeeded
                }
            }
        },
        Mutant("takes every record for one that went through", [.declines, .unknown, .lookUp]) {
            $0.listing = { listing, _ in
                for index in listing.records.indices { listing.records[index].state = .succeeded }
            }
        },
        Mutant("says that it closed what it did not", [.lookUp, .codes]) {
            $0.response = { request, response in
                request.path.hasSuffix("/close")
                    ? response.replacing(#""succeeded""#, with: #""closed""#) : response
            }
        },
        Mutant("lets pages be paid after their end", [.codes]) {
            $0.request = { request in request.path.hasSuffix("/close") ? [] : [request] }
        },
        Mutant("tells codes as paid", [.codes]) {
            $0.answer = { answer, attempt in
                .approved(Approval(amount: .confirmed(attempt.amount), method: .tap))
            }
        },
        Mutant(
            "tells every follow-up as done",
            [.refunds, .holds, .idempotency, .unknown, .timeouts, .concurrency]
        ) {
            $0.bookAnswer = { _, attempt in
                .done(Approval(amount: .confirmed(attempt.amount)))
            }
        },
        Mutant(
            "tells every follow-up as failed",
            [.refunds, .holds, .idempotency, .unknown, .timeouts, .concurrency, .receipts]
        ) {
            $0.bookAnswer = { _, _ in .notDone(PaymentError(.conflict)) }
        },
        Mutant("tells an unknown follow-up as failed", [.refunds, .unknown, .idempotency]) {
            $0.bookAnswer = { answer, _ in
                if case .unknown(let error) = answer { .notDone(error) } else { answer }
            }
        },
        Mutant("answers a refund with the payment", [.receipts]) {
            $0.bookAnswer = { answer, attempt in
                guard case .done(var approval) = answer,
                    case .refund(let receipt) = attempt.operation
                else { return answer }
                approval.references = receipt.references
                return .done(approval)
            }
        },
        Mutant("makes every follow-up twice", [.refunds, .idempotency, .timeouts, .journal]) {
            $0.request = { request in
                guard ["refund", "capture"].contains(request.path.split(separator: "/").last ?? "")
                else { return [request] }
                return [request, request.replacing("key") { .text(($0.text ?? "") + "b") }]
            }
        },
        Mutant(
            "talks to the acquirer whenever its capabilities are read",
            [.refunds, .journal, .configuration, .capabilities]
        ) {
            $0.chatsAlways = true
        },
        Mutant("has no use for expired tokens", [.tokens]) {
            $0.response = { _, response in
                response.status == 401 ? HTTPResponse(status: 403) : response
            }
        },
    ]

    /// Broken in what they declare, read and tell.
    static let words: [Mutant] = [
        Mutant("changes its capabilities as it goes", [.capabilities]) {
            $0.capabilities = { capabilities, looks in
                guard looks > 0 else { return }
                capabilities.tip = false
                capabilities.amounts.largest = .max
                capabilities.descriptionLength = 4_000
            }
        },
        Mutant("declares nothing", [.capabilities]) {
            $0.capabilities = { capabilities, _ in capabilities = ProviderCapabilities() }
        },
        Mutant("declares another currency", [.capabilities]) {
            $0.capabilities = { capabilities, _ in capabilities.amounts.currencies = [.usd] }
        },
        Mutant("ignores what it does not know in its section", [.configuration]) {
            $0.make = { section in
                for key in section.keys { _ = section.optionalString(key) }
                return .made
            }
        },
        Mutant("takes a number for its environment", [.configuration]) {
            let count = LookCounter()
            $0.make = { section in
                guard count.next() > 1 else { return .simulated(section) }
                _ = section.wholeNumber("environment", in: 0...9, default: 1)
                _ = section.optionalString("merchant")
                return .made
            }
        },
        Mutant("refuses its own section, and quotes its key", [.configuration]) {
            let count = LookCounter()
            $0.make = { section in
                guard count.next() > 1 else { return .simulated(section) }
                section.reject("environment", "not with \(AcmeEmulator.apiKey)")
                return nil
            }
        },
        Mutant("talks to the acquirer as it is made", [.configuration]) {
            $0.open = { $0.chatLater() }
        },
        Mutant("has another account with every start", [.configuration, .receipts]) {
            $0.account = { account, environment in
                Account(
                    provider: "other",
                    merchant: AttemptID(from: environment).description,
                    environment: .sandbox
                )
            }
        },
        Mutant("repeats private texts", [.redaction]) {
            $0.answer = { answer, attempt in
                guard case .take(let request) = attempt.operation else { return answer }
                let text = [request.description, request.customerReference].compactMap(\.self)
                    .joined(separator: " ")
                switch answer {
                case .declined(let decline):
                    return .declined(Decline(decline.category, detail: text))
                case .cancelled: return .notCharged(PaymentError(.interrupted, detail: text))
                case .notCharged(let error):
                    return .notCharged(PaymentError(error.code, detail: text))
                case .unknown(let error): return .unknown(PaymentError(error.code, detail: text))
                default: return answer.changed { $0.approvalCode = text }
                }
            }
            $0.bookAnswer = { _, _ in
                .unknown(PaymentError(.conflict, detail: "key \(AcmeEmulator.apiKey)"))
            }
        },
        Mutant("takes time and chance from elsewhere", [.concurrency, .readiness]) {
            let count = LookCounter()
            $0.prepare = { inner, scene, _ throws(PaymentError) in
                if count.next() % 2 == 1 { await scene.chat() }
                try await inner.prepare()
            }
        },
    ]

    /// Every broken adapter.
    static let all = counter + plain + books + words
}

extension AcmeConfiguration {
    /// A configuration that nothing was read for.
    fileprivate static let made: AcmeConfiguration? = {
        let text = #"{ "environment": "simulated", "merchant": "corner-shop" }"#
        return try? ConfigurationSection.read(
            Array(text.utf8),
            secrets: .app { _ in nil }
        ) { AcmeConfiguration.simulated($0) }
    }()
}

extension HTTPResponse {
    /// A page of a list that claims to be the last.
    fileprivate var withoutNext: HTTPResponse {
        guard var members = JSONTree.members(of: body) else { return self }
        members["next"] = .null
        var response = self
        response.body = JSONTree.object(members).data
        return response
    }
}
