import Foundation

/// The contract suite of both adapters, as one command.
enum ContractBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        guard !options.isQuick else { throw Absence("not in a quick run") }
        guard FileManager.default.fileExists(atPath: "Sources/ProviderContractKit") else {
            throw Absence("no contract kit in this folder")
        }
        let words = [
            "swift", "test", "--skip-build", "--filter", "FinixContractTests|RevolutContractTests",
        ]
        let times = try await Measuring.rounds(3) {
            try Programs.whole(URL(fileURLWithPath: "/usr/bin/env"), words)
        }
        return [.limit("contract", times, .nanoseconds, 1.5e9)]
    }
}

/// From start to exit, and how large the programs are; the script beside this builds them.
enum StartBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let folder = URL(fileURLWithPath: ".build/start-and-size")
        let programs = ["hello", "reader", "bare", "checkout"].map(folder.appendingPathComponent)
        guard programs.allSatisfy({ FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            throw Absence("programs that Tests/Benchmarks/start-and-size builds")
        }
        let rounds = options.isQuick ? 2 : 21
        let reader = try await Measuring.alternate(rounds: rounds) {
            try Programs.whole(programs[1], ["--version"])
        } reference: {
            try Programs.whole(programs[0], [])
        }
        let checkout = try await Measuring.alternate(rounds: rounds) {
            try Programs.whole(programs[3], ["--version"])
        } reference: {
            try Programs.whole(programs[2], [])
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: programs[1].path)
        let size = (attributes[.size] as? NSNumber)?.doubleValue ?? 0
        return [
            .ratio("start.reader", reader, .nanoseconds, over: "a hello", atMost: 2),
            .limit("start.reader-size", [size], .bytes, 15e6),
            .ratio("start.checkout", checkout, .nanoseconds, over: "a bare hello", atMost: 1.3),
        ]
    }
}

/// Runs other programs.
enum Programs {
    /// A program in the folder of this one.
    static func beside(_ name: String) -> URL {
        let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return own.resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent(name)
    }

    /// The nanoseconds from start to exit.
    static func whole(_ program: URL, _ words: [String]) throws -> Double {
        let process = Process()
        process.executableURL = program
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let start = clock.now
        try process.run()
        process.waitUntilExit()
        let time = (clock.now - start).nanoseconds
        guard process.terminationStatus == 0 else {
            throw Unexpected("\(program.lastPathComponent) \(words.joined(separator: " ")) fails")
        }
        return time
    }

    /// The nanoseconds from start to the first output; the program is then ended.
    static func firstOutput(of program: URL, _ words: [String]) throws -> Double {
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = words
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let clock = ContinuousClock()
        let start = clock.now
        try process.run()
        let first = output.fileHandleForReading.availableData
        let time = (clock.now - start).nanoseconds
        process.terminate()
        process.waitUntilExit()
        guard !first.isEmpty else { throw Unexpected("\(program.lastPathComponent) says nothing") }
        return time
    }
}
