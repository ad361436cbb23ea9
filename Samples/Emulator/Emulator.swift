import AcquirerSimulation
import CommandLineSupport
import PaymentTransport

/// Serves the emulated acquirers on this machine, for clients in any language.
@main struct Emulator {
    static func main() {
        // A reader that has gone away must not end the acquirers.
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitCode {
        let read = words.prefix { $0 != "--" }
        if read.contains("--help") || read.contains("-h") || words.first == "help" {
            Terminal.write(EmulatorOptions.help, to: 1)
            return .success
        }
        if read.contains("--version") {
            Terminal.write("emulator \(Program.version)", to: 1)
            return .success
        }
        do throws(UsageError) {
            return serve(try EmulatorOptions(words))
        } catch {
            return fail(.usage, error.description + "; emulator --help tells more")
        }
    }

    private static func serve(_ options: EmulatorOptions) -> ExitCode {
        let acquirers: EmulatedAcquirers
        do throws(KeptWorldError) {
            acquirers = try EmulatedAcquirers(options)
        } catch {
            return fail(.cannotRecord, error.description)
        }
        let server: LoopbackServer
        do throws(LoopbackServerError) {
            server = try LoopbackServer(port: options.port, address: options.address)
        } catch {
            return fail(.unavailable, error.description)
        }
        let signals = StopSignals { server.stop() }
        Terminal.write("listening on \(server.origin)", to: 1)
        server.serve { request in
            let reply = acquirers.answer(request)
            if options.logs { log("\(request)", reply) }
            return reply
        }
        signals.cancel()
        if let problem = acquirers.keep() { return fail(.cannotRecord, problem) }
        return .success
    }

    /// Method, path and what was done; never a header or a body.
    private static func log(_ request: String, _ reply: LoopbackReply) {
        let end =
            switch reply {
            case .answer(let response), .later(let response, _): "\(response.status)"
            case .cut: "cut"
            case .silence: "silence"
            }
        Terminal.write("\(request) \(end)", to: 2)
    }

    private static func fail(_ code: ExitCode, _ problem: String) -> ExitCode {
        Terminal.write("emulator: \(problem)", to: 2)
        return code
    }
}
