import Foundation
import Testing

@testable import PaymentCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite struct JournalOpeningTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    @Test(arguments: [
        ("", "no path of a file"), ("sub/", "no path of a file"), ("sub", "is a directory"),
        ("absent/till.journal", "does not exist"), ("plain/till.journal", "not a directory"),
        ("a\0b", "no path of a file"), ("pipe", "is no regular file"),
        (String(repeating: "n", count: 300), "file name too long"),
    ])
    func `N-026 says why a place can hold no journal`(name: String, problem: String) async throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder.path)/sub", withIntermediateDirectories: true)
        try Data("text".utf8).write(to: URL(filePath: "\(folder.path)/plain"))
        #expect(mkfifo("\(folder.path)/pipe", 0o600) == 0)
        let path = name.isEmpty ? "" : "\(folder.path)/\(name)"
        let error = await #expect(throws: JournalError.self) {
            try await FileAttemptJournal.open(path: path, environment: .live)
        }
        #expect(error?.description.contains(problem) == true, "\(error?.description ?? "")")
        #expect(
            Set(try manager.contentsOfDirectory(atPath: folder.path)) == ["sub", "plain", "pipe"]
        )
    }

    @Test func `N-020 says that a folder or a file is read-only`() async throws {
        try await folder.fill(JournalSamples.five)
        chmod(folder.journal, 0o444)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        // The superuser may write anywhere, so that a child process becomes somebody else.
        await #expect(processExitsWith: .success) { [folder = folder.path as String] in
            if geteuid() == 0 { #expect(setuid(65_534) == 0) }
            for name in ["till.journal", "new.journal"] {
                let error = await #expect(throws: JournalError.self) {
                    try await FileAttemptJournal.open(path: "\(folder)/\(name)", environment: .live)
                }
                #expect(error?.description.contains("permission denied") == true)
            }
        }
    }

    @Test func `N-027 refuses a second journal in the same process`() async throws {
        let first = try await folder.open()
        #expect(await folder.refusal()?.contains("in use by this process") == true)
        // Another name of the same file is the same journal.
        let link = "\(folder.path)/link.journal"
        try FileManager.default.linkItem(atPath: folder.journal, toPath: link)
        await #expect(throws: JournalError.self) {
            try await FileAttemptJournal.open(path: link, environment: .live)
        }
        _ = try await first.begin(JournalSamples.five[0])
        await first.close()
        #expect(await folder.refusal() == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.journal + ".lock"))
    }

    @Test func `N-027 lets go of a journal that nobody keeps`() async throws {
        // Elsewhere the journal's own thread may keep it for a moment longer.
        var environment = PaymentEnvironment.live
        environment.executor = ImmediateExecutor()
        _ = try await FileAttemptJournal.open(path: folder.journal, environment: environment)
        #expect(await folder.refusal() == nil)
    }

    // FC-128
    @Test func `N-027 refuses a second process and names the first`() async throws {
        let journal = try await folder.open()
        await #expect(processExitsWith: .success) {
            [path = folder.journal as String, holder = getpid() as Int32] in
            let error = await #expect(throws: JournalError.self) {
                try await FileAttemptJournal.open(path: path, environment: .live)
            }
            #expect(error?.description.contains("in use by process \(holder) (") == true)
        }
        await journal.close()
    }

    // FC-128
    @Test func `N-027 opens after the holder was killed`() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.journal as String] in
            let journal = try await FileAttemptJournal.open(path: path, environment: .live)
            _ = try await journal.begin(JournalSamples.five[0])
            kill(getpid(), SIGKILL)
        }
        #expect(FileManager.default.fileExists(atPath: folder.journal + ".lock"))
        #expect(try await folder.attempts().map(\.isOpen) == [true])
    }

    @Test func `N-026 proposes a place by convention and creates its folders`() async throws {
        #expect(
            FileAttemptJournal.defaultPath(program: "checkout").hasSuffix(
                "/checkout/payments.journal"
            )
        )
        for program in ["", ".", "..", "a/../b"] {
            let parts = FileAttemptJournal.defaultPath(program: program).split(separator: "/")
            #expect(!parts.contains("..") && !parts.contains("."))
        }
    }

    #if os(Linux)
        @Test func `N-026 keeps to the state folder of the environment`() async throws {
            await #expect(processExitsWith: .success) { [folder = folder.path as String] in
                setenv("XDG_STATE_HOME", "\(folder)/deep/state", 1)
                let path = FileAttemptJournal.defaultPath(program: "checkout")
                #expect(path == "\(folder)/deep/state/checkout/payments.journal")
                let journal = try await FileAttemptJournal.open(path: path, environment: .live)
                await journal.close()
                #expect(FileManager.default.fileExists(atPath: path))
                setenv("XDG_STATE_HOME", "relative", 1)
                setenv("HOME", "/home/ada", 1)
                #expect(
                    FileAttemptJournal.defaultPath(program: "checkout")
                        == "/home/ada/.local/state/checkout/payments.journal"
                )
            }
        }
    #endif
}
