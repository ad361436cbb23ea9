public import ReaderSimulation
public import Simulation
import Synchronization

/// Plays one scenario with one client, and checks what must hold.
public struct ScenarioRun: Sendable {
    private let scenario: Scenario
    private let seed: UInt64
    private let schedule: UInt64?
    private let client: any ScenarioClient
    private let keepsTrace: Bool

    /// Prepares a run.
    ///
    /// - Parameters:
    ///   - scenario: The scenario.
    ///   - seed: What all chance follows from; the scenario's own without.
    ///   - schedule: Picks the order of what could happen at once; first come, first served without.
    ///   - client: The program under test.
    ///   - keepsTrace: Whether a trace is kept.
    public init(
        _ scenario: Scenario,
        seed: UInt64? = nil,
        schedule: UInt64? = nil,
        client: any ScenarioClient = ReferenceClient(),
        keepsTrace: Bool = true
    ) {
        self.scenario = scenario
        self.seed = seed ?? scenario.seed
        self.schedule = schedule
        self.client = client
        self.keepsTrace = keepsTrace
    }

    /// Plays it.
    ///
    /// - Parameter driving: At which pace, and who may act in between.
    /// - Returns: What came of it.
    public func play(driving: Driving = Driving()) -> ScenarioReport {
        let stage = ScenarioStage(scenario, seed: seed, schedule: schedule)
        stage.world.time.trace.isKept = keepsTrace
        return stage.play(client, driving: driving)
    }
}

/// Everything that one run of a scenario needs.
final class ScenarioStage: Sendable {
    let scenario: Scenario
    let world: SimulatedWorld
    let desk: SubmissionDesk
    let journal = ClientJournal()
    private let director: ScenarioDirector
    private let tokens: ScenarioTokenSource
    private let schedule: UInt64?
    private let heard = Mutex<[ReaderEvent]>([])
    private let launchRequests = AsyncStream<Void>.makeStream()
    private let process = Mutex(ProcessState())

    /// What is wanted of the app's process.
    private enum Wish {
        case end
        case cancel
    }

    private struct ProcessState {
        var wishes: AsyncStream<Wish>.Continuation?
        var givesUp: VirtualClock.Scheduled?
    }

    init(_ scenario: Scenario, seed: UInt64, schedule: UInt64?) {
        self.scenario = scenario
        self.schedule = schedule
        world = SimulatedWorld(
            time: SimulatedTime(seed: seed, scheduleSeed: schedule),
            device: scenario.device
        )
        desk = SubmissionDesk(world: world)
        director = ScenarioDirector(scenario, world: world, desk: desk)
        let control = world.device.control
        tokens = ScenarioTokenSource(
            control: control,
            script: scenario.tokens,
            merchant: scenario.merchant,
            clock: world.time.clock,
            counter: TokenCounter()
        )
        control.audit = ReaderAudit()
        director.arm()
        control.processHooks = ProcessHooks(
            ended: { [weak self] in self?.processEnded() },
            relaunch: { [weak self] in self?.launchRequests.continuation.yield() },
            merchantCancels: { [weak self] in self?.wish(.cancel) }
        )
        launchRequests.continuation.yield()
    }

    func play(_ client: any ScenarioClient, driving: Driving) -> ScenarioReport {
        var problems: [String] = []
        do throws(SimulationStop) {
            try world.time.run(scenario.name, driving: driving) { [self] in
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await self.director.play() }
                    await self.launches(of: client)
                    group.cancelAll()
                }
            }
            // What was under way at the end, such as a sheet that closes, comes to its own end.
            settle()
        } catch {
            problems.append("I-1 \(error)")
        }
        return ScenarioReport(self, problems: problems)
    }

    private func settle() {
        let end = world.time.clock.now.offset + .seconds(3_600)
        while world.time.step(until: end) {}
    }

    private func wish(_ wish: Wish) { process.withLock { _ = $0.wishes?.yield(wish) } }

    private func processEnded() {
        // Whatever an ended process still writes or sends is dropped.
        journal.begin(process: -1)
        wish(.end)
        // An app that nobody launches again has sold its last.
        let requests = launchRequests.continuation
        let givesUp = world.time.clock.schedule(after: .seconds(3_600)) { requests.finish() }
        process.withLock { $0.givesUp = givesUp }
    }

    /// Launches the app as often as it is wanted, until it has come to its own end.
    private func launches(of client: any ScenarioClient) async {
        var isFirst = true
        for await _ in launchRequests.stream {
            process.withLock { $0.givesUp }?.cancel()
            // The world has begun the first process itself.
            let reader = isFirst ? world.reader : SimulatedReader(device: world.device)
            isFirst = false
            if await run(client, on: reader) { return }
        }
    }

    /// Runs one process.
    ///
    /// - Returns: Whether it came to its own end.
    private func run(_ client: any ScenarioClient, on reader: SimulatedReader) async -> Bool {
        let number = world.device.control.launches
        journal.begin(process: number)
        let control = world.device.control
        let seat = ClientSeat(
            reader: reader,
            tokens: tokens,
            desk: desk,
            journal: ClientJournal.Pen(journal: journal, process: number),
            clock: world.time.clock,
            sale: scenario.sale,
            merchant: scenario.merchant,
            isForeground: { control.state.isForeground }
        )
        reader.subscribe { [weak self] event in self?.heard.withLock { $0.append(event) } }
        let (wishes, continuation) = AsyncStream<Wish>.makeStream()
        process.withLock { $0.wishes = continuation }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await client.run(seat)
                return true
            }
            group.addTask { await Self.fulfil(wishes, reader) }
            let isDone = await group.next() ?? false
            continuation.finish()
            group.cancelAll()
            // An app that was ended in its last moment has not come to an end of its own.
            return isDone && seat.journal.isInUse
        }
    }

    /// Passes the merchant's cancels on, until the process is to end.
    ///
    /// - Returns: False, since the app has not come to its own end.
    private static func fulfil(_ wishes: AsyncStream<Wish>, _ reader: SimulatedReader) async -> Bool
    {
        await withTaskGroup(of: Void.self) { group in
            for await wish in wishes {
                if wish == .end { break }
                group.addTask { _ = await reader.cancelRead() }
            }
            group.cancelAll()
        }
        return false
    }

    /// The events that the app heard.
    var events: [ReaderEvent] { heard.withLock { $0 } }

    /// What was never reached, met or asked for.
    var unused: [String] { director.unused }
}
