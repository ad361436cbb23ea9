import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

@Suite struct RevolutWebhookTrackerTests {
    private static func event(_ name: String, _ order: String) throws -> RevolutWebhookEvent {
        let field =
            name.hasPrefix("PAYOUT")
            ? "payout_id" : name.hasPrefix("DISP") ? "dispute_id" : "order_id"
        return try RevolutWebhookEvent(
            body: Data(
                #"{"event":"\#(name)","\#(field)":"\#(order)","merchant_order_ext_ref":"r-\#(order)"}"#
                    .utf8
            )
        )
    }

    /// An order as a read at some second shows it.
    private static func order(
        _ id: String,
        _ state: String,
        at second: Int,
        type: String = "payment",
        payments: [String] = []
    ) throws -> RevolutOrder {
        let rows = payments.enumerated().map {
            #"{"id":"p\#($0.offset)","state":"\#($0.element)"}"#
        }
        return try RevolutOrder(
            json: """
                { "id": "\(id)", "type": "\(type)", "state": "\(state)", "amount": 1250,
                  "currency": "EUR", "created_at": "2026-01-05T09:00:00Z",
                  "updated_at": "2026-01-05T09:00:\(second < 10 ? "0" : "")\(second)Z",
                  "payments": [\(rows.joined(separator: ","))] }
                """
        )
    }

    private enum Step {
        case event(RevolutWebhookEvent)
        case read(RevolutOrder)
    }

    private static func reduce(_ steps: [Step]) -> RevolutWebhookTracker {
        var tracker = RevolutWebhookTracker()
        for step in steps {
            switch step {
            case .event(let event): tracker.take(event)
            case .read(let order): tracker.take(order)
            }
        }
        return tracker
    }

