import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutMerchantListingTests {
    /// A list of orders as Revolut gives it: a window, a limit, and one way round.
    private struct Books: HTTPTransport {
        let microseconds: [Int64]
        var isAscending = false
        var isInclusive = true
        let asked = Shared(0)

        static let start = Date(timeIntervalSince1970: 1_767_603_600)

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            asked.value += 1
            func micros(_ name: String) -> Int64? {
                request.query.first { $0.name == name }.flatMap { WireDate.parse($0.value) }
                    .map { Int64(($0.timeIntervalSince(Self.start) * 1e6).rounded()) }
            }
            let (from, to) = (micros("from") ?? .min, micros("to") ?? .max)
            let limit = request.query.first { $0.name == "limit" }.flatMap { Int($0.value) } ?? 100
            let rows = microseconds.enumerated()
                .filter { from <= $0.element && (isInclusive ? $0.element <= to : $0.element < to) }
                .sorted { isAscending ? $0.element < $1.element : $0.element > $1.element }
                .prefix(limit)
                .map { Self.row($0.offset, $0.element) }
            return HTTPResponse(
                status: 200,
                body: Data(#"{"orders":[\#(rows.joined(separator: ","))]}"#.utf8)
            )
        }

        private static func row(_ index: Int, _ micros: Int64) -> String {
            let whole = WireDate.format(start + Double(micros / 1_000_000)).prefix(19)
            let part = String("\(1_000_000 + micros % 1_000_000)".dropFirst())
            return """
                {"id":"o-\(index)","type":"payment","state":"pending","amount":1,
                 "currency":"EUR","created_at":"\(whole).\(part)Z"}
                """
        }
    }

    private static func list(
        _ books: Books,
        _ filter: RevolutOrderFilter = RevolutOrderFilter()
    ) throws -> RevolutOrderListing {
        let office = RevolutOffice()
        let merchant = office.merchant(transport: books)
        return try office.run { try await merchant.orders(filter) }
    }

    @Test(arguments: [0, 1, 499, 500, 501, 2_600], [(false, true), (true, true), (false, false)])
    func `R-222 every order is listed once, by windows of time, whichever way round`(
        count: Int,
        way: (isAscending: Bool, isInclusive: Bool)
    ) throws {
        // Some seventeen orders share a millisecond, and a page ends among them.
        var books = Books(microseconds: (0..<Int64(count)).map { $0 * 59 })
        books.isAscending = way.isAscending
        books.isInclusive = way.isInclusive
        let listing = try Self.list(books)
        #expect(listing.isComplete)
        #expect(listing.orders.count == count)
        #expect(Set(listing.orders.map(\.id)).count == count)
        #expect(books.asked.value <= count / 400 + 1)
    }

    @Test func `R-222 more orders of one moment than a page holds are not taken for all`() throws {
        let listing = try Self.list(Books(microseconds: Array(repeating: 7, count: 501)))
        #expect(!listing.isComplete)
        #expect(listing.orders.count == 500)
    }

    @Test func `R-222 a row that cannot be read leaves the listing incomplete`() throws {
        let office = RevolutOffice()
        let body = #"{"orders":[{"id":"a","state":"pending","amount":1.5,"currency":"EUR"}]}"#
        let merchant = office.merchant(
            transport: OneAnswer(HTTPResponse(status: 200, body: Data(body.utf8)))
        )
        let listing = try office.run { try await merchant.orders() }
        #expect(listing.orders.isEmpty && !listing.isComplete)
    }

    @Test func `R-221 the list is asked by time, state, reference, customer and location`() throws {
        let asked = Shared<[String]>([])
        let office = RevolutOffice()
        let merchant = office.merchant(
            transport: Asking(asked: asked)
        )
        var filter = RevolutOrderFilter()
        filter.created = Books.start...(Books.start + 60)
        filter.states = [.pending, .failed]
        filter.reference = "till/7"
        filter.customer = "c"
        filter.location = "l"
        let wanted = filter
        _ = try office.run { try await merchant.orders(wanted) }
        #expect(
            asked.value == [
                "limit=500", "from=2026-01-05T09:00:00.000Z", "to=2026-01-05T09:01:00.001Z",
                "customer_id=c", "merchant_order_data_reference=till/7", "state=pending",
                "state=failed", "location_id=l",
            ]
        )
    }

    private struct Asking: HTTPTransport {
        let asked: Shared<[String]>

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            asked.value += request.query.map { "\($0.name)=\($0.value)" }
            return HTTPResponse(status: 200, body: Data(#"{"orders":[]}"#.utf8))
        }
    }

    @Test(arguments: ["0", "501", "many"])
    func `R-221 a limit is from 1 to 500`(limit: String) throws {
        let office = RevolutOffice()
        var request = HTTPRequest(
            .get,
            RevolutEmulator.origin,
            "/api/orders",
            query: [("limit", limit)]
        )
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2026-04-20"
        let sent = request
        #expect(try office.run { try await office.emulator.host.send(sent) }.status == 400)
    }

    @Test func `R-235 a listed order shows neither payments nor page`() throws {
        let office = RevolutOffice()
        let amount = try Money(minorUnits: 1, currency: .gbp)
        let order = try office.run { try await office.merchant.create(RevolutNewOrder(amount)) }
        office.emulator.payByCode(order.id)
        let listed = try #require(
            try office.run { try await office.merchant.orders() }.orders.first
        )
        let read = try office.run { try await office.merchant.order(order.id) }
        #expect(listed.payments.isEmpty && listed.checkoutURL == nil)
        #expect(read.payments.count == 1 && read.checkoutURL != nil)
    }

    /// The back office pages the same way, and what it lists is evidence.
    @Test(arguments: [false, true])
    func `R-222 the back office misses no order of a millisecond that a page ends in`(
        isAscending: Bool
    ) throws {
        var books = Books(microseconds: (0..<1_200).map { $0 * 59 })
        books.isAscending = isAscending
        let account = Account(provider: "revolut", merchant: "c", environment: .sandbox)
        let time = SimulatedTime()
        let office = RevolutBackOffice(
            account: account,
            origin: "https://revolut.example",
            apiKey: Secret("sk"),
            apiVersion: "2026-04-20",
            transport: books,
            environment: time.environment
        )
        var query = RecordQuery(
            account: account,
            references: [],
            marker: "m",
            created: Books.start...(Books.start + 60),
            kind: .sale
        )
        query.marker = "m"
        let wanted = query
        let listing = try time.run { () async -> RecordListing? in
            try? await office.records(wanted)
        }
        #expect(listing?.isComplete == true && listing?.records.count == 1_200)
    }
}
