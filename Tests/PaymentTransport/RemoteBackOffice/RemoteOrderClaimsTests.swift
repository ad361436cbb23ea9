import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

/// Both halves of the claims' contract, joined without a network.
@Suite struct RemoteOrderClaimsTests {
    private let time = SimulatedTime()
    private let table = OrderClaimTable()

    private func claims(
        token: String = "session-a",
        wire: (@Sendable (HTTPRequest, HTTPResponse) throws -> HTTPResponse)? = nil
    ) -> (claims: RemoteOrderClaims, transport: FunctionTransport) {
        let service = RemoteOrderClaimsService(table) { token in
            token.reveal() == "session-a" ? [RemotePair.account] : nil
        }
        let transport = FunctionTransport { request in
            let response = await service.answer(request)
            return try wire?(request, response) ?? response
        }
        let claims = RemoteOrderClaims(
            origin: RemotePair.origin,
            transport: transport,
            tokenProvider: FixedTokens(text: token),
            environment: time.environment
        )
        return (claims, transport)
    }

    private func claim(
        _ attempt: String = "a1",
        _ order: Order = "o1",
        till: String = "t1",
        account: Account = RemotePair.account
    ) throws -> OrderClaim {
        OrderClaim(
            order: order,
            attempt: AttemptID(attempt),
            till: till,
            account: account,
            kind: .sale,
            amount: try Money(minorUnits: 1_250, currency: .usd),
            at: Date(timeIntervalSinceReferenceDate: 800_000_000.125)
        )
    }

    private func told(_ claims: RemoteOrderClaims, _ claim: OrderClaim) async -> String {
        do throws(PaymentError) {
            switch try await claims.claim(claim) {
            case .granted: return "granted"
            case .taken(let other): return "taken by \(other.attempt) of \(other.till)"
            }
        } catch {
            return "\(error.code)"
        }
    }

    @Test func `N-021 an order is granted to one attempt, again to the same, and after release`()
        throws
    {
        let (claims, _) = claims()
        let first = try claim()
        let second = try claim("a2", till: "t2")
        let names = try time.run { () async -> [String] in
            var names = [await told(claims, first), await told(claims, second)]
            names.append(await told(claims, first))
            try? await claims.release(first)
            return names + [await told(claims, second)]
        }
        #expect(names == ["granted", "taken by a1 of t1", "granted", "granted"])
        #expect(table.all == [second])
    }

    @Test func `N-021 a till that lost its journal gets back what it had claimed, to the letter`()
        throws
    {
        let (claims, _) = claims()
        let mine = try claim()
        let others = try claim("a2", "o2", till: "t2")
        let foreign = try claim("a3", "o3", account: RemotePair.other)
        let told = try time.run { () async -> [OrderClaim]? in
            for claim in [mine, others] { _ = try? await claims.claim(claim) }
            _ = try? await table.claim(foreign)
            return try? await claims.claims(ofTill: "t1", since: mine.at.addingTimeInterval(-1))
        }
        #expect(told == [mine])
    }

    @Test func `N-021 a lost answer is asked for again, and the claim stays one`() throws {
        let isLost = Mutex(true)
        let (claims, transport) = claims { _, response in
            guard
                isLost.withLock({ isLost in
                    defer { isLost = false }; return isLost
                })
            else {
                return response
            }
            throw TransportError(.maybeReceived, "no answer in time")
        }
        let mine = try claim()
        let name = try time.run { await told(claims, mine) }
        #expect(name == "granted")
        #expect(transport.requests.count == 2)
        #expect(table.all == [mine])
    }

    @Test(arguments: ["session-b", ""])
    func `N-021 a token that is not good claims nothing`(token: String) throws {
        let (claims, _) = claims(token: token)
        let mine = try claim()
        let name = try time.run { await told(claims, mine) }
        #expect(["appLoginExpired", "tokenUnavailable"].contains(name))
        #expect(table.all.isEmpty)
    }

    @Test func `N-021 the claim of an account that is not the token's is refused`() throws {
        let (claims, _) = claims()
        let foreign = try claim(account: RemotePair.other)
        let name = try time.run { await told(claims, foreign) }
        #expect(name == "accessDenied")
        #expect(table.all.isEmpty)
    }

    @Test func `N-021 nobody lets go of another account's claim, or learns of it`() throws {
        let (claims, _) = claims()
        let others = try claim(account: RemotePair.other)
        let same = try claim()
        let name = try time.run { () async -> String in
            _ = try? await table.claim(others)
            try? await claims.release(same)
            return await told(claims, same)
        }
        #expect(name == "conflict")
        #expect(table.all == [others])
    }

    @Test func `N-021 one attempt claims one order, and none once it has let go`() throws {
        let (claims, _) = claims()
        let first = try claim()
        let second = try claim("a1", "o2")
        let names = try time.run { () async -> [String] in
            var names = [await told(claims, first), await told(claims, second)]
            try? await claims.release(first)
            names.append(await told(claims, first))
            return names
        }
        #expect(names == ["granted", "taken by a1 of t1", "conflict"])
    }

    @Test(arguments: ["{}", #"{"granted":true,"takenBy":7}"#, #"{"granted":false}"#])
    func `N-021 an answer that says neither grants nothing`(content: String) throws {
        let (claims, _) = claims { request, response in
            let id =
                String(decoding: request.body ?? Data(), as: UTF8.self)
                .firstMatch(of: /"id":"([a-z]+)"/)?.1 ?? ""
            var response = response
            response.body = Data(#"{"version":1,"id":"\#(id)","content":\#(content)}"#.utf8)
            return response
        }
        let mine = try claim()
        #expect(try time.run { await told(claims, mine) } == "malformedAnswer")
    }

    @Test(arguments: ["", "<html>", "{}", "null", #"{"version":2}"#])
    func `N-021 an answer that cannot be read grants nothing`(text: String) throws {
        let (claims, _) = claims { _, response in
            var response = response
            response.body = Data(text.utf8)
            return response
        }
        let mine = try claim()
        #expect(try time.run { await told(claims, mine) } == "malformedAnswer")
    }

    @Test(arguments: [
        ("claim", #"{}"#), ("claim", "7"), ("release", #"{"order":{"id":"o"}}"#), ("claims", "{}"),
        ("elsewhere", "{}"),
    ])
    func `N-021 a question that cannot be read is refused with its reason`(
        operation: String,
        content: String
    ) throws {
        var request = HTTPRequest(
            .post,
            RemotePair.origin,
            "/in-person-payments/orders/\(operation)"
        )
        request.headers["Authorization"] = "Bearer session-a"
        request.body = Data(#"{"version":1,"id":"q","content":\#(content)}"#.utf8)
        let service = RemoteOrderClaimsService(table) { _ in [RemotePair.account] }
        let response = try time.run { [request] in await service.answer(request) }
        #expect(response.status == (operation == "elsewhere" ? 404 : 400))
        #expect(String(decoding: response.body, as: UTF8.self).contains("refused"))
    }
}
