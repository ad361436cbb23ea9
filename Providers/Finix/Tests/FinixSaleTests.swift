import AcquirerSimulation
import FinixSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixSaleTests {
    @Test func `F-067 F-295 an approved sale is told with its receipt, and booked once`() throws {
        let shop = FinixShop()
        let told = try shop.sale()
        guard case .approved(let receipt) = told.outcome else {
            Issue.record("told \(told.name)")
            return
        }
        #expect(receipt.approved == .confirmed(try Money(minorUnits: 1_250, currency: .usd)))
        #expect(receipt.card?.lastFour == "4242")
        #expect(receipt.isSimulated)
        #expect(receipt.references.first?.kind == "transfer")
        #expect(shop.charged == 1_250)
        #expect(
            told.phases == [
                "started", "preparing", "presentCard", "cardRead", "submitting", "approved",
            ]
        )
    }

    @Test(arguments: [
        ("declined-funds", "declined", 0), ("damaged", "failed cardNotRead", 0),
        ("phone-visa", "approved", 1_250),
    ])
    func `N-010 what is told agrees with the ledger`(
        card: String,
        told: String,
        charged: Int64
    ) throws {
        let shop = FinixShop(card: card)
        #expect(try shop.sale().name == told)
        #expect(shop.charged == charged)
    }

    @Test func `F-251 F-252 a partial approval names the rest`() throws {
        let shop = FinixShop()
        shop.world.issuer.approveInPart()
        guard case .partlyApproved(let receipt, let remaining) = try shop.sale(1_251).outcome else {
            Issue.record("not partly approved")
            return
        }
        #expect(receipt.approved.money?.minorUnits == 625)
        #expect(remaining.minorUnits == 626)
        #expect(shop.charged == 625)
    }

    @Test func `F-077 the customer closes the sheet`() throws {
        let shop = FinixShop(card: nil)
        let told = try shop.sale { event, _ in
            guard case .presentCard = event.kind else { return }
            shop.world.time.clock.schedule(after: .seconds(2)) {
                shop.world.device.control.customerCancels()
            }
        }
        #expect(told.name == "cancelled")
        #expect(shop.charged == 0)
    }

    @Test func `F-092 F-101 an answer lost after booking is found by search`() throws {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: true)
        let told = try shop.sale()
        #expect(told.name == "approved")
        #expect(told.phases.contains("checking"))
        #expect(shop.charged == 1_250)
    }

    @Test
    func `F-105 a sale lost before booking is open until its time has passed, then free again`()
        throws
    {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: false)
        let names = try shop.run {
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let told = try await shop.take(1_250, "o1", with: pointOfSale)
            guard let payment = await pointOfSale.unresolved.first else { return [told.name] }
            let early = await pointOfSale.resolve(payment)
            try await shop.world.environment.clock.sleep(for: .seconds(301))
            let late = await pointOfSale.resolve(payment)
            let retry = try await shop.take(1_250, "o1", with: pointOfSale)
            return [told.name, early.name, late.name, retry.name]
        }
        #expect(names == ["unresolved", "unresolved", "failed notBooked", "approved"])
        #expect(shop.charged == 1_250)
    }

    @Test
    func `S-067 F-052 F-280 a sale before the device is ready shows that, waits, and sells once`()
        throws
    {
        let shop = FinixShop(isConfigured: false)
        let told = try shop.run { () async throws -> Told in
            let pointOfSale = try await shop.open()
            async let preparing: Void = pointOfSale.prepare()
            try await shop.world.environment.clock.sleep(for: .microseconds(1))
            let told = try await shop.take(1_250, "o1", with: pointOfSale)
            try await preparing
            return told
        }
        #expect(told.name == "approved")
        #expect(told.phases.prefix(2) == ["started", "preparing"])
        #expect(shop.charged == 1_250)
    }

    @Test func `S-170 F-098 an order whose end is unknown takes no second payment`() throws {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: true)
        shop.emulator.cutBackOffice()
        let (name, refusal) = try shop.run { () async throws -> (String, String) in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let name = try await shop.take(1_250, "o1", with: pointOfSale).name
            do {
                return (name, try await shop.take(1_250, "o1", with: pointOfSale).name)
            } catch {
                return (name, "\(error)")
            }
        }
        #expect(name == "unresolved")
        #expect(refusal.contains("open attempt"))
        #expect(shop.charged == 1_250)
    }

    @Test func `N-017 without the books a lost answer is unresolved, and found later`() throws {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: true)
        shop.emulator.cutBackOffice()
        let names = try shop.run {
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let told = try await shop.take(1_250, "o1", with: pointOfSale)
            shop.emulator.host.faults.clear()
            guard let payment = await pointOfSale.unresolved.first else { return [told.name] }
            return [told.name, await pointOfSale.resolve(payment).name]
        }
        #expect(names == ["unresolved", "approved"])
        #expect(shop.charged == 1_250)
    }

    @Test func `N-028 the first sale's transfer does not settle a second one of the same price`()
        throws
    {
        let shop = FinixShop()
        let names = try shop.run {
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            let first = try await shop.take(1_250, "o1", with: pointOfSale)
            try await pointOfSale.prepare()
            shop.emulator.loseNextPayment(booked: false)
            let second = try await shop.take(1_250, "o2", with: pointOfSale)
            return [first.name, second.name]
        }
        #expect(names == ["approved", "unresolved"])
        #expect(shop.charged == 1_250)
    }

    @Test(arguments: [-7_200.0, 7_200])
    func `N-029 a clock that was wrong during the payment does not hide its record`(
        skew: Double
    ) throws {
        let shop = FinixShop()
        shop.emulator.loseNextPayment(booked: true)
        shop.emulator.cutBackOffice()
        let names = try shop.run {
            let wrong = try await shop.open(skew: skew)
            try await wrong.prepare()
            let told = try await shop.take(1_250, "o1", with: wrong)
            shop.emulator.host.faults.clear()
            try await shop.world.environment.clock.sleep(for: .seconds(3 * 3_600))
            let right = try await shop.open()
            return [told.name] + (await right.resolve("o1")).map(\.name)
        }
        #expect(names == ["unresolved", "unresolved"])
    }

    @Test func `F-094 a pending payment is never told as paid`() throws {
        let shop = FinixShop()
        shop.emulator.leavePending(until: .seconds(600), succeeds: true)
        #expect(try shop.sale().name == "unresolved")
        #expect(shop.charged == 0)
    }

    @Test func `F-060 a start without a session is failed and reports no phase`() throws {
        let shop = FinixShop()
        let told = try shop.run {
            try await shop.take(1_250, "o1", with: try await shop.open())
        }
        #expect(told.name == "failed notPrepared")
        #expect(told.phases == ["started", "notPrepared"])
    }

    @Test func `S-001 one payment two hundred times with one seed gives one trace`() throws {
        func trace(schedule: UInt64?) throws -> (String, String) {
            let shop = FinixShop(seed: 5, schedule: schedule)
            let name = try shop.sale().name
            return (shop.world.time.trace.text, name)
        }
        let first = try trace(schedule: nil)
        for _ in 0..<200 { #expect(try trace(schedule: nil) == first) }
        for schedule in UInt64(0)..<40 { #expect(try trace(schedule: schedule).1 == "approved") }
    }
}

extension Resolution {
    var name: String {
        switch self {
        case .payment(let outcome): outcome.name
        case .followUp(let outcome): outcome.name
        }
    }
}
