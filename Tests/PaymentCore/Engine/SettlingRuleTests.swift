import Testing

@testable import PaymentCore

@Suite struct SettlingRuleTests {
    static let mine = SettlingCase.id.description

    @Test func `N-028 the attempt's own marker is evidence, on any device and at any time`() throws
    {
        let own = record(at: after(-9_000), device: "other", marker: Self.mine)
        #expect(try SettlingCase(own, record("R2", at: after(3))).verdict() == "found R1")
    }

    @Test func `N-028 the attempt's own reference is evidence, also as a record's other name`()
        throws
    {
        var aliased = record("R9", at: after(3), device: nil)
        aliased.otherReferences = [AcquirerReference(kind: "payment", value: "R1")]
        for found in [record(at: after(3), device: nil), aliased] {
            var sale = SettlingCase(found)
            sale.add(.noted(AcquirerReference(kind: "payment", value: "R1")))
            #expect(try sale.verdict() == "found \(found.reference.value)")
        }
    }

    @Test func `N-028 the sole unclaimed record of the device is evidence`() throws {
        #expect(try SettlingCase(record(at: after(3))).verdict() == "found R1")
    }

    @Test(arguments: [
        (record(at: after(3), device: nil), "ambiguous 1"),
        (record(at: after(3), device: "other"), "notYet"),
        (record("R1", .succeeded, 999, at: after(3)), "ambiguous 1"),
        (record("R1", .succeeded, 999, at: after(3), device: nil), "notYet"),
        (record(at: after(-6)), "ambiguous 1"), (record(at: after(-200)), "notYet"),
        (record(at: after(301)), "ambiguous 1"), (record(at: after(500)), "notYet"),
        (record(kind: .refund, at: after(3)), "notYet"),
    ])
    func `N-028 amount and time alone are put to a person`(
        found: AcquirerRecord,
        verdict: String
    ) throws {
        #expect(try SettlingCase(found).verdict() == verdict)
    }

    @Test func `N-028 a record without a device makes the device's own one doubtful`() throws {
        let sale = SettlingCase(record(at: after(3)), record("R2", at: after(4), device: nil))
        #expect(try sale.verdict() == "ambiguous 2")
    }

    @Test func `N-028 an attempt that knows no device overlooks no record of its amount`() throws {
        var sale = SettlingCase(record(at: after(3)), device: nil)
        sale.now = after(400)
        #expect(try sale.verdict() == "ambiguous 1")
    }

    @Test func `N-028 the attempt's own record of another kind is never absent`() throws {
        var hold = SettlingCase(record(at: after(3), marker: Self.mine), kind: .authorization)
        hold.now = after(400)
        #expect(try hold.verdict() == "ambiguous 1")
    }

    @Test func `N-028 a claimed record settles nobody else`() throws {
        var sale = SettlingCase(record(at: after(3)))
        sale.begin("other", order: "o2")
        sale.add(.noted(AcquirerReference(kind: "payment", value: "R1")), to: "other")
        #expect(try sale.verdict() == "notYet")
    }

    // FC-064
    @Test func `N-028 a reference of an earlier payment is no evidence for a later one`() throws {
        var sale = SettlingCase(record(at: after(-60)))
        let reference = AcquirerReference(kind: "payment", value: "R1")
        sale.begin("other", order: "o2", at: after(-61))
        sale.add(.noted(reference), to: "other", at: after(-60))
        sale.add(.noted(reference))
        #expect(try sale.verdict() == "notYet")
    }

    @Test func `N-028 a record that carries another attempt's marker is that one's`() throws {
        var sale = SettlingCase(record(at: after(3), marker: "other"))
        sale.begin("other", order: "o2")
        #expect(try sale.verdict() == "notYet")
    }

    @Test(arguments: [
        (1_000, "till", "ambiguous 1"), (900, "till", "found R1"), (1_000, "elsewhere", "found R1"),
        (1_000, nil, "ambiguous 1"), (1_500, "till", "ambiguous 1"),
    ])
    func `N-028 a record that another open attempt could claim is put to a person`(
        amount: Int64,
        device: String?,
        verdict: String
    ) throws {
        var sale = SettlingCase(record(at: after(3)))
        sale.begin("other", order: "o2", amount, at: after(-20), device: device)
        #expect(try sale.verdict() == verdict)
    }

    @Test func `N-028 the acquirer's amount asked tells a partial approval from another sale`()
        throws
    {
        var found = record("R1", .succeeded, 400, at: after(3))
        found.amountRequested = .usd(1_000)
        var sale = SettlingCase(found)
        sale.begin("other", order: "o2", 400, at: after(-20))
        #expect(try sale.verdict() == "found R1")
    }

    @Test
    func `N-028 a decline that an earlier attempt left without a reference is not this one's`()
        throws
    {
        let refused = AcquirerRecord.State.declined(Decline(.insufficientFunds))
        for (state, verdict) in [(refused, "ambiguous 1"), (.succeeded, "found R1")] {
            var sale = SettlingCase(record("R1", state, at: after(-2)))
            sale.begin("other", order: "o1", at: after(-8))
            sale.add(.ended(.declined(Decline(.generic)), by: .vendor), to: "other", at: after(-1))
            #expect(try sale.verdict() == verdict)
        }
    }

    @Test func `N-028 an approved payment without a reference keeps its record for itself`()
        throws
    {
        var sale = SettlingCase(record(at: after(3)))
        sale.begin("other", order: "o2", at: after(-500))
        let receipt = Receipt(
            of: "other",
            began: try #require(sale.book["other"]).began,
            approval: approval(nil),
            now: after(2)
        )
        sale.add(.ended(.approved(receipt), by: .vendor), to: "other", at: after(2))
        #expect(try sale.verdict() == "ambiguous 1")
    }

    @Test(arguments: [
        (AcquirerRecord.State.payable(lastDecline: nil), "payable R1"), (.pending, "pending R1"),
        (.unknown("HELD"), "pending R1"), (.cancelled, "found R1"),
    ])
    func `N-044 a state that is not final is not an end`(
        state: AcquirerRecord.State,
        verdict: String
    ) throws {
        #expect(try SettlingCase(record("R1", state, at: after(3))).verdict() == verdict)
    }

    @Test(arguments: [
        (AcquirerRecord.State.cancelled, "pending R1"), (.succeeded, "found R1"),
        (.declined(Decline(.pin)), "pending R1"),
    ])
    func `N-035 while the vendor's call runs a record without money is not the end`(
        state: AcquirerRecord.State,
        verdict: String
    ) throws {
        var sale = SettlingCase(record("R1", state, at: after(3)))
        sale.vendorRunning = true
        #expect(try sale.verdict() == verdict)
    }

    @Test func `N-025 two records of its own are put to a person`() throws {
        let sale = SettlingCase(
            record(at: after(3), marker: Self.mine),
            record("R2", .cancelled, at: after(4), marker: Self.mine)
        )
        #expect(try sale.verdict() == "ambiguous 2")
    }
}
