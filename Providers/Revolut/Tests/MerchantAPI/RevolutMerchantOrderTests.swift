import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Synchronization
import Testing

@Suite struct RevolutMerchantOrderTests {
    private static func new(
        _ minorUnits: Int64 = 1_250,
        reference: String? = nil,
        capture: RevolutNewOrder.Capture = .automatic
    ) throws -> RevolutNewOrder {
        var new = RevolutNewOrder(try Money(minorUnits: minorUnits, currency: .gbp))
        new.reference = reference
        new.capture = capture
        return new
    }

    private static func made(
        _ office: RevolutOffice,
        _ new: RevolutNewOrder
    ) throws -> RevolutOrder {
        try office.run { try await office.merchant.create(new) }
    }

    /// An order whose money is held.
    private static func held(_ office: RevolutOffice) throws -> RevolutOrder {
        let order = try made(office, try new(capture: .manual))
        #expect(office.emulator.payByCode(order.id))
        return try office.run { try await office.merchant.order(order.id) }
    }

    @Test func `R-291 making an order twice makes two, and R-295 by our rule whatever the key`()
        throws
    {
        let office = RevolutOffice()
        let new = try Self.new(reference: "r")
        let orders = [try Self.made(office, new), try Self.made(office, new)]
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        request.headers["Idempotency-Key"] = "same"
        request.body = Data(#"{"amount":1,"currency":"GBP"}"#.utf8)
        let sent = request
        for _ in 0..<2 { _ = try office.run { try await office.emulator.host.send(sent) } }
        #expect(orders[0].id != orders[1].id)
        #expect(try office.run { try await office.merchant.orders() }.orders.count == 4)
    }

    @Test(arguments: [true, false])
    func `R-292 an order whose answer was lost is found by its reference and paid once`(
        wasMade: Bool
    ) throws {
        let office = RevolutOffice()
        let new = try Self.new(reference: "till-7/42")
        office.emulator.host.faults.add(wasMade ? .loseAnswer : .loseRequest, times: 1) {
            $0.method == .post
        }
        let first = try? office.run { try await office.merchant.createOnce(new) }
        let second = try office.run { try await office.merchant.createOnce(new) }
        #expect((first != nil) == wasMade)
        #expect(first?.id ?? second.id == second.id && second.checkoutURL != nil)
        #expect(office.emulator.payByCode(second.id))
        #expect(try office.run { try await office.merchant.orders() }.orders.count == 1)
        #expect(office.world.ledger.balance(.gbp) == 1_250)
    }

    @Test func `R-292 an order whose answer and whose look-up were lost may have been made`()
        throws
    {
        let office = RevolutOffice()
        let faults = office.emulator.host.faults
        faults.add(.loseAnswer, times: 1) { $0.method == .post }
        let lists = Mutex(0)
        faults.decide { request in
            guard request.method == .get else { return nil }
            // The first look, before anything is made, goes well.
            return lists.withLock { count in
                count += 1
                return count == 1 ? nil : .unreachable
            }
        }
        let new = try Self.new(reference: "r")
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.createOnce(new)
        }
        #expect(error?.error.code == .networkUnavailable && error?.mayHaveActed == true)
        faults.clear()
        #expect(try office.run { try await office.merchant.orders() }.orders.count == 1)
    }

    @Test func `R-292 a reference of another order is a conflict, and without one nothing is made`()
        throws
    {
        let office = RevolutOffice()
        _ = try Self.made(office, try Self.new(reference: "r"))
        let (other, none) = (try Self.new(7, reference: "r"), try Self.new())
        let conflict = try office.refusal { () async throws(WireError) in
            try await office.merchant.createOnce(other)
        }
        let refused = try office.refusal { () async throws(WireError) in
            try await office.merchant.createOnce(none)
        }
        #expect(conflict?.error.code == .conflict && conflict?.mayHaveActed == false)
        #expect(refused?.error.code == .requestRejected)
        #expect(try office.run { try await office.merchant.orders() }.orders.count == 1)
    }

    @Test(arguments: [true, false])
    func `R-292 an order of another reference is none, and a list that is not whole says nothing`(
        isWhole: Bool
    ) throws {
        let office = RevolutOffice()
        _ = try Self.made(office, try Self.new(reference: "other"))
        let list = try office.run { try await office.emulator.host.send(Self.listing) }
        var answer = list
        if !isWhole {
            let text = String(decoding: list.body, as: UTF8.self)
            answer.body = Data(text.replacing("1250", with: "12.5").utf8)
        }
        // The filter is not heeded.
        office.emulator.host.faults.add(.answer(answer)) {
            $0.method == .get && $0.path == "/api/orders"
        }
        let new = try Self.new(reference: "r")
        let made = try? office.run { try await office.merchant.createOnce(new) }
        #expect(made?.reference == (isWhole ? "r" : nil))
    }