    /// Everything that may happen to three orders, a refund, a payout and a dispute.
    private static func steps() throws -> [Step] {
        var steps: [Step] = []
        for name in RevolutWebhookEvent.Name.allKnown.map(\.description) + ["ORDER_TELEPORTED"] {
            for id in ["a", "b"] { steps.append(.event(try event(name, id))) }
        }
        steps.append(.event(try event("ORDER_COMPLETED", "refund")))
        steps += [
            .read(try order("a", "pending", at: 1)),
            .read(try order("a", "processing", at: 2, payments: ["authorisation_started"])),
            .read(try order("a", "completed", at: 3, payments: ["captured"])),
            .read(try order("a", "completed", at: 9, payments: ["captured"])),
            .read(try order("b", "pending", at: 1)),
            .read(try order("b", "pending", at: 4, payments: ["declined"])),
            .read(try order("refund", "processing", at: 5, type: "refund")),
            .read(try order("refund", "completed", at: 6, type: "refund")),
        ]
        return steps
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `R-312 every order and repetition of deliveries leads to the same state`(seed: UInt64)
        throws
    {
        let steps = try Self.steps()
        var random = SeededGenerator(seed: seed, stream: "deliveries")
        let again = (0..<30).compactMap { _ in steps.randomElement(using: &random) }
        let shuffled = (steps + again).shuffled(using: &random)
        #expect(Self.reduce(shuffled) == Self.reduce(steps))
    }

    @Test(arguments: ["cancelled", "failed"], [2, 3, 4])
    func `R-361 what was paid stays so, R-242 whatever final state a read shows beside it`(
        other: String,
        second: Int
    ) throws {
        let paid = Step.read(try Self.order("a", "completed", at: 3, payments: ["captured"]))
        let odd = Step.read(try Self.order("a", other, at: second))
        for steps in [[paid, odd], [odd, paid]] {
            #expect(Self.reduce(steps).track(ofOrder: "a")?.order?.state == .completed)
        }
    }

    @Test func `R-312 a missing delivery does make a difference`() throws {
        let steps = try Self.steps()
        for index in steps.indices {
            guard case .event = steps[index] else { continue }
            var fewer = steps
            fewer.remove(at: index)
            #expect(Self.reduce(fewer) != Self.reduce(steps))
        }
    }

    @Test func `R-311 a completion before its authorization is one order to be read`() throws {
        var tracker = RevolutWebhookTracker()
        #expect(tracker.take(try Self.event("ORDER_COMPLETED", "a")))
        #expect(tracker.take(try Self.event("ORDER_AUTHORISED", "a")))
        #expect(!tracker.take(try Self.event("ORDER_COMPLETED", "a")))
        #expect(tracker.ordersToRead == ["a"])
        #expect(tracker.track(ofOrder: "a")?.references == ["r-a"])
    }

    @Test func `R-314 a delivery alone says nothing of money, and the order that is read does`()
        throws
    {
        var tracker = RevolutWebhookTracker()
        tracker.take(try Self.event("ORDER_COMPLETED", "a"))
        #expect(tracker.track(ofOrder: "a")?.order == nil)
        tracker.take(try Self.order("a", "completed", at: 3, payments: ["captured"]))
        #expect(tracker.track(ofOrder: "a")?.order?.isPaidSale == true)
        #expect(tracker.ordersToRead == [])
    }

    @Test func `R-319 a completed refund is not taken for a sale`() throws {
        var tracker = RevolutWebhookTracker()
        tracker.take(try Self.event("ORDER_COMPLETED", "refund"))
        tracker.take(try Self.order("refund", "completed", at: 6, type: "refund"))
        let order = try #require(tracker.track(ofOrder: "refund")?.order)
        #expect(!order.isPaidSale && order.isGivenRefund)
    }

    @Test func `R-321 by our rule a final state stays, whatever comes late`() throws {
        var tracker = RevolutWebhookTracker()
        tracker.take(try Self.order("a", "completed", at: 3, payments: ["captured"]))
        tracker.take(try Self.event("ORDER_PAYMENT_DECLINED", "a"))
        tracker.take(try Self.order("a", "processing", at: 8))
        #expect(tracker.track(ofOrder: "a")?.order?.state == .completed)
        #expect(tracker.ordersToRead == [])
    }

    @Test(
        arguments: [
            ("ORDER_AUTHORISED", "authorised", [], false),
            ("ORDER_AUTHORISED", "processing", [], true),
            ("ORDER_COMPLETED", "authorised", ["authorised"], true),
            ("ORDER_COMPLETED", "completed", [], false),
            ("ORDER_CANCELLED", "pending", [], true), ("ORDER_FAILED", "pending", [], true),
            ("ORDER_FAILED", "failed", [], false), ("ORDER_PAYMENT_DECLINED", "pending", [], true),
            ("ORDER_PAYMENT_DECLINED", "pending", ["declined"], false),
            ("ORDER_PAYMENT_FAILED", "pending", ["declined"], true),
            ("ORDER_PAYMENT_FAILED", "pending", ["failed"], false),
            ("ORDER_PAYMENT_AUTHENTICATED", "pending", [], false),
        ] as [(String, String, [String], Bool)]
    )
    func `R-314 an order is read again until it shows what was told`(
        event: String,
        state: String,
        payments: [String],
        needsReading: Bool
    ) throws {
        var tracker = RevolutWebhookTracker()
        tracker.take(try Self.event(event, "a"))
        tracker.take(try Self.order("a", state, at: 1, payments: payments))
        #expect(tracker.track(ofOrder: "a")?.needsReading == needsReading)
    }
}

extension RevolutOrder {
    /// The order that a body tells, read as any answer is.
    init(json: String) throws {
        let transport = OneAnswer(HTTPResponse(status: 200, body: Data(json.utf8)))
        let time = SimulatedTime()
        let merchant = RevolutMerchant(
            origin: "https://revolut.example",
            apiKey: Secret("sk"),
            transport: transport,
            environment: time.environment
        )
        self = try time.run { () async -> Result<RevolutOrder, WireError> in
            do throws(WireError) {
                return .success(try await merchant.order("any"))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}

/// Answers everything alike.
struct OneAnswer: HTTPTransport {
    let answer: HTTPResponse

    init(_ answer: HTTPResponse) { self.answer = answer }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse { answer }
}
