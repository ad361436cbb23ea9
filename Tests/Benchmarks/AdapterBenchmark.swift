import FinixPayments
import PaymentCore
import PaymentTransport

/// An adapter's own work: build a request, read the answer, say what it means.
enum AdapterBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (2, 50) : (9, 5_000)
        let office = office(FixedAnswer(transfer), "https://finix.example")
        let reads = try await Measuring.rounds(rounds) {
            try await Measuring.nanoseconds(each: count) {
                for _ in 0..<count { try await read(office) }
            }
        }
        let refunds = try await Measuring.rounds(rounds) {
            try await Measuring.nanoseconds(each: count) { try await refund(count) }
        }
        return [
            .limit("adapter.read", reads, .nanoseconds, 20_000),
            .limit("adapter.refund", refunds, .nanoseconds, 20_000),
        ]
    }

    static let account = Account(provider: "finix", merchant: "MU1", environment: .simulated)

    static func office(_ transport: any HTTPTransport, _ origin: String) -> FinixBackOffice {
        FinixBackOffice(
            account: account,
            origin: origin,
            username: Secret("USbench"),
            password: Secret("bench-password"),
            transport: transport,
            environment: .live
        )
    }

    static func read(_ office: FinixBackOffice) async throws {
        let now = Date(timeIntervalSince1970: 1_767_603_600)
        let listing = try await office.records(
            RecordQuery(
                account: account,
                references: [AcquirerReference(kind: "transfer", value: "TRbench")],
                created: now...now,
                kind: .sale
            )
        )
        guard listing.records.first?.state == .succeeded else { throw Unexpected("\(listing)") }
    }

    static func refund(_ count: Int) async throws {
        let reversal = transfer.replacing("\"DEBIT\"", with: "\"REVERSAL\"")
        let office = office(FixedAnswer(reversal), "https://finix.example")
        let attempt = try refundAttempt()
        for _ in 0..<count {
            let answer = await office.perform(attempt)
            switch answer {
            case .done, .pending: break
            default: throw Unexpected("\(answer)")
            }
        }
    }

    private static func refundAttempt() throws -> PaymentAttempt {
        let amount = try Shop.money(1_250)
        let receipt = Receipt(
            of: AttemptID("first"),
            began: .init(account: account, order: "o1", kind: .sale, amount: amount),
            approval: Approval(
                references: [AcquirerReference(kind: "transfer", value: "TRbench")],
                amount: .confirmed(amount)
            ),
            now: Date(timeIntervalSince1970: 1_767_603_600)
        )
        return PaymentAttempt(
            id: AttemptID("second"),
            account: account,
            operation: .refund(receipt),
            startedAt: Date(timeIntervalSince1970: 1_767_603_700),
            amount: amount
        )
    }

    /// A transfer with everything that the acquirer sends, used or not.
    static let transfer = """
        {"id":"TRbench","created_at":"2026-01-05T09:00:00.25Z",\
        "updated_at":"2026-01-05T09:00:01.31Z","additional_buyer_charges":null,\
        "additional_healthcare_data":null,"additional_purchase_data":null,\
        "address_verification":"POSTAL_CODE_AND_STREET_MATCH","amount":1250,\
        "amount_requested":1250,"application":"APbench","card_present_details":{\
        "application_label":"VISA CREDIT","approval_code":"A1B2C3","brand":"VISA",\
        "emv_data":{"application_identifier":"A0000000031010","cryptogram":"1F2E3D4C"},\
        "entry_mode":"CONTACTLESS","masked_account_number":"4242","name":null,\
        "payment_type":"CREDIT"},"currency":"USD","destination":null,"device":"DVbench",\
        "externally_funded":"UNKNOWN","failure_code":null,"failure_message":null,"fee":0,\
        "fee_profile":"FPbench","idempotency_id":"bench-idempotency","merchant":"MU1",\
        "merchant_identity":"IDbench","messages":[],"parent_transfer":null,"raw":null,\
        "ready_to_settle_at":null,"receipt_last_printed_at":null,"security_code_verification":\
        "MATCHED","source":"PIbench","split_transfers":[],"state":"SUCCEEDED",\
        "statement_descriptor":"BENCH*CORNER SHOP","subtype":"API","supplemental_fee":null,\
        "tags":{"order":"o1","attempt":"first"},"tip_amount":null,"trace_id":"trace-bench",\
        "type":"DEBIT","_links":{"self":{"href":"https://finix.example/transfers/TRbench"},\
        "application":{"href":"https://finix.example/applications/APbench"},\
        "payment_instruments":{"href":"https://finix.example/payment_instruments/PIbench"},\
        "merchant_identity":{"href":"https://finix.example/identities/IDbench"},\
        "reversals":{"href":"https://finix.example/transfers/TRbench/reversals"}}}
        """
}

/// A transport that has the answer already.
struct FixedAnswer: HTTPTransport {
    private let response: HTTPResponse

    init(_ body: String) {
        response = HTTPResponse(status: 200, body: Data(body.utf8))
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        keep(request)
        return response
    }
}
