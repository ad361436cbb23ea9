import Foundation
import Synchronization

/// Measures what the parts of the package cost, and says which targets are met.
///
/// The main thread only waits, so that nothing runs on the main actor and callgrind sees one path.
@main struct Bench {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let options: BenchOptions
        do {
            options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(64)
        }
        if options.showsHelp {
            print(BenchOptions.help)
            return
        }
        let code = Mutex<Int32>(70)
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let end = await run(options)
            code.withLock { $0 = end }
            done.signal()
        }
        done.wait()
        exit(code.withLock { $0 })
    }

    private static func run(_ options: BenchOptions) async -> Int32 {
        do {
            if let (name, count) = options.repeated {
                try await Repeating.run(name, count)
                return 0
            }
            if options.showsGrowth {
                try await Growth(options).print()
                return 0
            }
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            return 70
        }
        var report = Report(options)
        report.begin()
        for benchmark in Benchmark.all where options.picks(benchmark) {
            do {
                for finding in try await benchmark.run(options) { report.add(finding) }
            } catch let absence as Absence {
                report.add(.absent(benchmark.name, absence.description))
            } catch {
                report.add(.broken(benchmark.name, "\(error)"))
            }
        }
        report.end()
        return report.exitCode
    }
}
