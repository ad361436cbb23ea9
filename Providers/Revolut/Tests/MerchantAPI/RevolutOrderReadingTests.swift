import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

@Suite struct RevolutOrderReadingTests {
    private static func id(_ kind: Character, _ number: Int) -> String {
        "0\(kind)000000-0000-4000-8000-" + String(repeating: "0", count: 11) + "\(number)"
    }

    private static let created = """
        {"id":"\(id("a", 1))","token":"\(id("b", 1))","type":"payment","state":"pending",
         "created_at":"2026-01-05T09:00:00.000001Z","updated_at":"2026-01-05T09:00:00.000001Z",
         "amount":1250,"currency":"EUR","outstanding_amount":1250,"capture_mode":"automatic",
         "authorisation_type":"final","enforce_challenge":"automatic",
         "description":"Table 4 ~m:9f3k2","merchant_order_data":{"reference":"T4-0105-07"},
         "checkout_url":"https://checkout.revolut.com/payment-link/\(id("b", 1))"}
        """

    private static let captured = """
        {"id":"\(id("a", 1))","type":"payment","state":"completed",
         "created_at":"2026-01-05T09:00:00.000001Z","updated_at":"2026-01-05T09:00:21.500000Z",
         "amount":1250,"currency":"EUR","outstanding_amount":0,"capture_mode":"automatic",
         "enforce_challenge":"automatic","payments":[{"id":"\(id("c", 1))","state":"captured",
           "created_at":"2026-01-05T09:00:12.000000Z","updated_at":"2026-01-05T09:00:21.400000Z",
           "amount":1250,"currency":"EUR","settled_amount":1230,"settled_currency":"EUR",
           "risk_level":"low","fees":[{"type":"acquiring","amount":20,"currency":"EUR"}],
           "payment_method":{"type":"apple_tap_to_pay"}}]}
        """

    private static let refund = """
        {"id":"\(id("a", 3))","type":"refund","state":"processing",
         "created_at":"2026-01-06T10:00:00.000000Z","updated_at":"2026-01-06T10:00:00.000000Z",
         "amount":500,"currency":"EUR","outstanding_amount":500,"capture_mode":"automatic",
         "enforce_challenge":"automatic","related_order_id":"\(id("a", 1))",
         "payments":[{"id":"\(id("c", 3))","state":"refund_validated",
           "created_at":"2026-01-06T10:00:00.000000Z","updated_at":"2026-01-06T10:00:00.000000Z",
           "amount":500,"currency":"EUR","settled_amount":-500,"settled_currency":"EUR","fees":[]}]}
        """

    @Test func `R-231 a new order is pending, all of it outstanding, with a page to pay on`() throws
    {
        let order = try RevolutOrder(json: Self.created)
        #expect(order.state == .pending && order.type == .payment)
        #expect(order.amount == order.outstanding)
        #expect(order.checkoutURL?.absoluteString.hasSuffix(Self.id("b", 1)) == true)
        #expect(order.reference == "T4-0105-07" && order.payments.isEmpty)
    }

    @Test func `R-213 times keep their six fraction digits`() throws {
        let order = try RevolutOrder(json: Self.captured)
        let updatedAt = try #require(order.updatedAt)
        #expect(abs(updatedAt.timeIntervalSince(order.createdAt) - 21.499_999) < 0.000_001)
    }

    @Test func `R-250 a tap is known by its method, and R-256 its fees were reported to be told`()
        throws
    {
        let payment = try #require(try RevolutOrder(json: Self.captured).payments.first)
        #expect(payment.state.meaning == .succeeded && payment.paidBy == .tap)
        #expect(payment.settled?.minorUnits == 1_230 && payment.settled?.currency == "EUR")
        #expect(payment.fees.map(\.minorUnits) == [20])
        #expect(payment.amount == (try Money(minorUnits: 1_250, currency: .eur)))
    }

    @Test
    func `R-252 a tap that lacks a PIN is declined for that, and R-253 both reasons are kept`()
        throws
    {
        let body = """
            {"id":"\(Self.id("c", 2))","order_id":"\(Self.id("a", 2))","state":"declined",
             "created_at":"2026-01-05T09:05:00.000000Z","updated_at":"2026-01-05T09:05:03.000000Z",
             "amount":9900,"currency":"GBP","payment_method":{"type":"apple_tap_to_pay",
               "failure_reason":"pin_data_required"}}
            """
        let office = RevolutOffice()
        let merchant = office.merchant(
            transport: OneAnswer(HTTPResponse(status: 200, body: Data(body.utf8)))
        )
        let payment = try office.run { try await merchant.payment("p") }
        #expect(payment.order == Self.id("a", 2))
        #expect(payment.failureReason == "pin_data_required" && payment.declineReason == nil)
        #expect(payment.decline?.category == .otherInterface)
    }

