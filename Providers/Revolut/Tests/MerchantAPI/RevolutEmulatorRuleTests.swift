import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutEmulatorRuleTests {
    /// An answer to a request under the secret key.
    private static func answer(
        _ office: RevolutOffice,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        version: String? = "2026-04-20"
    ) throws -> (status: Int, members: [String: JSONTree]) {
        var request = HTTPRequest(method, RevolutEmulator.origin, path)
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = version
        request.body = body.map { Data($0.utf8) }
        let sent = request
        let answer = try office.run { try await office.emulator.host.send(sent) }
        return (answer.status, JSONTree.members(of: answer.body) ?? [:])
    }

    private static func created(_ office: RevolutOffice, _ more: String = "") throws -> String {
        let body = #"{"amount":1250,"currency":"GBP"\#(more)}"#
        let answer = try answer(office, .post, "/api/orders", body)
        #expect(answer.status == 201)
        return try #require(answer.members["id"]?.text)
    }

    @Test func `R-200 production and sandbox have addresses of their own`() {
        #expect(RevolutConfiguration.origin(.production) == "https://merchant.revolut.com")
        #expect(RevolutConfiguration.origin(.sandbox) == "https://sandbox-merchant.revolut.com")
    }

    @Test func `R-206 where the version may be missing there is an answer without it`() throws {
        let office = RevolutOffice()
        let id = try Self.created(office)
        let payments = try Self.answer(office, .get, "/api/orders/\(id)/payments", version: nil)
        let cancel = try Self.answer(office, .post, "/api/orders/\(id)/cancel", "{}", version: nil)
        #expect(payments.status == 200 && cancel.status == 200)
    }

    @Test(arguments: [
        ("gbp", 400), ("GB", 400), ("GBPX", 400), ("ZZZ", 400), ("GBP", 201), ("JPY", 201),
        ("KWD", 201),
    ])
    func `R-211 a currency is three capital letters`(currency: String, status: Int) throws {
        let body = #"{"amount":1,"currency":"\#(currency)"}"#
        #expect(try Self.answer(RevolutOffice(), .post, "/api/orders", body).status == status)
    }

    @Test(arguments: ["0", "-1", "1.5", #""1""#, "null"])
    func `R-210 an amount is a whole number above zero`(amount: String) throws {
        let body = #"{"amount":\#(amount),"currency":"GBP"}"#
        #expect(try Self.answer(RevolutOffice(), .post, "/api/orders", body).status == 400)
    }

    @Test func `R-215 an unknown member was reported to be ignored, and R-216 we note it`() throws {
        let office = RevolutOffice()
        let id = try Self.created(office, #","channel":"pos","capture_mode":"automatic""#)
        _ = try Self.answer(office, .patch, "/api/orders/\(id)", #"{"tip":5,"description":"d"}"#)
        let notes = office.world.time.trace.lines.map(\.text).filter { $0.contains("unknown") }
        #expect(
            notes == ["unknown member channel passed over", "unknown member tip passed over"]
        )
    }

    @Test func `R-224 by our rule there is no API of version 1, and R-225 our own is marked`()
        throws
    {
        let office = RevolutOffice()
        for path in ["/api/1.0/orders", "/api/1.0/webhooks", "/oauth/token", "/kit/orders"] {
            #expect(try Self.answer(office, .get, path).status == 404)
        }
        #expect(RevolutAuthorization.tokenAddress.path.hasPrefix("/_emu/"))
        #expect(RevolutAuthorization.authorizeAddress.path.hasPrefix("/_emu/"))
    }

    @Test func `R-234 the time to pay was reported not to come back`() throws {
        let office = RevolutOffice()
        let body = #"{"amount":1,"currency":"GBP","expire_pending_after":"PT5M"}"#
        let members = try Self.answer(office, .post, "/api/orders", body).members
        #expect(members["expire_pending_after"] == nil && members["checkout_url"] != nil)
    }

    @Test(arguments: [
        (0, "PT2H", 200), (0, "P7D", 200), (3_599, "PT2H", 200), (3_600, "PT2H", 422),
        (600, "PT5M", 422), (600, "PT11M", 200),
    ])
    func `R-238 how long money is held is not changed to the past, nor at the last moment`(
        passed: Int,
        period: String,
        status: Int
    ) throws {
        let office = RevolutOffice()
        let held = passed > 1_800 ? "PT90M" : "P1D"
        let id = try Self.created(
            office,
            #","capture_mode":"manual","cancel_authorised_after":"\#(held)""#
        )
        #expect(office.emulator.payByCode(id))
        office.world.time.advance(by: .seconds(passed))
        let answer = try Self.answer(
            office,
            .patch,
            "/api/orders/\(id)",
            #"{"cancel_authorised_after":"\#(period)"}"#
        )
        #expect(answer.status == status)
    }

    @Test(arguments: [#""600""#, "1.5", "null", "true", "{}"])
    func `R-210 an amount that is no whole number is refused, and never means all`(
        amount: String
    ) throws {
        let office = RevolutOffice()
        let id = try Self.created(office, #","capture_mode":"manual""#)
        let body = #"{"amount":\#(amount),"currency":"GBP"}"#
        let update = try Self.answer(office, .patch, "/api/orders/\(id)", body)
        #expect(office.emulator.payByCode(id))
        let capture = try Self.answer(office, .post, "/api/orders/\(id)/capture", body)
        #expect(update.status == 400 && capture.status == 400)
        #expect(office.world.ledger.balance(.gbp) == 0)
    }

    @Test(arguments: ["redirect_url", "statement_descriptor_suffix", "line_items"])
    func `R-237 a member that can be changed while pending alone is refused later`(
        member: String
    ) throws {
        let office = RevolutOffice()
        let id = try Self.created(office)
        let value = member == "line_items" ? "[]" : #""https://a.example""#
        let body = "{\"\(member)\":\(value)}"
        #expect(try Self.answer(office, .patch, "/api/orders/\(id)", body).status == 200)
        office.emulator.payByCode(id)
        let late = try Self.answer(office, .patch, "/api/orders/\(id)", body)
        #expect(late.status == 422 && late.members["code"]?.text == "order_invalid_state")
        let kept = try Self.answer(office, .patch, "/api/orders/\(id)", #"{"shipping":{}}"#)
        #expect(kept.status == 200)
    }

    @Test func `R-221 the list is filtered by customer, of whom there are none`() throws {
        let office = RevolutOffice()
        _ = try Self.created(office)
        var filter = RevolutOrderFilter()
        filter.customer = "nobody"
        let wanted = filter
        #expect(try office.run { try await office.merchant.orders(wanted) }.orders.isEmpty)
    }

    @Test func `R-242 what is final stays as it is`() throws {
        let office = RevolutOffice()
        let (paid, closed) = (try Self.created(office), try Self.created(office))
        let expired = try Self.created(office, #","expire_pending_after":"PT1M""#)
        office.emulator.payByCode(paid)
        _ = try Self.answer(office, .post, "/api/orders/\(closed)/cancel", "{}")
        office.world.time.advance(by: .seconds(61))
        for (id, state) in [(paid, "completed"), (closed, "cancelled"), (expired, "failed")] {
            #expect(!office.emulator.payByCode(id))
            for call in ["cancel", "capture"] {
                let answer = try Self.answer(office, .post, "/api/orders/\(id)/\(call)", "{}")
                #expect(answer.status == 422)
            }
            let read = try Self.answer(office, .get, "/api/orders/\(id)")
            #expect(read.members["state"]?.text == state)
        }
    }

    @Test func `R-255 a reason for a refusal is told of refused payments only`() throws {
        let office = RevolutOffice()
        let id = try Self.created(office)
        office.emulator.refuseByCode(id, reason: "insufficient_funds")
        office.emulator.payByCode(id)
        let payments = try office.run { try await office.merchant.payments(ofOrder: id) }
        #expect(payments.map(\.declineReason) == ["insufficient_funds", nil])
        #expect(payments.map { $0.decline != nil } == [true, false])
    }

    @Test(
        arguments: ["description", "merchant_order_data", "metadata"],
        ["Table 4 ~m:", "~m:", "", "Table 4 (m "]
    )
    func `R-356 the marker is found wherever it lands on the order`(
        place: String,
        before: String
    ) throws {
        let office = RevolutOffice()
        let marker = "bcdfghjkmnpqrstvwxyzbcdf"
        func member(_ text: String) -> String {
            switch place {
            case "description": #","description":"\#(text)""#
            case "metadata": #","metadata":{"text":"\#(text)"}"#
            default: #","merchant_order_data":{"reference":"\#(text)"}"#
            }
        }
        let id = try Self.created(office, member(before + marker))
        _ = try Self.created(office, member("another ~m:zyxwvtsrqpnmkjhgfdcbzyxw"))
        let account = Account(provider: "revolut", merchant: "c", environment: .simulated)
        let books = RevolutBackOffice(
            account: account,
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            apiVersion: "2026-04-20",
            transport: office.emulator.host,
            environment: office.world.environment
        )
        let now = office.world.time.wallTime
        let query = RecordQuery(
            account: account,
            references: [],
            marker: marker,
            created: (now - 60)...(now + 60),
            kind: .sale
        )
        let records = try office.run { try await books.records(query) }.records
        #expect(records.map(\.reference.value) == [id])
        #expect(records.map(\.marker) == [marker])
    }

    // MARK: Stricter than Revolut is known to be

    @Test(arguments: [false, true])
    func `R-216 by our rule a strict emulator refuses what Revolut passes over`(
        isStrict: Bool
    ) throws {
        let office = RevolutOffice()
        if isStrict {
            office.emulator.modes.refusesUnknownMembers = true
            office.emulator.modes.demandsVersion = true
        }
        let more = #"{"amount":1250,"currency":"GBP","channel":"pos"}"#
        let created = try Self.answer(office, .post, "/api/orders", more)
        #expect(created.status == (isStrict ? 400 : 201))
        let bare = try Self.answer(office, .get, "/api/orders/x/payments", version: nil)
        #expect(bare.status == (isStrict ? 400 : 404))
        #expect(
            office.emulator.complaints == [
                "unknown member channel", "no version in GET /api/orders/x/payments",
            ]
        )
    }

    @Test(arguments: [false, true])
    func `R-295 by our rule a strict emulator refuses a key where none is taken`(
        isStrict: Bool
    ) throws {
        let office = RevolutOffice()
        office.emulator.modes.refusesNeedlessKeys = isStrict
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        request.headers["Idempotency-Key"] = "k"
        request.body = Data(#"{"amount":1250,"currency":"GBP"}"#.utf8)
        let sent = request
        let status = try office.run { try await office.emulator.host.send(sent) }.status
        #expect(status == (isStrict ? 400 : 201))
        #expect(office.emulator.complaints.count == 1)
    }

    @Test func `R-216 the adapter gives a strict emulator nothing to complain of`() throws {
        var shop = RevolutShop()
        shop.emulator.modes.refusesUnknownMembers = true
        shop.emulator.modes.refusesNeedlessKeys = true
        let kit = shop
        #expect(try kit.sale().name == "approved")
        shop.stage.hasKit = false
        let code = shop
        let told = try code.run { () async throws -> String in
            let pointOfSale = try await code.open()
            let outcome = try await pointOfSale.take(try RevolutShop.request(500, "o2")) { event in
                guard case .showQRCode(let page, _) = event.kind else { return }
                code.emulator.payByCode(at: page.absoluteString)
            }
            guard case .approved(let receipt) = outcome else { return outcome.name }
            let money = try Money(minorUnits: 100, currency: .gbp)
            let refund = try await pointOfSale.refund(receipt, amount: money, id: "r")
            return Resolution.followUp(refund).name
        }
        #expect(told == "pending")
        #expect(kit.emulator.complaints == [])
    }
}