    private static let listing: HTTPRequest = {
        var request = HTTPRequest(.get, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        return request
    }()

    @Test(arguments: [
        (59, false), (60, true), (2_592_000, true), (2_592_001, false),
    ])
    func `R-180 an order stays unpaid from a minute to thirty days`(
        seconds: Int,
        isAccepted: Bool
    ) throws {
        let office = RevolutOffice()
        var new = try Self.new()
        new.expiresAfter = .seconds(seconds)
        let order = new
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.create(order)
        }
        #expect(error?.error.vendorCode == (isAccepted ? nil : "validation"))
        office.world.time.advance(by: .seconds(seconds + 1))
        let states = try office.run { try await office.merchant.orders() }.orders.map(\.state)
        #expect(states == (isAccepted ? [.failed] : []))
    }

    private static let longName = String(repeating: "n", count: 251)

    private static func items(_ items: String) -> String { "[\(items)]" }

    private static func items(_ items: [String]) -> String {
        Self.items(items.joined(separator: ","))
    }

    private static func item(
        name: String = "Tea",
        type: String = "physical",
        quantity: Int = 1,
        price: Int = 1,
        total: Int = 1
    ) -> String {
        #"{"name":"\#(name)","type":"\#(type)","quantity":{"value":\#(quantity)},"#
            + #""unit_price_amount":\#(price),"total_amount":\#(total)}"#
    }