    @Test func `R-270 a refund is an order of its own that names the one it refunds`() throws {
        let order = try RevolutOrder(json: Self.refund)
        #expect(order.type == .refund && order.related == Self.id("a", 1))
        #expect(!order.isGivenRefund && !order.isPaidSale)
        #expect(order.payments.first?.settled?.minorUnits == -500)
        #expect(order.payments.first?.state.meaning == .inProgress)
    }

    @Test(
        arguments: [
            ("captured", .succeeded), ("completed", .succeeded), ("authorised", .held),
            ("declined", .refused), ("soft_declined", .refused), ("failed", .failed),
            ("cancelled", .cancelled), ("authorisation_passed", .inProgress),
            ("completing", .inProgress),
            ("teleported", .inProgress), ("", .inProgress),
        ] as [(String, RevolutOrderPayment.Meaning)]
    )
    func `R-244 an intermediate or unknown state of a payment decides nothing`(
        state: String,
        meaning: RevolutOrderPayment.Meaning
    ) throws {
        let body = Self.captured.replacing(#""state":"captured""#, with: #""state":"\#(state)""#)
        let order = try RevolutOrder(json: body)
        #expect(order.payments.first?.state.meaning == meaning)
        #expect(order.payments.first?.state.description == state)
    }

    @Test func `R-209 unknown words are kept, and R-251 a method that no list names`() throws {
        let body = Self.captured
            .replacing(#""state":"completed""#, with: #""state":"resting","more":{"a":[1]}"#)
            .replacing(#""type":"payment","#, with: #""type":"barter","#)
            .replacing("apple_tap_to_pay", with: "telepathy")
            .replacing(#""fees":[{"type""#, with: #""fees":[{"kind""#)
            .replacing(#""outstanding_amount":0"#, with: #""outstanding_amount":"none""#)
        let order = try RevolutOrder(json: body)
        #expect(order.state.description == "resting" && !order.state.isFinal)
        #expect(order.type.description == "barter" && !order.isPaidSale && !order.isGivenRefund)
        #expect(order.payments.first?.method == "telepathy" && order.payments.first?.paidBy == .qr)
        #expect(order.outstanding == nil)
    }

    @Test(arguments: [
        "payment", "payment_request", "refund", "chargeback", "chargeback_reversal",
        "credit_reimbursement",
    ])
    func `R-230 of six types two are sales`(type: String) throws {
        let body = Self.captured.replacing(#""type":"payment","#, with: #""type":"\#(type)","#)
        let order = try RevolutOrder(json: body)
        #expect(order.isPaidSale == type.hasPrefix("payment"))
        #expect(order.isGivenRefund == (type == "refund"))
    }

    @Test(
        arguments: [("JPY", 1), ("EUR", 1), ("KWD", 1), ("CLF", 1), ("EUR", Int64.max)]
            as [(String, Int64)]
    )
    func `R-210 amounts are minor units of any currency`(code: String, amount: Int64) throws {
        let body = Self.created.replacing("1250", with: "\(amount)").replacing("EUR", with: code)
        let order = try RevolutOrder(json: body)
        #expect(order.amount.minorUnits == amount && order.amount.currency.code == code)
    }

    @Test(arguments: [
        ("1250", "12.5"), ("1250", "-1"), ("1250", #""1250""#), ("1250", "9223372036854775808"),
        (#""EUR""#, #""ZZZ""#), (#""EUR""#, "7"),
        (#""2026-01-05T09:00:00.000001Z","updated"#, #""soon","updated"#),
        (#""id":"#, #""ident":"#), (#""state":"#, #""stat":"#),
    ])
    func `R-209 an order whose money cannot be read is an answer that may have had its effect`(
        old: String,
        new: String
    ) throws {
        let error = #expect(throws: WireError.self) {
            try RevolutOrder(json: Self.created.replacing(old, with: new))
        }
        #expect(error?.error.code == .malformedAnswer)
        #expect(error?.mayHaveActed == true)
    }

    @Test(
        arguments: [
            ("insufficient_funds", .insufficientFunds),
            ("withdrawal_limit_exceeded", .insufficientFunds),
            ("rejected_by_customer", .issuerRefused), ("expired_card", .expiredCard),
            ("restricted_card", .cardProblem), ("pick_up_card", .security),
            ("high_risk", .security), ("invalid_pin", .pin), ("technical_error", .temporary),
            ("3ds_challenge_abandoned", .customerData), ("invalid_merchant", .merchantSetUp),
            ("pin_data_required", .otherInterface), ("somethingNew", .generic), ("", .generic),
        ] as [(String, Decline.Category)]
    )
    func `R-255 a reason is read by the table, and one that is not there explains nothing`(
        reason: String,
        category: Decline.Category
    ) throws {
        let body = Self.captured.replacing(
            #""state":"captured","#,
            with: #""state":"declined","decline_reason":"\#(reason)","#
        )
        #expect(try RevolutOrder(json: body).decline?.category == category)
    }
}
