import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct RemoteAnswerTests {
    private static let refund: PaymentAttempt? = {
        var anything = Anything(seed: 8)
        return (try? anything.receipt()).map { receipt in
            PaymentAttempt(
                id: AttemptID("r"),
                account: RemotePair.account,
                operation: .refund(receipt),
                startedAt: receipt.time,
                amount: receipt.asked
            )
        }
    }()

    /// What the app is told of a refund when the back end's answer is changed on its way.
    private func refund(
        _ change: @escaping @Sendable (HTTPResponse) async throws -> HTTPResponse
    ) throws -> (answer: BackOfficeAnswer, asked: Int, sent: Int) {
        var script = ScriptedBackOffice.Script()
        script.perform = .done(Approval())
        let pair = RemotePair(script, answer: change)
        let attempt = try #require(Self.refund)
        let answer = try pair.run { await $0.perform(attempt) }
        return (answer, pair.books.asked.count, pair.transport.requests.count)
    }

    private static func body(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, body: Data(text.utf8))
    }

    @Test func `N-011 a lost answer to a refund is unknown, and it is asked once`() throws {
        let told = try refund { _ in throw TransportError(.maybeReceived, "no answer in time") }
        #expect(told.answer.name == "unknown")
        #expect(told.answer.error?.code == .networkUnavailable)
        #expect((told.asked, told.sent) == (1, 1))
    }

    @Test func `N-011 a refund that was not sent is not done`() throws {
        let told = try refund { _ in throw TransportError(.notSent, "no connection") }
        #expect(told.answer.name == "notDone")
    }

    @Test(arguments: [
        ("", 200), ("   \n", 200), ("<html>Welcome</html>", 200), ("{", 200), ("[]", 200),
        ("null", 200), ("7", 200), ("{}", 200), (#"{"version":1}"#, 200), ("", 204),
        (#"{"version":2,"id":"x"}"#, 200), (#"{"version":1,"id":"other","content":{}}"#, 200),
        ("", 302), ("", 307), ("", 304), ("<html>Log in</html>", 401), ("", 403), ("nope", 404),
        ("", 408), ("", 409), ("", 429), ("oops", 500), ("", 502), ("", 503), ("", 599), ("", 999),
    ])
    func `N-011 an answer that cannot be read leaves a refund unknown`(
        text: String,
        status: Int
    ) throws {
        let told = try refund { _ in Self.body(text, status: status) }
        #expect(told.answer.name == "unknown")
        #expect(told.sent == 1)
    }

    @Test func `N-011 an answer to another question is not taken`() throws {
        let told = try refund { response in
            let text = String(decoding: response.body, as: UTF8.self)
            return Self.body(text.replacing(/"id":"[a-z]+"/, with: #""id":"bbbb""#))
        }
        #expect(told.answer.name == "unknown")
        #expect(told.answer.error?.detail?.contains("another question") == true)
    }

    @Test(arguments: [
        ("done", "undone"), (#""approval""#, #""approvals""#), (#""certainty""#, #""sure""#),
        (#""result""#, #""results""#), (#""references":[]"#, #""references":7"#),
    ])
    func `N-044 a word or shape that is not known here is unknown, never done`(
        part: String,
        other: String
    ) throws {
        let told = try refund { response in
            let text = String(decoding: response.body, as: UTF8.self)
            return Self.body(text.replacing(part, with: other))
        }
        #expect(told.answer.name == "unknown")
        #expect(told.answer.error?.code == .malformedAnswer)
    }

    @Test func `N-011 a huge answer is unknown`() throws {
        let told = try refund { _ in
            HTTPResponse(status: 200, body: Data(repeating: 0x20, count: 17 << 20))
        }
        #expect(told.answer.name == "unknown")
        #expect(told.answer.error?.detail?.contains("bytes") == true)
    }

    @Test func `N-044 a record that cannot be read makes its listing incomplete`() throws {
        var anything = Anything(seed: 5)
        var script = ScriptedBackOffice.Script()
        script.listing = .success(
            RecordListing(
                records: [try anything.record(), try anything.record()],
                isComplete: true,
                account: RemotePair.account,
                acquirerTime: nil
            )
        )
        let pair = RemotePair(script) { response in
            let text = String(decoding: response.body, as: UTF8.self)
            let kind = /"kind":"(sale|auth|refund|capture|void)\w*"/
            return Self.body(text.replacing(kind, with: #""kind":"series""#, maxReplacements: 1))
        }
        let listing = try pair.records(anything.query()).get()
        #expect(listing.records.count == 1)
        #expect(!listing.isComplete)
    }

    @Test(arguments: ["authorised_started", "declined"])
    func `N-044 a state that is not known here, or lacks its reason, stays not known`(
        name: String
    ) throws {
        var anything = Anything(seed: 6)
        var record = try anything.record()
        record.state = .succeeded
        var script = ScriptedBackOffice.Script()
        script.close = .closed(record)
        let pair = RemotePair(script) { response in
            let text = String(decoding: response.body, as: UTF8.self)
            return Self.body(text.replacing(#""name":"succeeded""#, with: #""name":"\#(name)""#))
        }
        let reference = record.reference
        let answer = try pair.run { await $0.close(reference) }
        guard case .closed(let told) = answer else {
            Issue.record("told \(answer)")
            return
        }
        #expect(told.state == .unknown(name))
    }

    @Test func `N-018 a lost answer to closing is not closed`() throws {
        let pair = RemotePair { _ in throw TransportError(.maybeReceived, "no answer in time") }
        var anything = Anything(seed: 7)
        let reference = anything.reference()
        #expect(try pair.run { await $0.close(reference) }.name == "notClosed")
    }

    @Test func `N-025 a question that changes nothing is asked again`() throws {
        var anything = Anything(seed: 9)
        let pair = RemotePair { _ in Self.body("busy", status: 503) }
        guard case .failure(let error) = try pair.records(anything.query()) else {
            Issue.record("a fault was taken for a listing")
            return
        }
        #expect(error.code == .acquirerUnavailable)
        #expect(pair.transport.requests.count == ReadRetry.tries)
    }

    @Test(arguments: [(Duration.seconds(30), 3), (.seconds(300), 1)])
    func `N-029 a phone that would take absence for proof too soon gets no complete listing`(
        appearsWithin: Duration,
        listings: Int
    ) throws {
        var anything = Anything(seed: 10)
        var script = ScriptedBackOffice.Script()
        script.capabilities.absentListings = .init(count: 3, spread: .zero)
        script.listing = .success(
            RecordListing(
                records: [],
                isComplete: true,
                account: RemotePair.account,
                acquirerTime: nil
            )
        )
        var weaker = BackOfficeCapabilities()
        weaker.appearsWithin = appearsWithin
        weaker.absentListings = .init(count: listings, spread: .zero)
        let query = anything.query()
        #expect(try !RemotePair(script, capabilities: weaker).records(query).get().isComplete)
        #expect(try RemotePair(script).records(query).get().isComplete)
    }

    @Test func `N-029 questions about another account are not asked`() throws {
        var anything = Anything(seed: 11)
        var query = anything.query()
        query.account = RemotePair.other
        let pair = RemotePair()
        #expect(try !pair.records(query).get().isComplete)
        let request = try anything.request()
        let attempt = PaymentAttempt(
            id: AttemptID("x"),
            account: RemotePair.other,
            operation: .take(request),
            startedAt: anything.date(),
            amount: request.amount
        )
        #expect(try pair.run { await $0.perform(attempt) }.name == "notDone")
        #expect(try pair.run { await $0.link(for: attempt) }.name == "notMade")
        #expect(pair.transport.requests.isEmpty)
    }
}
