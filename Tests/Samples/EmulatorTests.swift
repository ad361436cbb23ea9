import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import PaymentURLSession
import RevolutSimulation
import Testing

@Suite(.ownThreads) struct EmulatorTests {
    enum Carrier: CaseIterable, Sendable {
        case socket, urlSession

        var transport: any HTTPTransport {
            switch self {
            case .socket: LoopbackTransport()
            case .urlSession: URLSessionTransport(timeLimit: 900)
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `F-241 it says where it listens, on loopback, and ends when asked`(
        signal: Int32
    ) async throws {
        let emulator = try EmulatorProcess()
        #expect(emulator.origin.hasPrefix("http://127.0.0.1:"))
        #expect(try await emulator.ask(.get, "/_emu/ledger").status == 200)
        #expect(emulator.end(signal) == 0)
    }

    @Test(arguments: Carrier.allCases)
    func `R-347 Finix's books over the wire agree with the ledger`(carrier: Carrier) async throws {
        let emulator = try EmulatorProcess(over: carrier.transport)
        let id = try #require(try await emulator.sale(1_250))
        _ = try await emulator.sale(700, card: "declined-funds")
        let query = Asking.sales(of: EmulatorProcess.finix)
        let listing = try await emulator.finixBackOffice.records(query)
        let paid = try #require(listing.records.first { $0.reference.value == id })
        #expect(listing.isComplete && listing.records.count == 2)
        #expect(paid.state == .succeeded)
        let refund = try Asking.attempt(EmulatorProcess.finix, 250, refunding: paid)
        let answer = await emulator.finixBackOffice.perform(refund)
        #expect(["done", "pending"].contains(answer.name))
        #expect(try await emulator.booked() == ["charge 1250", "refund 250"])
    }

    @Test(arguments: Carrier.allCases)
    func `R-344 Revolut's page over the wire is paid, and the order read`(
        carrier: Carrier
    ) async throws {
        let emulator = try EmulatorProcess(over: carrier.transport)
        let attempt = try Asking.attempt(EmulatorProcess.revolut, 900)
        guard
            case .link(_, let order, _) = await emulator.revolutBackOffice.link(for: attempt)
        else {
            Issue.record("no page to pay on")
            return
        }
        let body = #"{"order":"\#(order.value)"}"#
        #expect(try await emulator.ask(.post, "/_emu/revolut/pay", body).status == 200)
        #expect(try await emulator.ask(.post, "/_emu/revolut/pay", body).status == 400)
        var query = Asking.sales(of: EmulatorProcess.revolut)
        query.references = [order]
        let record = try await emulator.revolutBackOffice.records(query).records.first
        #expect(record?.state == .succeeded)
        #expect(try await emulator.booked() == ["charge 900"])
    }

    @Test(arguments: [
        ("lose-answer", "unknown", ["charge 1250", "refund 100"]),
        ("lose-request", "unknown", ["charge 1250"]), ("cut", "unknown", ["charge 1250"]),
        ("cut-after", "unknown", ["charge 1250", "refund 100"]),
        (#"answer","status":500,"body":"<html>"#, "unknown", ["charge 1250"]),
        (#"answer-after","status":502,"body":"{"#, "unknown", ["charge 1250", "refund 100"]),
        (#"answer","status":401,"body":""#, "notDone", ["charge 1250"]),
        (#"delay","milliseconds":20,"path":"/transfers*"#, "done", ["charge 1250", "refund 100"]),
    ])
    func `F-235 a fault happens as it was asked for, and what is told agrees with the ledger`(
        fault: String,
        told: String,
        ledger: [String]
    ) async throws {
        let emulator = try EmulatorProcess()
        _ = try await emulator.sale(1_250)
        let query = Asking.sales(of: EmulatorProcess.finix)
        let paid = try #require(try await emulator.finixBackOffice.records(query).records.first)
        let body = #"{"acquirer":"finix","method":"POST","times":2,"fault":"\#(fault)"}"#
        #expect(try await emulator.ask(.post, "/_emu/faults", body).status == 200)
        let refund = try Asking.attempt(EmulatorProcess.finix, 100, refunding: paid)
        let answer = await emulator.finixBackOffice.perform(refund)
        let name = String(answer.name.prefix { $0 != " " })
        #expect(name == told || told == "done" && name == "pending", "\(answer.name)")
        #expect(try await emulator.booked() == ledger)
    }

    @Test(arguments: ["hang", "hang-after"])
    func `F-235 what hangs is never answered, and clearing the faults ends them`(
        fault: String
    ) async throws {
        let emulator = try EmulatorProcess()
        try await emulator.ask(.post, "/_emu/faults", #"{"acquirer":"finix","fault":"\#(fault)"}"#)
        let hasty = LoopbackTransport(timeLimit: .milliseconds(100))
        let error = await #expect(throws: TransportError.self) {
            _ = try await emulator.ask(
                .get,
                "/transfers",
                authorization: EmulatorProcess.basic,
                over: hasty
            )
        }
        #expect(error?.reach == .maybeReceived)
        try await emulator.ask(.delete, "/_emu/faults")
        let answer = try await emulator.ask(
            .get,
            "/transfers",
            authorization: EmulatorProcess.basic
        )
        #expect(answer.status == 200)
    }

    @Test func `F-234 F-230 its strict modes can be switched on, and tell what they complain of`()
        async throws
    {
        let emulator = try EmulatorProcess()
        let transfer = try #require(try await emulator.sale(1_250))
        func repeated() async throws -> [Int] {
            var statuses: [Int] = []
            for _ in 0..<2 {
                let answer = try await emulator.ask(
                    .post,
                    "/transfers/\(transfer)/reversals",
                    #"{"refund_amount":100,"idempotency_id":"i"}"#,
                    authorization: EmulatorProcess.basic
                )
                statuses.append(answer.status)
            }
            return statuses
        }
        #expect(try await repeated() == [201, 201])
        func switchOn(_ modes: String = "") async throws -> [String: Any] {
            let body = #"{"acquirer":"finix"\#(modes)}"#
            return try await emulator.ask(.post, "/_emu/modes", body).object
        }
        _ = try await switchOn(#","refusesRepeats":true,"tokenLifetime":5"#)
        #expect(try await repeated() == [422, 422])
        _ = try await switchOn(#","demandsVersion":true"#)
        #expect(try await repeated() == [400, 400])
        let told = try await switchOn()
        #expect(told["tokenLifetime"] as? Int == 5 && told["refusesRepeats"] as? Bool == true)
        #expect((told["complaints"] as? [String])?.isEmpty == false)
        #expect(try await emulator.booked() == ["charge 1250", "refund 100"])
    }

    @Test func `R-216 R-295 Revolut's strict modes can be switched on over the wire as well`()
        async throws
    {
        let emulator = try EmulatorProcess()
        func create(_ more: String = "", key: String? = nil, version: String? = "2026-04-20")
            async throws -> Int
        {
            let body = Data(#"{"amount":900,"currency":"GBP"\#(more)}"#.utf8)
            var request = HTTPRequest(.post, emulator.origin, "/api/orders", body: body)
            request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
            request.headers["Content-Type"] = "application/json"
            request.headers["Idempotency-Key"] = key
            request.headers["Revolut-Api-Version"] = version
            return try await LoopbackTransport().send(request).status
        }
        func switchOn(_ mode: String? = nil) async throws -> [String: Any] {
            let more = mode.map { #","\#($0)":true"# } ?? ""
            let body = #"{"acquirer":"revolut"\#(more)}"#
            return try await emulator.ask(.post, "/_emu/modes", body).object
        }
        #expect(try await create(#","channel":"pos""#) == 201)
        #expect(try await create(key: "k") == 201)
        _ = try await switchOn("refusesUnknownMembers")
        #expect(try await create(#","channel":"pos""#) == 400)
        #expect(try await create(key: "k") == 201)
        _ = try await switchOn("refusesNeedlessKeys")
        #expect(try await create(key: "k") == 400)
        #expect(try await create() == 201)
        let told = try await switchOn("demandsVersion")
        #expect((told["complaints"] as? [String])?.count == 5)
        // The other acquirer is as it was.
        let finix = #"{"acquirer":"finix"}"#
        let other = try await emulator.ask(.post, "/_emu/modes", finix).object
        #expect(other["demandsVersion"] as? Bool == false)
        #expect((other["complaints"] as? [String]) == [])
    }

    @Test func `F-230 R-216 every mode of either acquirer can be switched, and the help names it`()
        async throws
    {
        let emulator = try EmulatorProcess()
        let list = HTTPRequest(.get, emulator.origin, "/_emu/")
        let help = String(decoding: try await LoopbackTransport().send(list).body, as: UTF8.self)
        let all: [(String, Mirror)] = [
            ("finix", Mirror(reflecting: FinixEmulator.Modes())),
            ("revolut", Mirror(reflecting: RevolutEmulator.Modes())),
        ]
        for (acquirer, modes) in all {
            let names = modes.children.compactMap(\.label)
            let body = #"{"acquirer":"\#(acquirer)"}"#
            let told = try await emulator.ask(.post, "/_emu/modes", body).object
            #expect(Set(told.keys) == Set(names + ["complaints"]))
            #expect(names.allSatisfy { help.contains($0) })
        }
    }

    @Test func `F-240 its time can be moved on, and pending payments settle`() async throws {
        let emulator = try EmulatorProcess()
        try await emulator.ask(
            .post,
            "/_emu/finix/pending",
            #"{"times":1,"seconds":600,"succeeds":true}"#
        )
        _ = try await emulator.sale(500)
        #expect(try await emulator.booked() == [])
        try await emulator.ask(.post, "/_emu/clock", #"{"seconds":601}"#)
        #expect(try await emulator.booked() == ["charge 500"])
    }

    @Test func `R-347 a reset forgets everything`() async throws {
        let emulator = try EmulatorProcess()
        _ = try await emulator.sale(500)
        try await emulator.ask(
            .post,
            "/_emu/faults",
            #"{"acquirer":"finix","fault":"unreachable"}"#
        )
        try await emulator.ask(.post, "/_emu/reset")
        #expect(try await emulator.booked() == [])
        let query = Asking.sales(of: EmulatorProcess.finix)
        #expect(try await emulator.finixBackOffice.records(query).records.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `R-347 the ledger outlives the process, however it ends`(signal: Int32) async throws {
        let file = try Till().path
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let arguments = ["--ledger", file + "/books.json"]
        let first = try EmulatorProcess(arguments)
        let id = try await first.sale(500)
        _ = first.end(signal)
        let second = try EmulatorProcess(arguments)
        #expect(try await second.booked() == ["charge 500"])
        let query = Asking.sales(of: EmulatorProcess.finix)
        let records = try await second.finixBackOffice.records(query).records
        #expect(records.map(\.reference.value) == [id])
        #expect(try await second.sale(600) != id)
    }

    @Test(arguments: [
        ("POST", "/_emu/tap", "{", "JSON object"), ("POST", "/_emu/tap", "{}", "amount"),
        ("POST", "/_emu/tap", #"{"amount":"1","currency":"USD"}"#, "whole number"),
        ("POST", "/_emu/tap", #"{"amount":1.5,"currency":"USD"}"#, "whole numbers"),
        ("POST", "/_emu/tap", #"{"amount":1,"currency":"usd"}"#, "capital letters"),
        ("POST", "/_emu/tap", #"{"amount":1,"currency":"USD","card":"gold"}"#, "visa-credit"),
        ("POST", "/_emu/tap", #"{"amount":1,"currency":"USD","crad":"x"}"#, "crad"),
        ("POST", "/_emu/faults", #"{"acquirer":"fnix"}"#, "finix or revolut"),
        ("POST", "/_emu/faults", #"{"acquirer":"finix","fault":"x"}"#, "lose-answer"),
        ("POST", "/_emu/faults", #"{"acquirer":"finix","fault":"hang","method":"HEAD"}"#, "PATCH"),
        ("POST", "/_emu/faults", #"{"acquirer":"finix","fault":"hang","status":500}"#, "status"),
        ("POST", "/_emu/reset", #"{"all":true}"#, "all"),
        ("POST", "/_emu/clock", #"{"seconds":-1}"#, "seconds"),
        ("POST", "/_emu/modes", #"{"demandsVersion":true}"#, "finix or revolut"),
        ("POST", "/_emu/modes", #"{"acquirer":"finix","refuseRepeats":true}"#, "refusesRepeats"),
        ("POST", "/_emu/modes", #"{"acquirer":"finix","showsBundle":1}"#, "true or false"),
        ("POST", "/_emu/modes", #"{"acquirer":"revolut","showsBundle":true}"#, "refusesNeedless"),
        ("POST", "/_emu/revolut/pay", #"{"order":"x"}"#, "still be paid"),
    ])
    func `N-033 a control that cannot be carried out says why`(
        method: String,
        path: String,
        body: String,
        part: String
    ) async throws {
        let emulator = try EmulatorProcess()
        let method = try #require(HTTPRequest.Method(rawValue: method))
        let answer = try await emulator.ask(method, path, body)
        #expect(answer.status == 400)
        #expect("\(answer.object["problem"] ?? "")".contains(part))
    }

    @Test func `N-033 an unknown control is refused with the list of all`() async throws {
        let emulator = try EmulatorProcess()
        let unknown = try await emulator.ask(.get, "/_emu/legder")
        #expect(unknown.status == 404)
        #expect((unknown.object["accepted"] as? [String])?.contains("GET /_emu/ledger") == true)
        #expect(try await emulator.ask(.put, "/_emu/ledger").status == 405)
    }

    @Test(arguments: ["/transfers", "/api/orders"])
    func `F-228, R-341 no credentials, no answer but 401`(path: String) async throws {
        let emulator = try EmulatorProcess()
        #expect(try await emulator.ask(.get, path).status == 401)
        #expect(try await emulator.ask(.get, path, authorization: "Bearer x").status == 401)
    }

    @Test func `R-341 a device token is handed out, and accepted until it is revoked`() async throws
    {
        let emulator = try EmulatorProcess()
        let answer = try await emulator.ask(.post, "/_emu/revolut/device-token")
        let token = try #require(answer.object["access_token"] as? String)
        let path = "/_emu/kit/orders/none"
        #expect(try await emulator.ask(.get, path, authorization: "Bearer " + token).status == 404)
        try await emulator.ask(.delete, "/_emu/revolut/device-token")
        #expect(try await emulator.ask(.get, path, authorization: "Bearer " + token).status == 401)
    }

    @Test func `R-036 consent, token and revocation are served on loopback, R-055 each code once`()
        async throws
    {
        let emulator = try EmulatorProcess()
        let redirect = "https://shop.example/back"
        let client = #"{"id":"app","redirect":"\#(redirect)"}"#
        #expect(try await emulator.ask(.post, "/_emu/revolut/client", client).status == 200)
        #expect(try await emulator.ask(.post, "/_emu/revolut/client", "{}").status == 400)
        // The pair of RFC 7636, appendix B.
        let page = HTTPRequest(
            .get,
            emulator.origin,
            "/_emu/oauth/authorize",
            query: [
                ("response_type", "code"), ("client_id", "app"), ("redirect_uri", redirect),
                ("scope", "tap_to_pay_sdk"), ("state", "s"),
                ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
                ("code_challenge_method", "S256"),
            ]
        )
        let answer = try await LoopbackTransport().send(page)
        let back = try #require(answer.headers["Location"].flatMap { URLComponents(string: $0) })
        let code = try #require(back.queryItems?.first { $0.name == "code" }?.value)
        func redeem() async throws -> (status: Int, token: String?) {
            var request = HTTPRequest(.post, emulator.origin, "/_emu/oauth/token")
            request.headers["Content-Type"] = "application/x-www-form-urlencoded"
            let fields =
                "grant_type=authorization_code&client_id=app&code=\(code)"
                + "&redirect_uri=https%3A%2F%2Fshop.example%2Fback"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
            request.body = Data(fields.utf8)
            let answer = try await LoopbackTransport().send(request)
            let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
            return (answer.status, object?["access_token"] as? String)
        }
        let first = try await redeem()
        #expect(first.status == 200 && first.token != nil)
        #expect(try await redeem().status == 400)
        #expect(try await emulator.ask(.post, "/_emu/consents/nobody/revoke").status == 404)
    }

    @Test func `N-014 the log names method, path and status alone`() async throws {
        let emulator = try EmulatorProcess(["--log"])
        _ = try await emulator.sale(1_250)
        #expect(emulator.end(SIGTERM) == 0)
        let log = emulator.diagnostics
        #expect(log.contains("POST /card_reader/transfers 201\n"))
        #expect(!log.contains("Basic") && !log.contains("SIM1"))
    }
}
