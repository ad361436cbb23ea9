import Dispatch
import Foundation
import Synchronization
import Testing

@testable import PaymentCore

@Suite struct JournalConcurrencyTests {
    private let folder: TestFolder
    private let script = ScriptedDisk()

    init() throws { folder = try TestFolder() }

    /// Opens a journal whose next sync stays out until the gate is opened.
    private func openGated() async throws -> (FileAttemptJournal, Gate) {
        let journal = try await folder.open(disk: script.disk)
        let gate = Gate()
        script.change { $0.beforeSync = { gate.pass() } }
        return (journal, gate)
    }

    /// Starts a call that is in its sync when this returns.
    private func occupy(
        _ group: inout TaskGroup<String>,
        _ journal: FileAttemptJournal,
        _ entry: JournalEntry
    ) async {
        let before = script.syncs
        group.addTask { await journal.outcome(of: entry) }
        while script.syncs == before { await Task.yield() }
    }

    @Test func `N-020 shares one write and one sync among all that wait`() async throws {
        let (journal, gate) = try await openGated()
        let outcomes = await withTaskGroup(of: String.self) { group in
            await occupy(&group, journal, JournalSamples.began("first", order: "first"))
            for number in 0..<64 {
                let order = Order(stringLiteral: "o\(number)")
                group.addTask {
                    await journal.outcome(of: JournalSamples.began("a\(number)", order: order))
                }
            }
            // More calls wait than there are threads: none of them blocks one.
            while journal.waitingCalls < 64 { await Task.yield() }
            #expect(journal.read { $0.all.isEmpty })
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 65 && Set(outcomes) == ["begun"])
        #expect(journal.statistics == .init(writes: 2, syncs: 2, records: 65))
        #expect(try folder.lines().count == 66)
    }

    @Test func `N-021 lets one of two concurrent attempts at an order begin`() async throws {
        let (journal, gate) = try await openGated()
        let outcomes = await withTaskGroup(of: String.self) { group in
            // The first is being written, the others wait for their turn together.
            await occupy(&group, journal, JournalSamples.began("a", order: "o1"))
            for (id, order) in [("b", "o1"), ("c", "o2"), ("d", "o2"), ("e", "o2/1of2")] {
                let entry = JournalSamples.began(id, order: Order(stringLiteral: order))
                group.addTask { await journal.outcome(of: entry) }
            }
            while journal.waitingCalls < 4 { await Task.yield() }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.sorted() == ["begun", "begun", "open", "open", "open"])
        #expect(journal.statistics == .init(writes: 2, syncs: 2, records: 2))
        #expect(journal.read { $0.all.map(\.began.order.id).sorted() } == ["o1", "o2"])
    }

    @Test func `N-021 lets the next one begin when the first could not be written`() async throws {
        let (journal, gate) = try await openGated()
        script.change { $0.failingWrites = [$0.writes + 2] }
        let outcomes = await withTaskGroup(of: String.self) { group in
            await occupy(&group, journal, JournalSamples.began("a", order: "o1"))
            for id in ["b", "c", "d"] {
                group.addTask {
                    await journal.outcome(of: JournalSamples.began(id, order: "o2"))
                }
            }
            while journal.waitingCalls < 3 { await Task.yield() }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.sorted() == ["begun", "begun", "cannotRecord", "open"])
        #expect(journal.read { $0.open.count } == 2)
    }

    @Test func `N-022 gives one of two equal follow-ups the other's answer`() async throws {
        try await folder.fill(Array(JournalSamples.five[...1]))
        let (journal, gate) = try await openGated()
        let outcomes = await withTaskGroup(of: String.self) { group in
            await occupy(&group, journal, JournalSamples.began("x", order: "other"))
            for id in ["r1", "r2"] {
                let refund = JournalSamples.began(
                    id,
                    order: "o1",
                    kind: .refund,
                    followUp: "f-1",
                    parent: AttemptID("a")
                )
                group.addTask { await journal.outcome(of: refund) }
            }
            while journal.waitingCalls < 2 { await Task.yield() }
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.sorted() == ["begun", "begun", "repeated"])
        #expect(journal.read { $0.followUps(of: AttemptID("a")).count } == 1)
    }

    // FC-129
    @Test func `N-021 keeps every record whole under ten tasks`() async throws {
        let journal = try await folder.open()
        let started = await withTaskGroup(of: Int.self) { group in
            for task in 0..<10 {
                group.addTask {
                    var started = 0
                    for number in 0..<10 {
                        let id = "t\(task)n\(number)"
                        let order = Order(stringLiteral: "café-東京-\((task + number) % 5)")
                        let began = JournalSamples.began(id, order: order)
                        guard await journal.outcome(of: began) == "begun" else { continue }
                        started += 1
                        let ended = JournalSamples.entry(id, .ended(.cancelled, by: .vendor))
                        try? await journal.append([ended])
                    }
                    return started
                }
            }
            return await group.reduce(0, +)
        }
        await journal.close()
        #expect(try folder.lines().count == 1 + 2 * started)
        let attempts = try await folder.attempts()
        #expect(attempts.count == started && started > 0)
        #expect(attempts.allSatisfy { $0.history.count == 2 && $0.ending == .cancelled })
    }

    @Test func `N-020 writes what waits before it closes and refuses what comes later`()
        async throws
    {
        let (journal, gate) = try await openGated()
        await withTaskGroup(of: String.self) { group in
            await occupy(&group, journal, JournalSamples.began("a", order: "o1"))
            group.addTask { await journal.outcome(of: JournalSamples.began("b", order: "o2")) }
            while journal.waitingCalls < 1 { await Task.yield() }
            group.addTask {
                await journal.close()
                return "closed"
            }
            while journal.waitingCalls < 2 { await Task.yield() }
            gate.open()
            let outcomes = await group.reduce(into: []) { $0.append($1) }
            #expect(outcomes.sorted() == ["begun", "begun", "closed"])
        }
        await journal.close()
        let error = await #expect(throws: JournalError.self) {
            try await journal.append([JournalSamples.five[0]])
        }
        #expect(error?.description.contains("is closed") == true)
        #expect(try await folder.attempts().count == 2)
    }

    @Test func `N-043 writes on the calling job in a simulation`() async throws {
        let threads = Threads()
        script.change { $0.beforeSync = { threads.note() } }
        var environment = PaymentEnvironment.live
        environment.executor = ImmediateExecutor()
        threads.note()
        let journal = try await FileAttemptJournal.open(
            path: folder.journal,
            environment: environment,
            disk: script.disk
        )
        _ = try await journal.begin(JournalSamples.five[0])
        try await journal.append([JournalSamples.five[1]])
        await journal.close()
        #expect(threads.all.count == 5 && Set(threads.all).count == 1)
        #expect(journal.statistics == .init(writes: 2, syncs: 2, records: 2))
    }
}

extension FileAttemptJournal {
    fileprivate func outcome(of entry: JournalEntry) async -> String {
        do throws(PaymentRefusal) {
            switch try await begin(entry) {
            case .begun: return "begun"
            case .repeated: return "repeated"
            }
        } catch {
            return error.code
        }
    }
}

/// Holds whoever passes until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }
}

/// The threads that something happened on.
private final class Threads: Sendable {
    private let noted = Mutex<[ObjectIdentifier]>([])

    var all: [ObjectIdentifier] { noted.withLock { $0 } }

    func note() { noted.withLock { $0.append(ObjectIdentifier(Thread.current)) } }
}
