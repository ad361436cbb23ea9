import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutLocationTests {
    private static func post(_ office: RevolutOffice, _ path: String, _ body: String) throws -> Int
    {
        var request = HTTPRequest(.post, RevolutEmulator.origin, path)
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.body = Data(body.utf8)
        let sent = request
        return try office.run { try await office.emulator.host.send(sent) }.status
    }

    @Test(arguments: [
        (#"{"name":"Shop","type":"online","domain":"shop.example"}"#, 201),
        (#"{"name":"Taken","type":"online","domain":"new.example"}"#, 422),
        (#"{"name":"New","type":"online","domain":"taken.example"}"#, 422),
        (#"{"name":"New","type":"online"}"#, 400), (#"{"name":"New","type":"ship"}"#, 400),
        (#"{"type":"online","domain":"new.example"}"#, 400), ("{}", 400), ("[]", 400),
        (#"{"name":"New","type":"physical"}"#, 400),
        (#"{"name":"New","type":"physical","address":"1 High St","coordinates":"51,0"}"#, 400),
        (
            #"{"name":"New","type":"physical","address":"1 High St","coordinates":"51,0","#
                + #""opening_hours":"9-17"}"#, 201
        ),
    ])
    func `R-335 names are unique, a site has a domain of its own, a shop its place and hours`(
        body: String,
        status: Int
    ) throws {
        let office = RevolutOffice()
        _ = try office.run {
            try await office.merchant.createLocation("Taken", domain: "taken.example")
        }
        #expect(try Self.post(office, "/api/locations", body) == status)
    }

    @Test func `R-336 locations are made, read, renamed and removed`() throws {
        let office = RevolutOffice()
        let names = try office.run { () async throws -> [String] in
            let merchant = office.merchant
            let made = try await merchant.createLocation("Web", domain: "shop.example")
            #expect(made.kind == .online && made.domain == "shop.example")
            let other = try await merchant.createLocation("Other", domain: "other.example")
            #expect(try await merchant.renameLocation(made.id, to: "Site").name == "Site")
            try await merchant.deleteLocation(other.id)
            return try await merchant.locations().map(\.name)
                + [try await merchant.location(made.id).name]
        }
        #expect(names == ["Site", "Site"])
        for id in ["nobody", "../orders", ""] {
            let error = try office.refusal { () async throws(WireError) in
                try await office.merchant.location(id)
            }
            #expect(error?.error.code == (id == "nobody" ? .notFound : .requestRejected))
            #expect(error?.mayHaveActed == false)
        }
    }

    @Test func `R-336 an order can name a location that there is, and is listed by it`() throws {
        let office = RevolutOffice()
        let found = try office.run { () async throws -> [[String?]] in
            let merchant = office.merchant
            let location = try await merchant.createLocation("Web", domain: "shop.example")
            var order = RevolutNewOrder(try Money(minorUnits: 500, currency: .gbp))
            _ = try await merchant.create(order)
            order.location = location.id
            let made = try await merchant.create(order)
            var filter = RevolutOrderFilter()
            filter.location = location.id
            let listed = try await merchant.orders(filter).orders
            return [listed.map(\.id), [made.id], listed.map(\.location), [location.id]]
        }
        #expect(found[0] == found[1] && found[2] == found[3])
        let body = #"{"amount":500,"currency":"GBP","location_id":"nowhere"}"#
        var request = HTTPRequest(.post, RevolutEmulator.origin, "/api/orders")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        request.body = Data(body.utf8)
        let sent = request
        #expect(try office.run { try await office.emulator.host.send(sent) }.status == 404)
    }

    @Test func `R-336 a saved world keeps its locations`() throws {
        let office = RevolutOffice()
        let made = try office.run {
            try await office.merchant.createLocation("Web", domain: "shop.example")
        }
        let later = RevolutOffice()
        later.emulator.restore(office.emulator.snapshot)
        #expect(try later.run { try await later.merchant.locations() } == [made])
    }

    @Test func `R-358 an order of another location is no candidate, one of none is`() throws {
        let office = RevolutOffice()
        let amounts = try office.run { () async throws -> [Int64] in
            let merchant = office.merchant
            let here = try await merchant.createLocation("Here", domain: "here.example")
            let there = try await merchant.createLocation("There", domain: "there.example")
            for (amount, location) in [
                (Int64(100), String?.none), (200, here.id), (300, there.id),
            ] {
                var order = RevolutNewOrder(try Money(minorUnits: amount, currency: .gbp))
                order.location = location
                _ = try await merchant.create(order)
            }
            let account = Account(
                provider: "revolut",
                merchant: "demo",
                environment: .simulated,
                location: here.id
            )
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
                marker: String(repeating: "b", count: 24),
                created: (now - 60)...(now + 60),
                kind: .sale
            )
            return try await books.records(query).records.map(\.amount.minorUnits)
        }
        #expect(amounts.sorted() == [100, 200])
    }

    // MARK: The sandbox's cards

    @Test(
        arguments: [
            ("492942", "5709", 5_000, "captured", nil), ("528143", "4148", 5_000, "captured", nil),
            ("424242", "4242", 2_499, "captured", nil),
            ("424242", "4242", 2_500, "failed", "customer_challenge_failed"),
            ("521567", "7070", 5_000, "failed", "customer_challenge_failed"),
            ("492957", "5985", 5_000, "declined", "insufficient_funds"),
            ("453233", "4205", 5_000, "declined", "expired_card"),
            ("272099", "9594", 5_000, "declined", "do_not_honour"),
            ("222300", "9399", 5_000, "authorisation_started", nil),
            ("400000", "0002", 5_000, nil, nil),
        ] as [(String, String, Int64, String?, String?)]
    )
    func `R-344 the sandbox's cards do at our page what they do at Revolut's`(
        first: String,
        last: String,
        amount: Int64,
        state: String?,
        reason: String?
    ) throws {
        let office = RevolutOffice()
        let payments = try office.run { () async throws -> [RevolutOrderPayment] in
            let money = try Money(minorUnits: amount, currency: .gbp)
            let id = try await office.merchant.create(RevolutNewOrder(money)).id
            let number = first + String(repeating: "0", count: 6) + last
            #expect(office.emulator.payByCode(id, cardNumber: number) == (state != nil))
            return try await office.merchant.payments(ofOrder: id)
        }
        #expect(payments.map(\.state.description) == [state].compactMap(\.self))
        #expect(payments.first?.declineReason == reason)
        #expect(office.world.ledger.balance(.gbp) == (state == "captured" ? amount : 0))
    }

    // MARK: The states of an order

    @Test func `R-243 the emulator has no step that the table does not have`() throws {
        let office = RevolutOffice()
        let ids = try office.run { () async throws -> [String] in
            let order = RevolutNewOrder(try Money(minorUnits: 500, currency: .gbp))
            return [
                try await office.merchant.create(order).id,
                try await office.merchant.create(order).id,
            ]
        }
        #expect(office.emulator.payByCode(ids[0]))
        #expect(office.emulator.scriptFaults == [])
        #expect(!office.emulator.payByCode(ids[0]))
        #expect(!office.emulator.refuseByCode(ids[0]))
        #expect(!office.emulator.startByCode(ids[0]))
        #expect(!office.emulator.payByCode("nobody"))
        #expect(office.emulator.startByCode(ids[1]))
        #expect(!office.emulator.startByCode(ids[1]))
        #expect(
            office.emulator.scriptFaults == [
                "a payment in state completed", "a refusal in state completed",
                "a payment's start in state completed", "a payment in state of no order",
                "a payment's start in state processing",
            ]
        )
    }

    @Test(arguments: [true, false])
    func `R-240 an order is processing until its attempt is final, and nothing else ends it`(
        isPaid: Bool
    ) throws {
        let office = RevolutOffice()
        let states = try office.run { () async throws -> [String] in
            let merchant = office.merchant
            let order = RevolutNewOrder(try Money(minorUnits: 500, currency: .gbp))
            let id = try await merchant.create(order).id
            #expect(office.emulator.startByCode(id))
            var states = [try await merchant.order(id).state.description]
            do {
                _ = try await merchant.cancel(id)
            } catch {
                states.append("\((error as? WireError)?.status ?? 0)")
            }
            var change = RevolutOrderChange()
            change.description = "later"
            do {
                _ = try await merchant.update(id, change)
            } catch {
                states.append("\((error as? WireError)?.status ?? 0)")
            }
            states.append(try await merchant.order(id).state.description)
            let isOver =
                isPaid ? office.emulator.payByCode(id) : office.emulator.refuseByCode(id)
            #expect(isOver)
            return states + [try await merchant.order(id).state.description]
        }
        let end = isPaid ? "completed" : "pending"
        #expect(states == ["processing", "422", "422", "processing", end])
        #expect(office.world.ledger.balance(.gbp) == (isPaid ? 500 : 0))
    }
}
