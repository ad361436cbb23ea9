import Foundation
import Synchronization

@testable import PaymentCore

/// A folder of a test's own, removed with it.
final class TestFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory
            .appending(path: "journal-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var journal: String { "\(path)/till.journal" }

    func write(_ bytes: some Collection<UInt8>) throws {
        try Data(bytes).write(to: URL(filePath: journal))
    }

    func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(filePath: journal))) }

    /// The lines of the journal, without what a file that is open is filled up with.
    func lines() throws -> [[UInt8]] {
        try bytes().split(separator: UInt8(ascii: "\n")).filter { $0.first != 0 }.map(Array.init)
    }

    func open(
        disk: JournalDisk = .system,
        keeping kept: Int = AttemptBook.keptInMemory
    ) async throws(JournalError) -> FileAttemptJournal {
        try await .open(path: journal, environment: .live, disk: disk, keeping: kept)
    }

    /// Writes a whole journal and closes it; its bytes.
    @discardableResult
    func fill(_ entries: [JournalEntry]) async throws -> [UInt8] {
        let journal = try await open()
        try await journal.append(entries)
        await journal.close()
        return try bytes()
    }

    /// The attempts that a fresh opening finds.
    func attempts() async throws -> [AttemptBook.Attempt] {
        let journal = try await open()
        let attempts = journal.read { $0.all }
        await journal.close()
        return attempts
    }

    /// Why a fresh opening fails; nil when it does not.
    func refusal() async -> String? {
        do throws(JournalError) {
            await (try open()).close()
            return nil
        } catch {
            return error.description
        }
    }
}

/// A medium that fails as a test says.
final class ScriptedDisk: Sendable {
    struct Script {
        /// How long a file may become.
        var room: Int64?
        /// Which writes fail, counted from one.
        var failingWrites: Set<Int> = []
        var failsToSync = false
        var failsToTruncate = false
        var beforeSync: @Sendable () -> Void = {}
        var writes = 0
        var syncs = 0
    }

    let script = Mutex(Script())

    var disk: JournalDisk {
        JournalDisk(
            write: { [self] file, bytes, offset throws(SystemError) in
                let room = script.withLock { script -> Int64 in
                    script.writes += 1
                    if script.failingWrites.contains(script.writes) { return 0 }
                    return script.room.map { $0 - offset } ?? .max
                }
                guard room > 0 else { throw .noSpace }
                let part = bytes.prefix(Int(min(room, Int64(bytes.count))))
                return try JournalDisk.system.write(file, part, offset)
            },
            sync: { [self] file throws(SystemError) in
                let (fails, before) = script.withLock { script in
                    script.syncs += 1
                    return (script.failsToSync, script.beforeSync)
                }
                before()
                if fails { throw .inputOutput }
                try JournalDisk.system.sync(file)
            },
            truncate: { [self] file, size throws(SystemError) in
                if script.withLock({ $0.failsToTruncate }) { throw .inputOutput }
                try JournalDisk.system.truncate(file, size)
            }
        )
    }

    func change(_ body: @Sendable (inout Script) -> Void) {
        script.withLock { body(&$0) }
    }
}

/// Makes an environment one in which journals write on the calling job.
final class ImmediateExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
