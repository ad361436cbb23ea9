import Testing

@testable import PaymentCore

@Suite struct AbsenceTests {
    private func absence(_ change: (inout SettlingCase) throws -> Void) throws -> String {
        var sale = SettlingCase()
        sale.now = after(301)
        try change(&sale)
        return try sale.verdict()
    }

    @Test func `N-029 absence counts from a complete listing after the window closed`() throws {
        #expect(try absence { _ in } == "absent")
        #expect(try absence { $0.now = after(299) } == "notYet")
        #expect(try absence { $0.listing.isComplete = false } == "notYet")
        #expect(try absence { $0.vendorRunning = true } == "notYet")
    }

    @Test func `N-029 another account's books prove nothing, not even by a marker`() throws {
        let other = Account(provider: "test", merchant: "M2", environment: .simulated)
        #expect(try absence { $0.listing.account = other } == "notYet")
        let verdict = try absence { sale in
            sale.listing.account = other
            sale.listing.records = [record(at: after(3), marker: SettlingRuleTests.mine)]
        }
        #expect(verdict == "notYet")
    }

    @Test func `N-029 the window runs from what happened last`() throws {
        let verdict = try absence { sale in
            sale.add(.leftOpen(.init(error: nil)), at: after(100))
        }
        #expect(verdict == "notYet")
    }

    @Test(arguments: [-10_800, -60, 60, 10_800])
    func `N-029 the acquirer's clock may be ahead or behind by hours`(seconds: Int) throws {
        var sale = SettlingCase(record(at: after(3 + seconds)))
        sale.skew = .seconds(seconds)
        #expect(try sale.verdict() == "found R1")
        #expect(try absence { $0.skew = .seconds(seconds) } == "absent")
        let early = try absence { sale in
            sale.skew = .seconds(seconds)
            sale.now = after(299)
        }
        #expect(early == "notYet")
    }

    @Test(arguments: [-7_200, 7_200])
    func `N-029 a device clock that was set between attempt and look proves no absence`(
        seconds: Int
    ) throws {
        let verdict = try absence { sale in
            let (settling, listing) = try sale.settling()
            let looked = settling.lookUp(listing, .notYet(until: nil))
            sale.add(.lookedUp(looked), at: after(20))
            sale.now = after(120 + seconds)
            sale.skew = .seconds(-seconds)
        }
        #expect(verdict == "notYet")
    }

    @Test func `N-029 a device clock that went back within the attempt proves no absence`()
        throws
    {
        let verdict = try absence { sale in
            sale.add(.leftOpen(.init(error: nil)), at: after(-3_600))
            sale.now = after(-3_000)
        }
        #expect(verdict == "notYet")
    }

    @Test func `N-029 several listings count once they span the time that is asked for`() throws {
        var sale = SettlingCase()
        sale.capabilities.absentListings = .init(count: 3, spread: .seconds(30))
        var verdicts: [String] = []
        for seconds in [200, 301, 302, 303, 331] {
            sale.now = after(seconds)
            let (settling, listing) = try sale.settling()
            let verdict = settling.verdict(from: listing, in: sale.book)
            sale.add(.lookedUp(settling.lookUp(listing, verdict)), at: sale.now)
            verdicts.append(verdict.name)
        }
        #expect(verdicts == ["notYet", "notYet", "notYet", "notYet", "absent"])
    }

    @Test func `N-029 the question covers the whole window, and a margin`() throws {
        let (settling, _) = try SettlingCase().settling()
        let span = settling.span(offsets: .zero ... .zero)
        #expect(span.lowerBound <= after(-120) && span.upperBound >= after(420))
    }
}
