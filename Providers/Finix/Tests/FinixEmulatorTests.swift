import AcquirerSimulation
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixEmulatorTests {
    private let client = FinixRESTClient()

    @Test(arguments: [nil, "", "wrong:key", "\(FinixEmulator.username):wrong"])
    func `F-228 without the right key every path answers 401`(key: String?) throws {
        for path in ["/transfers", "/devices", "/merchants/MU1", "/tap_to_pay_token", "/nowhere"] {
            let answer = try #require(try client.send(.get, path, key: key))
            #expect(answer.status == 401)
            #expect(answer.error["code"]?.text == "UNKNOWN")
        }
    }

    @Test func `F-229 each answer has an identifier of its own, and errors repeat it`() throws {
        let answers = try ["/transfers", "/nowhere", "/devices/none"].map { path in
            try #require(try client.send(.get, path))
        }
        let ids = answers.compactMap { $0.headers["x-request-id"] }
        #expect(Set(ids).count == 3)
        #expect(answers[1].error["logref"]?.text == ids[1])
        #expect(answers[2].error["logref"]?.text == ids[2])
    }

    @Test func `F-230 without the version lists count by offset, or it is complained of`() throws {
        for _ in 0..<3 { _ = try client.transfer() }
        let query = [(name: "limit", value: "2"), (name: "offset", value: "2")]
        let old = try #require(try client.send(.get, "/transfers", query: query, version: nil))
        #expect(old.rows().count == 1 && old.cursor == nil)
        #expect(old.body["page"]?.members?["count"]?.number == 3)
        #expect(client.emulator.complaints.isEmpty)
        client.emulator.modes.demandsVersion = true
        let strict = try client.send(.get, "/transfers", version: "2018-01-01")
        #expect(strict?.status == 400)
        #expect(client.emulator.complaints.count == 1)
    }

    @Test func `F-165 F-166 F-167 F-168 F-172 F-233 lists go by cursor, newest first`() throws {
        let made = try (0..<230).map { _ in try client.transfer() }
        var found: [String] = []
        var query = [(name: "limit", value: "1000")]
        var sizes: [Int] = []
        repeat {
            let page = try #require(try client.send(.get, "/transfers", query: query))
            found += page.rows().compactMap { $0["id"]?.text }
            sizes.append(page.rows().count)
            query = [(name: "limit", value: "1000")]
            guard let cursor = page.cursor else { break }
            query.append((name: "after_cursor", value: cursor))
        } while sizes.count < 9
        #expect(found == made.reversed())
        #expect(sizes == [100, 100, 30])
        let back = [(name: "limit", value: "2"), (name: "before_cursor", value: found[5])]
        let page = try client.send(.get, "/transfers", query: back)
        #expect(page?.rows().compactMap { $0["id"]?.text } == Array(found[3..<5]))
        let wrong = try client.send(.get, "/transfers", query: [("after_cursor", "TRnone")])
        #expect(wrong?.status == 404 && wrong?.error["code"]?.text == "NOT_FOUND")
    }

    @Test(arguments: [
        ("state", "FAILED", 1), ("state", "SUCCEEDED", 2), ("amount", "102", 1),
        ("amount.gt", "700", 1), ("amount.gte", "700", 2), ("amount.lt", "700", 1),
        ("amount.lte", "700", 2), ("merchant_id", "MU2", 0), ("merchant_id", "MU1", 3),
        ("idempotency_id", "i2", 1), ("instrument_card_last4", "0000", 0), ("type", "DEBITS", 3),
        ("type", "REVERSAL", 0), ("created_at.gte", "2030-01-01T00:00:00Z", 0),
        ("created_at.lte", "2030-01-01T00:00:00Z", 3), ("newfilter", "x", 3), ("amount", "x", 0),
    ])
    func `F-103 lists are filtered as documented, and by nothing else`(
        name: String,
        value: String,
        count: Int
    ) throws {
        for (amount, id) in [(Int64(102), "i1"), (700, "i2"), (900, "i3")] {
            _ = try client.send(.post, "/transfers", FinixRESTClient.payment(amount, id: id))
        }
        let page = try client.send(.get, "/transfers", query: [(name, value)])
        #expect(page?.rows().count == count)
    }

    @Test(arguments: ["/transfers", "/authorizations", "/transfers/TR/reversals"])
    func `F-196 F-202 F-203 F-234 a repeat is the first answer, another payload is refused`(
        endpoint: String
    ) throws {
        let isReversal = endpoint.hasSuffix("reversals")
        let path = isReversal ? "/transfers/\(try client.transfer(5_000))/reversals" : endpoint
        func send(_ amount: Int64, _ id: String) throws -> FinixRESTClient.Answer {
            let body: [String: JSONTree] =
                isReversal
                ? ["refund_amount": .number(amount), "idempotency_id": .text(id)]
                : FinixRESTClient.payment(amount, id: id)
            return try #require(try client.send(.post, path, body))
        }
        let first = try send(700, "i")
        let entries = client.world.ledger.entries.count
        let again = try send(700, "i")
        #expect(first.status == 201 && again.status == 201 && first.bytes == again.bytes)
        #expect(first.headers["x-request-id"] != again.headers["x-request-id"])
        #expect(try send(701, "i").status == 422)
        client.emulator.modes.refusesRepeats = true
        #expect(try send(700, "i").status == 422)
        #expect(client.world.ledger.entries.count == entries)
        #expect(try send(700, "other").id != first.id)
    }

    @Test func `F-200 ids are checked for each endpoint apart, and declines are repeated`() throws {
        let body = FinixRESTClient.payment(700, id: "i")
        let transfer = try client.send(.post, "/transfers", body)
        let hold = try client.send(.post, "/authorizations", body)
        #expect(transfer?.status == 201 && hold?.status == 201)
        let declined = FinixRESTClient.payment(102, id: "d")
        let answers = try (0..<2).compactMap { _ in try client.send(.post, "/transfers", declined) }
        #expect(answers.map(\.status) == [402, 402])
        #expect(answers[0].error["transfer"]?.text == answers[1].error["transfer"]?.text)
    }

    @Test(arguments: [
        (FaultPlan.Fault.loseRequest, 0, 30.0), (.loseAnswer, 1, 30), (.delay(.seconds(9)), 1, 9),
        (.unreachable, 0, 0), (.hang, 0, 3_600), (.hangAfter, 1, 3_600), (.cut, 0, 0),
        (.cutAfter, 1, 0),
    ])
    func `F-235 requests and answers can be lost and delayed, before or after booking`(
        fault: FaultPlan.Fault,
        booked: Int,
        seconds: Double
    ) throws {
        client.emulator.host.faults.add(fault, times: 1) { $0.method == .post }
        let answer = try client.send(.post, "/transfers", FinixRESTClient.payment(700))
        #expect(client.world.ledger.entries.count == booked)
        let passed = client.world.time.clock.now.offset / .seconds(1)
        #expect(passed >= seconds && (seconds > 0 || passed < 1))
        if case .delay = fault { #expect(answer?.status == 201) } else { #expect(answer == nil) }
    }

    @Test(arguments: FinixScriptedAnswer.all)
    func `F-236 every documented error, and bodies that are none, come on demand`(
        scripted: FinixScriptedAnswer
    ) throws {
        for afterwards in [false, true] {
            let client = FinixRESTClient()
            client.emulator.answer(scripted, afterwards: afterwards) { $0.method == .post }
            let answer = try #require(
                try client.send(.post, "/transfers", FinixRESTClient.payment(700))
            )
            #expect(answer.status == scripted.status)
            #expect(answer.headers["x-request-id"] != nil)
            #expect(answer.error["code"]?.text == scripted.code)
            if scripted.code != nil {
                #expect(answer.error["logref"]?.text == answer.headers["x-request-id"])
            }
            #expect(client.world.ledger.entries.count == (afterwards ? 1 : 0))
            #expect(try client.transfer() != "none")
        }
    }

    @Test(arguments: [("source", "PIx"), ("amount", "5"), ("currency", "XXZ"), ("merchant", "MUx")])
    func `F-236 a field that is wrong is named`(field: String, value: String) throws {
        var body = FinixRESTClient.payment(700)
        body[field] = .text(value)
        let answer = try client.send(.post, "/transfers", body)
        #expect(answer?.status == 422)
        #expect(answer?.error["field"]?.text == field)
    }

    @Test(arguments: [
        ("transaction_type", "AUTH"), ("transaction_type", "sale"), ("transaction_type", nil),
        ("currency", "ZZZ"), ("currency", "usd"), ("amount", "700"), ("tap_to_pay_card_data", "%"),
    ])
    func `F-236 a tap with a field that is wrong is refused, and moves nothing`(
        field: String,
        value: String?
    ) throws {
        var body: [String: JSONTree] = [
            "transaction_type": .text("SALE"), "amount": .number(700), "currency": .text("USD"),
            "device_id": .text("DV1"), "merchant_id": .text("MU1"),
            "tap_to_pay_card_data": .text("AAAA"),
        ]
        body[field] = value.map { .text($0) }
        #expect(try client.send(.post, "/card_reader/transfers", body)?.status == 422)
        #expect(client.world.ledger.entries.isEmpty)
    }

    @Test(arguments: [("DV1", 201), ("DV0", 422), ("DVx", 404)])
    func `F-137 a payment that names a Device wants one that is activated`(
        device: String,
        status: Int
    ) throws {
        for path in ["/transfers", "/authorizations"] {
            var body = FinixRESTClient.payment(700)
            body["device"] = .text(device)
            #expect(try client.send(.post, path, body)?.status == status)
        }
    }

    @Test func `F-169 a list of refunds counts by offset, in pages as long as asked for`() throws {
        let paid = try client.transfer(1_000)
        for amount in Int64(1)...25 { _ = try client.refund(paid, amount) }
        let sizes = try [nil, "10", "500"].map { limit in
            let query = limit.map { [(name: "limit", value: $0)] } ?? []
            return try client.send(.get, "/transfers/\(paid)/reversals", query: query)?.rows().count
        }
        #expect(sizes == [20, 10, 25])
    }

    @Test func `F-223 F-224 F-227 unknown paths, methods and resources have their own errors`()
        throws
    {
        #expect(try client.send(.get, "/nowhere")?.status == 404)
        #expect(try client.send(.delete, "/transfers")?.status == 405)
        #expect(try client.send(.post, "/transfers")?.status == 400)
        let tokens = try ["DV1", "DV0", "DVx", nil].map { device in
            let query = device.map { [(name: "device_id", value: $0)] } ?? []
            return try #require(try client.send(.get, "/tap_to_pay_token", query: query))
        }
        #expect(tokens.map(\.status) == [200, 422, 404, 404])
        let text = tokens[1].error["message"]?.text ?? ""
        #expect(text.contains("device") && text.contains("activated"))
    }

    @Test func `F-179 a transfer's tags can be replaced, and nothing else`() throws {
        let id = try client.transfer()
        let tags: JSONTree = .object(["till": .text("1")])
        let tagged = try client.send(.put, "/transfers/\(id)", ["tags": tags])
        #expect(tagged?.body["tags"]?.members?["till"]?.text == "1")
        let changed = try client.send(
            .put,
            "/transfers/\(id)",
            ["tags": tags, "amount": .number(1)]
        )
        #expect(changed?.status == 422)
    }

    @Test func `F-222 reader tokens live a minute, or as long as a test likes`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let ends = try bench.run { () async -> [String] in
            _ = await kit.isAccountLinked()
            bench.emulator.modes.tokenLifetime = 0
            let old = await KitCall.prepareReader.end(on: kit)
            bench.emulator.modes.tokenLifetime = 60
            return [old, await KitCall.prepareReader.end(on: kit)]
        }
        #expect(ends == ["invalidReaderToken", "ok"])
        #expect(FinixEmulator.Modes().tokenLifetime == 60)
        let answer = try client.send(.get, "/tap_to_pay_token", query: [("device_id", "DV1")])
        let parts = answer?.body["tap_to_pay_token"]?.text?.split(separator: ".") ?? []
        #expect(parts.count == 3)
    }

    @Test func `F-240 what the emulator knows goes on in a later run, repeats included`() throws {
        let body = FinixRESTClient.payment(700, id: "i")
        let first = try client.send(.post, "/transfers", body)
        let later = FinixRESTClient()
        let data = try JSONEncoder().encode(client.emulator.snapshot)
        later.emulator.restore(try JSONDecoder().decode(FinixEmulator.Snapshot.self, from: data))
        #expect(try later.send(.post, "/transfers", body)?.bytes == first?.bytes)
        #expect(later.emulator.devices == ["DV1": true, "DV0": false])
    }
}
