import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct RemoteRoundTripTests {
    @Test func `N-025 any listing and query survive the way to the phone`() throws {
        for seed in UInt64(0)..<300 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            let listing = try anything.listing()
            script.listing = .success(listing)
            let query = anything.query()
            let pair = RemotePair(script)
            #expect(try pair.records(query) == .success(listing), "seed \(seed)")
            #expect(pair.books.asked.queries == [query], "seed \(seed)")
        }
    }

    @Test func `N-025 any error of the acquirer's survives the way to the phone`() throws {
        for seed in UInt64(0)..<100 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            let error = anything.error()
            script.listing = .failure(error)
            #expect(try RemotePair(script).records(anything.query()) == .failure(error))
        }
    }

    @Test func `N-011 any answer to a capture, void or refund survives, and so does the question`()
        throws
    {
        for seed in UInt64(0)..<300 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            script.perform = try anything.backOfficeAnswer()
            let attempt = try anything.attempt()
            let pair = RemotePair(script)
            let answer = try pair.run { await $0.perform(attempt) }
            #expect(answer.parts == script.perform.parts, "seed \(seed)")
            #expect(pair.books.asked.attempts.map(\.parts) == [attempt.parts], "seed \(seed)")
        }
    }

    @Test func `N-018 any answer to closing survives, and so does the question`() throws {
        for seed in UInt64(0)..<200 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            script.close = try anything.closeAnswer()
            let reference = anything.reference()
            let pair = RemotePair(script)
            let answer = try pair.run { await $0.close(reference) }
            #expect(answer.parts == script.close.parts, "seed \(seed)")
            #expect(pair.books.asked.closed == [reference], "seed \(seed)")
        }
    }

    @Test func `N-011 any answer to linking survives, and so does the question`() throws {
        for seed in UInt64(0)..<200 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            script.link = anything.linkAnswer()
            let attempt = try anything.attempt()
            let pair = RemotePair(script)
            let answer = try pair.run { await $0.link(for: attempt) }
            #expect(answer.parts == script.link.parts, "seed \(seed)")
            #expect(pair.books.asked.attempts.map(\.parts) == [attempt.parts], "seed \(seed)")
        }
    }

    @Test func `N-029 any capabilities survive the way to the phone`() throws {
        for seed in UInt64(0)..<100 {
            var anything = Anything(seed: seed)
            var script = ScriptedBackOffice.Script()
            script.capabilities = anything.capabilities()
            let told = try RemotePair(script).run { try? await $0.remoteCapabilities() }
            #expect(told == script.capabilities, "seed \(seed)")
        }
    }

    @Test(arguments: [0.0, 0.1, 799_999_999.999_999_9, -0.000_001, -63_113_903_999.5])
    func `N-029 a time comes back as it was`(seconds: Double) throws {
        var script = ScriptedBackOffice.Script()
        let time = Date(timeIntervalSinceReferenceDate: seconds)
        let listing = RecordListing(
            records: [],
            isComplete: true,
            account: RemotePair.account,
            acquirerTime: time
        )
        script.listing = .success(listing)
        var anything = Anything(seed: 1)
        let told = try RemotePair(script).records(anything.query()).get().acquirerTime
        #expect(abs((told ?? .distantFuture).timeIntervalSince(time)) < 1e-8)
    }
}
