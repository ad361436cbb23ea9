import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct RemoteServiceTests {
    private let books = ScriptedBackOffice()

    private func question(
        _ operation: String = "close",
        token: String? = "session-a",
        account: Account = RemotePair.account,
        version: Int = 1,
        content: String = #"{"reference":{"kind":"k","value":"v"}}"#
    ) -> HTTPRequest {
        var request = HTTPRequest(.post, RemotePair.origin, "/in-person-payments/\(operation)")
        request.headers["Authorization"] = token.map { "Bearer " + $0 }
        request.body = Data(
            """
            {"version":\(version),"id":"q","account":{"provider":"\(account.provider)",
            "merchant":"\(account.merchant)","environment":"simulated"},"content":\(content)}
            """.utf8
        )
        return request
    }

    private func answer(_ request: HTTPRequest) throws -> (status: Int, body: String) {
        let service = RemotePair.service(books)
        let response = try SimulatedTime().run { await service.answer(request) }
        return (response.status, String(decoding: response.body, as: UTF8.self))
    }

    @Test func `a question with a good token is answered`() throws {
        let answer = try answer(question())
        #expect(answer.status == 200)
        #expect(answer.body == #"{"content":{"result":"unsupported"},"id":"q","version":1}"#)
        #expect(books.asked.count == 1)
    }

    @Test(arguments: [nil, "", " ", "session-b", "session-a session-a"])
    func `a missing or wrong token is refused, and nothing is asked`(token: String?) throws {
        #expect(try answer(question(token: token)).status == 401)
        #expect(books.asked.count == 0)
    }

    @Test func `two tokens, or one under another scheme, are refused`() throws {
        var two = question()
        two.headers.add("Authorization", "Bearer session-a")
        var basic = question()
        basic.headers["Authorization"] = "Basic session-a"
        #expect(try answer(two).status == 401)
        #expect(try answer(basic).status == 401)
        #expect(books.asked.count == 0)
    }

    @Test(arguments: [
        RemotePair.other, Account(provider: "q", merchant: "m", environment: .simulated),
    ])
    func `another account is refused, whether it exists or not`(account: Account) throws {
        let answer = try answer(question(account: account))
        #expect(answer.status == 403)
        #expect(answer.body.contains(#""refused":"accountRefused""#))
        #expect(books.asked.count == 0)
    }

    @Test func `N-022 a refund of another account's payment is refused`() throws {
        var anything = Anything(seed: 3)
        let stolen = Receipt(
            of: AttemptID("a"),
            began: .init(
                account: RemotePair.other,
                order: "o",
                kind: .sale,
                amount: try anything.money()
            ),
            approval: Approval(),
            now: anything.date()
        )
        let attempt = PaymentAttempt(
            id: AttemptID("b"),
            account: RemotePair.account,
            operation: .refund(stolen),
            startedAt: anything.date(),
            amount: try anything.money()
        )
        let pair = RemotePair()
        let answer = try pair.run { await $0.perform(attempt) }
        #expect(answer.name == "notDone")
        #expect(answer.error?.code == .accessDenied)
        #expect(pair.books.asked.count == 0)
    }

    @Test(arguments: [
        ("", 400), ("{", 400), ("[]", 400), ("null", 400), ("\u{FEFF}{}", 400),
        (#"{"version":"1"}"#, 400), (#"{"version":1}"#, 400),
        (#"{"version":99999999999999999999}"#, 400), (#"{"version":2,"x":[]}"#, 400),
        (String(repeating: "[", count: 100_000), 400),
        (String(repeating: " ", count: 1 << 20) + "{}", 413),
    ])
    func `N-011 a question that cannot be read is refused with the reason`(
        body: String,
        status: Int
    ) throws {
        var request = question()
        request.body = Data(body.utf8)
        let answer = try answer(request)
        #expect(answer.status == status)
        #expect(answer.body.contains(#""message":"#))
        #expect(books.asked.count == 0)
    }

    @Test func `another version is refused, naming the accepted one`() throws {
        let answer = try answer(question(version: 2))
        #expect(answer.status == 400)
        #expect(answer.body.contains("version 2; accepted is 1"))
    }

    @Test(arguments: [
        #"{}"#, #"{"reference":null}"#, #"{"reference":"x"}"#, #"[]"#, #"null"#, #"7"#,
    ])
    func `N-011 content of another shape is refused`(content: String) throws {
        #expect(try answer(question(content: content)).status == 400)
        #expect(books.asked.count == 0)
    }

    @Test(arguments: [
        "sell", "capture", "void", "refund", "take",
    ])
    func `N-011 an operation without what belongs to it is refused`(operation: String) throws {
        let content = """
            {"id":"a","operation":"\(operation)","startedAt":"2026-01-01T00:00:00Z",
             "amount":{"minorUnits":1,"currency":"USD"}}
            """
        let answer = try answer(question("perform", content: content))
        #expect(answer.status == 400)
        #expect(answer.body.contains("lacks what belongs to it"))
        #expect(books.asked.count == 0)
    }

    @Test func `a span that ends before it begins is refused`() throws {
        let content = """
            {"references":[],"parents":[],"kind":"sale","createdFrom":"2026-01-02T00:00:00Z",
             "createdTo":"2026-01-01T00:00:00Z","absence":{"listings":1,
             "appearsWithin":{"seconds":1,"attoseconds":0},"spread":{"seconds":0,"attoseconds":0}}}
            """
        #expect(try answer(question("records", content: content)).body.contains("span"))
    }

    @Test(arguments: ["", "sell", "close/", "../close"])
    func `another path is not found`(operation: String) throws {
        #expect(try answer(question(operation)).status == 404)
    }

    @Test func `another method is refused`() throws {
        var request = question()
        request.method = .get
        #expect(try answer(request).status == 405)
    }
}
