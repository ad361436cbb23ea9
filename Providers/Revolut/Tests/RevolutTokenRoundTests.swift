import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

/// Token rounds of the simulated kit: its rules are ours where Revolut says nothing.
@Suite struct RevolutTokenRoundTests {
    /// A shop that counts how often its app is asked for a token, and what the kit sends.
    private struct Counted {
        let asked = Shared(0)
        let sent = Shared<[String]>([])
        var shop = RevolutShop()

        init(refuse: @escaping @Sendable (_ call: Int) -> TokenProviderError? = { _ in nil }) {
            let asked = asked
            shop.stage.tokenFault = {
                asked.value += 1
                return refuse(asked.value)
            }
        }

        /// The kit's service answers so, some times; every request to it is written down.
        func answer(_ status: Int, times: Int) {
            let (sent, left) = (sent, Shared(times))
            shop.emulator.host.faults.add(.answer(HTTPResponse(status: status))) { request in
                guard request.path.hasPrefix("/_emu/kit/") else { return false }
                sent.value.append(request.method.rawValue + " " + request.path)
                left.value -= 1
                return left.value >= 0
            }
        }
    }

    @Test func `R-081 a token that ran out is replaced, and R-090 that is no strike`() throws {
        let counted = Counted()
        let shop = counted.shop
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            var names: [String] = []
            for order in ["o1", "o2", "o3", "o4"] as [Order] {
                names.append(try await shop.take(order, with: pointOfSale).0)
                shop.emulator.revokeDeviceTokens()
            }
            return names
        }
        #expect(names == Array(repeating: "approved", count: 4))
        #expect(counted.asked.value == 4)
        #expect(shop.charged == 4_000)
    }

    @Test func `R-080 a token is asked for at the first call, and one serves the calls after it`()
        throws
    {
        let counted = Counted()
        #expect(try counted.shop.twoSales() == ["approved", "approved"])
        #expect(counted.asked.value == 1)
    }

    @Test func `R-082 two refusals in a row sign out, and R-107 the call still ends`() throws {
        let counted = Counted { _ in .unauthorized }
        #expect(try counted.shop.twoSales() == ["failed signedOut", "signedOut"])
        #expect(counted.asked.value == 2)
        #expect(counted.shop.charged == 0)
    }

    @Test func `R-095 after one refusal another round begins by itself`() throws {
        let counted = Counted { $0 == 1 ? .unauthorized : nil }
        #expect(try counted.shop.sale().name == "approved")
        #expect(counted.asked.value == 2)
    }

    @Test func `R-091 a token that the service refuses is a strike like any other`() throws {
        let counted = Counted()
        counted.answer(401, times: .max)
        let names = try counted.shop.twoSales()
        #expect(counted.asked.value == 2)
        #expect(names == ["unresolved", "signedOut"])
        #expect(counted.shop.charged == 0)
    }

    @Test func `R-101 a request is sent again once for each round, and R-102 only when refused`()
        throws
    {
        let counted = Counted()
        counted.answer(401, times: 1)
        #expect(try counted.shop.sale().name == "approved")
        let creations = counted.sent.value.filter { $0 == "POST /_emu/kit/orders" }
        let taps = counted.sent.value.filter { $0.hasSuffix("/tap") }
        #expect(creations.count == 2 && taps.count == 1)
        #expect(counted.asked.value == 2)
        #expect(counted.shop.world.ledger.entries(.charge).count == 1)
    }

    @Test func `R-096 a request that is not allowed is no strike`() throws {
        let counted = Counted()
        counted.answer(403, times: 2)
        let names = try counted.shop.run { () async throws -> [String] in
            let pointOfSale = try await counted.shop.open()
            var names: [String] = []
            for order in ["o1", "o2", "o3"] as [Order] {
                names.append(try await counted.shop.take(order, with: pointOfSale).0)
            }
            return names
        }
        #expect(names.last == "approved")
        #expect(counted.asked.value == 1)
    }

    @Test
    func `R-093 an error that says nothing breaks the row, and R-094 a cancelled round does not`() {
        var rounds = RevolutTokenRounds()
        let ends: [RevolutTokenRounds.End] = [
            .refusedByProvider, .inconclusive, .refusedByProvider, .cancelled, .refusedByService,
            .refusedByService,
        ]
        var told: [Int] = []
        let signOuts = ends.map { end in
            defer { told.append(rounds.strikes) }
            return rounds.ended(end)
        }
        #expect(signOuts == [false, false, false, false, true, false])
        #expect(told == [1, 0, 1, 1, 2, 2])
    }

    @Test func `R-108 after a sign-out only a new kit takes payments again`() throws {
        let isRefused = Shared(true)
        let counted = Counted { _ in isRefused.value ? .unauthorized : nil }
        let shop = counted.shop
        #expect(try shop.twoSales() == ["failed signedOut", "signedOut"])
        isRefused.value = false
        #expect(
            try shop.run { try await shop.take("o3", with: try await shop.open()).0 } == "approved"
        )
    }
}
