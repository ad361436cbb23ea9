import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct AccountTests {
    private func relink(_ world: TestWorld) throws -> ReaderError? {
        try world.time.run { [reader = world.reader] in
            await failure { () throws(ReaderError) in try await reader.relink(token: token) }
        }
    }

    @Test func `S-039 linking with another account ends the session`() throws {
        let world = try TestWorld().prepared()
        #expect(try relink(world) == nil)
        #expect(
            world.takeEvents() == [.linkSheetShown, .termsAccepted, .sessionEnded(.revoked)]
        )
        #expect(world.control.state.phase == .linked)
        #expect(try world.prepare() == nil)
    }

    @Test func `S-039 who was never linked cannot be linked again`() throws {
        let world = TestWorld(.init())
        #expect(try relink(world) == ReaderError(.accountNotLinked))
        #expect(world.events.isEmpty)
    }

    @Test func `S-042 S-043 on a second device the merchant is linked without a sheet`() throws {
        let time = SimulatedTime(seed: 1)
        let first = SimulatedDevice(time: time)
        let heard = Heard()
        let reader = SimulatedReader(device: first)
        reader.subscribe { heard.add($0) }
        let error = try time.run {
            await failure { () throws(ReaderError) in try await reader.link(token: token) }
        }
        #expect(error == nil)
        let second = SimulatedDevice(
            time: time,
            configuration: .init(linkedMerchants: first.control.linkedMerchants)
        )
        let other = SimulatedReader(device: second)
        other.subscribe { heard.add($0) }
        let again = try time.run {
            await failure { () throws(ReaderError) in try await other.link(token: token) }
        }
        #expect(again == nil)
        #expect(heard.all == [.linkSheetShown, .termsAccepted])
    }

    @Test func `S-044 a fourth merchant in a day is blocked, and a day later is not`() throws {
        let merchants = (1...4).map { "merchant-\($0)" }
        let world = TestWorld(.init(linkedMerchants: Set(merchants), configured: 100))
        let tokens = merchants.map { ReaderToken(text: $0, merchant: $0) }
        for token in tokens.prefix(3) { #expect(try world.prepare(token) == nil) }
        #expect(try world.prepare(tokens[3]) == ReaderError(.merchantBlocked))
        #expect(try world.prepare(tokens[0]) == nil)
        world.time.advance(by: .seconds(24 * 3_600))
        #expect(try world.prepare(tokens[3]) == nil)
    }

    @Test func `S-016 two devices in one simulation know nothing of each other`() throws {
        let time = SimulatedTime(seed: 1)
        let one = SimulatedDevice(time: time, configuration: .init(linkedMerchants: ["a"]))
        let two = SimulatedDevice(time: time)
        one.control.background()
        one.control.networkDown()
        #expect(two.control.state.isForeground)
        #expect(two.control.linkedMerchants.isEmpty)
    }

    @Test func `S-071 the reader's name may change with the next process`() throws {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"])
        device.traits.changesIdentifier = true
        let world = TestWorld(device)
        func name(of reader: SimulatedReader) throws -> String? {
            try world.time.run { try? await reader.readerIdentifier() }
        }
        let before = try name(of: world.reader)
        let after = try name(of: SimulatedReader(device: world.device))
        #expect(before != nil && after != nil && before != after)
    }

    @Test func `S-109 a phone gives passes alone, a card alone, or both`() throws {
        let world = try TestWorld().prepared()
        let pass = LoyaltyPass(merchant: "pass.shop", content: "member")
        world.control.carryPasses([pass])
        world.control.alwaysThisCard = phone
        func passes(_ merchants: [String]) throws -> Result<[LoyaltyPass], ReaderError> {
            try world.time.run { [reader = world.reader] in
                do throws(ReaderError) {
                    return .success(try await reader.readPasses(of: merchants))
                } catch {
                    return .failure(error)
                }
            }
        }
        #expect(try passes(["pass.shop"]).get() == [pass])
        #expect(try world.read().get().passes.isEmpty)
        let both = ReadRequest(
            kind: .purchase,
            minorUnits: 100,
            currency: "EUR",
            passMerchants: ["pass.shop"]
        )
        #expect(try world.read(both).get().passes == [pass])
        #expect(try passes(["pass.other"]) == .failure(ReaderError(.loyaltyReadFailed)))
        for wrong in [[], ["shop"], ["pass.a", "pass.a"]] {
            #expect(try passes(wrong) == .failure(ReaderError(.invalidLoyaltyRequest)))
        }
    }

    private func status(_ world: TestWorld, at moment: @escaping @Sendable () -> Void = {}) throws
        -> ReaderError?
    {
        try world.time.run { [reader = world.reader] in
            async let error = failure { () throws(ReaderError) in
                _ = try await reader.linkStatus(token: token)
            }
            try? await world.time.clock.sleep(for: .milliseconds(100))
            moment()
            return await error
        }
    }

    @Test func `D-2 a status that the background falls into is interrupted`() throws {
        let world = TestWorld()
        let error = try status(world) { world.control.background() }
        #expect(error?.code == .interrupted && error?.payloadMayExist == false)
        let short = TestWorld()
        #expect(
            try status(short) {
                short.control.background()
                short.control.foreground()
            }?.code == .interrupted
        )
    }

    @Test func `E-27 a status that is asked in the background is refused, whatever follows`() throws
    {
        let world = TestWorld()
        world.control.background()
        #expect(try status(world) { world.control.foreground() } == ReaderError(.appInBackground))
    }

    @Test func `S-031 without the entitlement the first call says so, whichever it is`() throws {
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["merchant-1"], configured: 100)
        device.traits.entitlement = .missing
        #expect(try status(TestWorld(device)) == ReaderError(.notEntitled))
        #expect(try TestWorld(device).prepare() == ReaderError(.notEntitled))
    }
}
