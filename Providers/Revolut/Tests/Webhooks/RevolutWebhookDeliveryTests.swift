import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutWebhookDeliveryTests {
    fileprivate static let url = "https://shop.example/hook"

    /// A back end that keeps what is delivered to it.
    fileprivate struct Receiver: Sendable {
        let office = RevolutOffice()
        let secrets = Shared<[Secret]>([])
        let events = Shared<[RevolutWebhookEvent]>([])
        let refusals = Shared<[RevolutWebhookRefusal]>([])

        /// Registers for everything and answers with a status, once the event is kept.
        func register(answering status: Int? = 204) throws {
            office.emulator.webhooks.connect(RevolutWebhookDeliveryTests.url) { request in
                let verifier = RevolutWebhookVerifier(
                    secrets: secrets.value,
                    environment: office.world.environment
                )
                do throws(RevolutWebhookRefusal) {
                    events.value.append(try verifier.event(in: request))
                    return status.map { HTTPResponse(status: $0) }
                } catch {
                    refusals.value.append(error)
                    return error.response
                }
            }
            let hook = try office.run {
                try await office.merchant.registerWebhook(
                    RevolutWebhookDeliveryTests.url,
                    events: RevolutWebhookEvent.Name.allKnown
                )
            }
            secrets.value = [try #require(hook.signingSecret)]
        }

        func order(expiresAfter: Duration? = nil) throws -> RevolutOrder {
            var new = RevolutNewOrder(try Money(minorUnits: 1_250, currency: .gbp))
            new.expiresAfter = expiresAfter
            new.reference = "T4"
            let order = new
            return try office.run { try await office.merchant.create(order) }
        }

        func pass(_ duration: Duration) { office.world.time.advance(by: duration) }
        var names: [String] { events.value.map(\.name.description) }
    }

    @Test func `R-316 a payment on the hosted page was reported to be told in three events`()
        throws
    {
        let receiver = Receiver()
        try receiver.register()
        let order = try receiver.order()
        receiver.office.emulator.payByCode(order.id)
        receiver.pass(.seconds(5))
        #expect(
            receiver.names == [
                "ORDER_PAYMENT_AUTHENTICATED", "ORDER_AUTHORISED", "ORDER_COMPLETED",
            ]
        )
        #expect(receiver.events.value.allSatisfy { $0.subject == .order(order.id) })
        #expect(receiver.events.value.allSatisfy { $0.orderReference == "T4" })
    }

    @Test func `R-317 a refused card was reported to leave the order pending, told in two events`()
        throws
    {
        let receiver = Receiver()
        try receiver.register()
        let order = try receiver.order()
        receiver.office.emulator.refuseByCode(order.id, reason: "expired_card")
        receiver.pass(.seconds(5))
        #expect(receiver.names == ["ORDER_PAYMENT_AUTHENTICATED", "ORDER_PAYMENT_DECLINED"])
        let read = try receiver.office.run { try await receiver.office.merchant.order(order.id) }
        #expect(read.state == .pending && read.decline?.category == .expiredCard)
        #expect(receiver.office.emulator.payByCode(order.id))
    }

    @Test func `R-320 by our rule a tap is told in two events`() throws {
        let receiver = Receiver()
        try receiver.register()
        let shop = RevolutShop(world: receiver.office.world, emulator: receiver.office.emulator)
        #expect(try shop.sale().name == "approved")
        receiver.pass(.seconds(5))
        #expect(receiver.names == ["ORDER_AUTHORISED", "ORDER_COMPLETED"])
    }

    @Test func `R-318 a refund is told as the completion of its own order`() throws {
        let receiver = Receiver()
        try receiver.register()
        let order = try receiver.order()
        receiver.office.emulator.payByCode(order.id)
        receiver.pass(.seconds(5))
        receiver.events.value = []
        let refund = try receiver.office.run {
            try await receiver.office.merchant.refund(order.id, order.amount, key: "r1")
        }
        receiver.pass(.seconds(5))
        #expect(receiver.names == ["ORDER_COMPLETED"])
        #expect(receiver.events.value.first?.subject == .order(refund.id))
        let read = try receiver.office.run { try await receiver.office.merchant.order(refund.id) }
        #expect(read.isGivenRefund && !read.isPaidSale)
    }

    @Test func `R-181 an order that expires is told when it does, though nobody asks`() throws {
        let receiver = Receiver()
        try receiver.register()
        _ = try receiver.order(expiresAfter: .seconds(60))
        receiver.pass(.seconds(59))
        #expect(receiver.names == [])
        receiver.pass(.seconds(3))
        #expect(receiver.names == ["ORDER_FAILED"])
    }

    @Test(arguments: [(204, 1), (200, 1), (399, 1), (400, 4), (404, 4), (nil, 4)] as [(Int?, Int)])
    func `R-310 what is not acknowledged comes three more times, ten minutes apart`(
        status: Int?,
        times: Int
    ) throws {
        let receiver = Receiver()
        try receiver.register(answering: status)
        let order = try receiver.order()
        _ = try receiver.office.run { try await receiver.office.merchant.cancel(order.id) }
        receiver.pass(.seconds(599))
        #expect(receiver.names.count == 1)
        receiver.pass(.seconds(7_200))
        #expect(receiver.names == Array(repeating: "ORDER_CANCELLED", count: times))
        #expect(receiver.office.emulator.webhooks.deliveries.map(\.attempt) == Array(1...times))
        // Each try is signed anew, so that the last one is as fresh as the first.
        #expect(receiver.refusals.value == [])
    }

    @Test func `R-310 a server that is not there gets its events once it is`() throws {
        let receiver = Receiver()
        try receiver.register()
        let order = try receiver.order()
        _ = try receiver.office.run { () async throws in
            try await receiver.office.merchant.updateWebhook(
                try await receiver.office.merchant.webhooks()[0].id,
                url: "https://shop.example/moved"
            )
        }
        receiver.office.emulator.payByCode(order.id)
        receiver.pass(.seconds(60))
        #expect(receiver.names == [])
        _ = try receiver.office.run { () async throws in
            try await receiver.office.merchant.updateWebhook(
                try await receiver.office.merchant.webhooks()[0].id,
                url: Self.url
            )
        }
        receiver.pass(.seconds(601))
        #expect(receiver.names.count == 3)
    }

    @Test func `R-308 while a secret is replaced both sign, and afterwards the new one alone`()
        throws
    {
        let receiver = Receiver()
        try receiver.register()
        let id = try receiver.office.run { try await receiver.office.merchant.webhooks()[0].id }
        let next = try receiver.office.run {
            try await receiver.office.merchant.rotateSigningSecret(
                of: id,
                keepingOldFor: .seconds(3_600)
            )
        }
        let old = receiver.secrets.value
        #expect(next.signingSecret.map { [$0] } != old)
        try receiver.cancelOne()
        #expect(receiver.names.count == 1)
        receiver.secrets.value = [try #require(next.signingSecret)]
        try receiver.cancelOne()
        #expect(receiver.names.count == 2)
        receiver.pass(.seconds(3_600))
        try receiver.cancelOne()
        #expect(receiver.names.count == 3)
        receiver.secrets.value = old
        try receiver.cancelOne()
        #expect(receiver.names.count == 3)
        #expect(receiver.refusals.value == [.signatureWrong])
    }

    @Test func `R-308 without a period the old secret ends at once`() throws {
        let receiver = Receiver()
        try receiver.register()
        _ = try receiver.office.run { () async throws in
            try await receiver.office.merchant.rotateSigningSecret(
                of: try await receiver.office.merchant.webhooks()[0].id
            )
        }
        try receiver.cancelOne()
        #expect(receiver.names == [] && receiver.refusals.value == [.signatureWrong])
    }

    /// Lost, repeated, late and out of order, by a seed.
    @Test(arguments: 0..<25 as Range<UInt64>)
    func `R-346 whatever happens to deliveries, what is known ends as Revolut's books`(
        seed: UInt64
    ) throws {
        let receiver = Receiver()
        try receiver.register()
        receiver.office.emulator.webhooks.schedule { _, number in
            var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
            return (0..<random.next() % 4).map { _ in .seconds(Int(random.next() % 900)) }
        }
        let paid = try receiver.order()
        let closed = try receiver.order()
        let expired = try receiver.order(expiresAfter: .seconds(120))
        receiver.office.emulator.payByCode(paid.id)
        _ = try receiver.office.run { try await receiver.office.merchant.cancel(closed.id) }
        receiver.pass(.seconds(2_000))
        var tracker = RevolutWebhookTracker()
        for event in receiver.events.value { tracker.take(event) }
        #expect(receiver.refusals.value == [] && !receiver.events.value.isEmpty)
        // The periodic read backs the deliveries up.
        let orders = try receiver.office.run { try await receiver.office.merchant.orders() }.orders
        for order in orders { tracker.take(order) }
        for id in tracker.ordersToRead { Issue.record("\(id) is not explained") }
        let states = [paid, closed, expired].map { tracker.track(ofOrder: $0.id)?.order?.state }
        #expect(states == [.completed, .cancelled, .failed])
        #expect(receiver.office.world.ledger.balance(.gbp) == 1_250)
    }

    @Test func `webhooks outlive the program`() throws {
        let receiver = Receiver()
        try receiver.register()
        let next = Receiver()
        next.office.emulator.restore(receiver.office.emulator.snapshot)
        let urls = try next.office.run { try await next.office.merchant.webhooks() }.map(\.url)
        #expect(urls == [Self.url])
    }
}

extension RevolutWebhookDeliveryTests.Receiver {
    /// Something that is told: an order is made and cancelled.
    fileprivate func cancelOne() throws {
        let order = try order()
        _ = try office.run { try await office.merchant.cancel(order.id) }
        pass(.seconds(5))
    }
}