    @Test(arguments: [
        (#""line_items":\#(items([item(), item(total: 0)]))"#, 201),
        (#""enforce_challenge":"forced""#, 201), (#""settlement_currency":"EUR""#, 201),
        (#""customer":{"email":"a@b.example"}"#, 201), (#""customer":{"id":"nobody"}"#, 404),
    ])
    func `R-342 by our rule the emulator takes what is listed, and no customer whom nobody made`(
        member: String,
        status: Int
    ) throws {
        #expect(try Self.posted(RevolutOffice(), member).status == status)
    }

    private static func posted(_ office: RevolutOffice, _ member: String) throws -> HTTPResponse {
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        request.body = Data(#"{"amount":1,"currency":"GBP",\#(member)}"#.utf8)
        let sent = request
        return try office.run { try await office.emulator.host.send(sent) }
    }

    @Test(arguments: [
        (#""capture_mode":"later""#, "capture_mode"),
        (#""authorisation_type":"pre_authorisation""#, "authorisation_type"),
        (#""capture_mode":"manual","cancel_authorised_after":"P8D""#, "cancel_authorised_after"),
        (#""cancel_authorised_after":"-P1D""#, "cancel_authorised_after"),
        (#""metadata":{"1a":"x"}"#, "metadata"), (#""metadata":{"a":null}"#, "metadata"),
        (#""metadata":[]"#, "metadata"), (#""redirect_url":"https://127.0.0.1/""#, "redirect_url"),
        (#""redirect_url":"ftp://a.example""#, "redirect_url"),
        (#""statement_descriptor_suffix":"a*b""#, "statement_descriptor_suffix"),
        (#""statement_descriptor_suffix":"""#, "statement_descriptor_suffix"),
        (#""merchant_order_data":{"url":"http://localhost/x"}"#, "merchant_order_data.url"),
        (#""merchant_order_data":{"reference":7}"#, "merchant_order_data.reference"),
        (#""description":7"#, "description"),
        (#""enforce_challenge":"never""#, "enforce_challenge"),
        (#""settlement_currency":"euro""#, "settlement_currency"),
        (#""location_id":7"#, "location_id"),
        (#""line_items":\#(items("{}"))"#, "line_items"),
        (#""line_items":\#(items(item(total: 2)))"#, "line_items"),
        (#""line_items":\#(items(item(type: "gift")))"#, "line_items"),
        (#""line_items":\#(items(item(quantity: -1)))"#, "line_items"),
        (#""line_items":\#(items(item(price: -1)))"#, "line_items"),
        (#""line_items":\#(items(item(name: longName)))"#, "line_items"),
        (#""line_items":\#(items(Array(repeating: item(total: 0), count: 251)))"#, "line_items"),
    ])
    func `R-342 by our rule the emulator names the member that it does not accept`(
        member: String,
        name: String
    ) throws {
        let answer = try Self.posted(RevolutOffice(), member)
        let members = JSONTree.members(of: answer.body)
        #expect(answer.status == 400 && members?["code"]?.text == "validation")
        #expect(members?["message"]?.text?.hasPrefix(name) == true)
    }

    @Test func `R-260 held money is taken by a capture, and R-261 what is not taken is let go`()
        throws
    {
        let office = RevolutOffice()
        let order = try Self.held(office)
        #expect(order.state == .authorized && order.captureMode == "manual")
        #expect(office.world.ledger.balance(.gbp) == 0)
        let more = try Money(minorUnits: 1_251, currency: .gbp)
        let less = try Money(minorUnits: 1_000, currency: .gbp)
        let refused = try office.refusal { () async throws(WireError) in
            try await office.merchant.capture(order.id, amount: more)
        }
        #expect(refused?.status == 400)
        let taken = try office.run { try await office.merchant.capture(order.id, amount: less) }
        #expect(taken.state == .completed && taken.payments.last?.state.meaning == .succeeded)
        #expect(office.world.ledger.balance(.gbp) == 1_000)
        #expect(office.world.ledger.entries.map(\.kind) == [.hold, .release, .charge])
    }

    @Test func `R-262 the same capture again reads the order, and another one is refused`() throws {
        let office = RevolutOffice()
        let order = try Self.held(office)
        let amount = try Money(minorUnits: 1_000, currency: .gbp)
        for _ in 0..<3 {
            _ = try office.run { try await office.merchant.capture(order.id, amount: amount) }
        }
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.capture(order.id, amount: order.amount)
        }
        #expect(error?.error.vendorCode == "order_invalid_state")
        #expect(office.world.ledger.balance(.gbp) == 1_000)
    }

    // FC-105
    @Test func `R-261 a capture of nothing is not sent, since it might capture everything`() throws
    {
        let office = RevolutOffice()
        let order = try Self.held(office)
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.capture(order.id, amount: .zero(.gbp))
        }
        #expect(error?.error.code == .requestRejected && error?.mayHaveActed == false)
        #expect(error?.status == nil)
    }

    @Test func `R-260 an order that is captured at once cannot be captured`() throws {
        let office = RevolutOffice()
        let order = try Self.made(office, try Self.new())
        for _ in 0..<2 {
            let error = try office.refusal { () async throws(WireError) in
                try await office.merchant.capture(order.id)
            }
            #expect(error?.status == 422)
            office.emulator.payByCode(order.id)
        }
        #expect(office.world.ledger.balance(.gbp) == 1_250)
    }

    @Test func `R-264 what nobody captures is let go after seven days`() throws {
        let office = RevolutOffice()
        let order = try Self.held(office)
        office.world.time.advance(by: .seconds(7 * 86_400 - 60))
        let before = try office.run { try await office.merchant.order(order.id) }
        office.world.time.advance(by: .seconds(60))
        let after = try office.run { try await office.merchant.order(order.id) }
        #expect(before.state == .authorized && after.state == .cancelled)
        #expect(office.world.ledger.entries.map(\.kind) == [.hold, .release])
    }

    @Test
    func `R-265 an order is cancelled while pending or held, and R-266 by our rule refused later`()
        throws
    {
        let office = RevolutOffice()
        let orders = [try Self.made(office, try Self.new()), try Self.held(office)]
        for order in orders {
            let closed = try office.run { try await office.merchant.cancel(order.id) }
            #expect(closed.state == .cancelled)
            #expect(!office.emulator.payByCode(order.id))
        }
        let paid = try Self.made(office, try Self.new())
        office.emulator.payByCode(paid.id)
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.cancel(paid.id)
        }
        #expect(error?.error.code == .conflict && error?.error.vendorCode == "order_invalid_state")
        #expect(office.world.ledger.balance(.gbp) == 1_250)
    }

    @Test func `R-267 by our rule cancelling what is cancelled has reached its end`() throws {
        let office = RevolutOffice()
        let order = try Self.made(office, try Self.new())
        for _ in 0..<2 {
            let closed = try office.run { try await office.merchant.cancel(order.id) }
            #expect(closed.state == .cancelled)
        }
    }

    @Test func `R-236 what may be changed follows from the state, and R-237 a refusal names it`()
        throws
    {
        let office = RevolutOffice()
        let (pending, held) = (try Self.made(office, try Self.new()), try Self.held(office))
        let paid = try Self.made(office, try Self.new())
        office.emulator.payByCode(paid.id)
        var amount = RevolutOrderChange()
        amount.amount = try Money(minorUnits: 99, currency: .gbp)
        var period = RevolutOrderChange()
        period.releasesAfter = .seconds(3_600)
        var text = RevolutOrderChange()
        text.description = "Table 5"
        text.reference = "T5"
        text.metadata = ["table": "5"]
        var told: [String] = []
        for order in [pending, held, paid] {
            for change in [amount, period, text] {
                let error = try office.refusal { () async throws(WireError) in
                    try await office.merchant.update(order.id, change)
                }
                told.append(error?.error.detail ?? "done")
            }
        }
        #expect(
            told == [
                "done", "done", "done", "order is authorised, expected pending", "done", "done",
                "order is completed, expected pending",
                "order is completed, expected authorised, pending", "done",
            ]
        )
        let read = try office.run { try await office.merchant.order(pending.id) }
        #expect(read.amount.minorUnits == 99 && read.reference == "T5")
        #expect(read.description == "Table 5" && read.metadata == ["table": "5"])
    }

    @Test func `R-241 every attempt to pay is listed, and found by its own identifier`() throws {
        let office = RevolutOffice()
        let order = try Self.made(office, try Self.new())
        office.emulator.payByCode(order.id)
        let payments = try office.run { try await office.merchant.payments(ofOrder: order.id) }
        let first = try #require(payments.first)
        let read = try office.run { try await office.merchant.payment(first.id) }
        #expect(payments.count == 1 && read.order == order.id)
        #expect(read.amount == order.amount && read.paidBy == .qr)
    }

    @Test func `R-282 a payment that is not there is answered with a body of its own`() throws {
        let office = RevolutOffice()
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant.payment("nothing")
        }
        #expect(error?.error.code == .notFound && error?.error.vendorCode == "1024")
        #expect(error?.error.supportIdentifiers["errorId"] != nil)
    }
}
