import PaymentCore
import PaymentTransport
import RevolutPayments
import Testing

@Suite struct RevolutWebhookEventTests {
    private static func read(_ body: String) -> Result<RevolutWebhookEvent, RevolutWebhookRefusal> {
        do throws(RevolutWebhookRefusal) {
            return .success(try RevolutWebhookEvent(body: Data(body.utf8)))
        } catch {
            return .failure(error)
        }
    }

    @Test func `R-313 an event names itself, its order and the merchant's reference`() throws {
        let event = try Self.read(
            #"{"event":"ORDER_COMPLETED","order_id":"o","merchant_order_ext_ref":"till-7/42"}"#
        ).get()
        #expect(event.name == .orderCompleted)
        #expect(event.subject == .order("o"))
        #expect(event.orderReference == "till-7/42")
    }

    @Test func `R-209 every known event is read, and unknown members are passed over`() throws {
        #expect(RevolutWebhookEvent.Name.allKnown.count == 19)
        for name in RevolutWebhookEvent.Name.allKnown {
            let event = try Self.read(
                #"{"event":"\#(name)","order_id":"o","payout_id":"p","dispute_id":"d","new":{"x":[1]}}"#
            ).get()
            let expected: RevolutWebhookEvent.Subject =
                switch name.description.prefix(3) {
                case "PAY": .payout("p")
                case "DIS": .dispute("d")
                default: .order("o")
                }
            #expect(event.name == name && event.subject == expected)
        }
    }

    @Test(
        arguments: [
            (#"{"event":"ORDER_TELEPORTED","order_id":"o"}"#, .order("o")),
            (#"{"event":"PAYOUT_LOST","payout_id":"p"}"#, .payout("p")),
            (#"{"event":"SUBSCRIPTION_STARTED","subscription_id":"s"}"#, .unknown),
        ] as [(String, RevolutWebhookEvent.Subject)]
    )
    func `R-209 an unknown event is kept as it is`(
        body: String,
        subject: RevolutWebhookEvent.Subject
    ) throws {
        let event = try Self.read(body).get()
        #expect(event.subject == subject)
        #expect(body.contains(event.name.description))
    }

    @Test(arguments: [
        "", "{", "[]", "null", "7", #"{"event":7}"#, #"{"event":null}"#, #"{"event":""}"#, "{}",
        #"{"event":"ORDER_COMPLETED"}"#, #"{"event":"ORDER_COMPLETED","order_id":7}"#,
        #"{"event":"ORDER_COMPLETED","order_id":""}"#, #"{"event":"PAYOUT_FAILED","order_id":"o"}"#,
        #"{"event":"DISPUTE_WON","payout_id":"p"}"#,
    ])
    func `R-313 a good signature makes no event of a bad body`(body: String) {
        guard case .failure(.bodyMalformed(let detail)) = Self.read(body) else {
            Issue.record("read")
            return
        }
        #expect(!detail.isEmpty)
    }
}
