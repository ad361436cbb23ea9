import AcquirerSimulation
import CommandLineSupport
import PaymentTransport

/// Serves the emulated acquirers on this machine, for clients in any language.
@main struct Emulator {
    private static let program = ServerProgram(
        EmulatorOptions.syntax,
        details: [
            "Revolut's paths are /api/…; every other path is Finix's, but for /_emu/, from which the",
            "emulator is controlled.",
        ],
        more: ["Controls:"] + Table.lines(EmulatorControls.rows) + [
            "", "Exit codes: 0 stopped, 64 wrong command line, 69 the port cannot be had,",
            "73 the ledger's file cannot be read or written.",
        ]
    )

    static func main() {
        program.main { (words) throws(UsageError) in serve(try EmulatorOptions(words)) }
    }

    private static func serve(_ options: EmulatorOptions) -> ExitCode {
        let acquirers: EmulatedAcquirers
        do throws(KeptWorldError) {
            acquirers = try EmulatedAcquirers(options)
        } catch {
            return program.fail(.cannotRecord, error.description)
        }
        let server: LoopbackServer
        do throws(LoopbackServerError) {
            server = try LoopbackServer(port: options.port, address: options.address)
        } catch {
            return program.fail(.unavailable, error.description)
        }
        let signals = StopSignals { server.stop() }
        Terminal.write("listening on \(server.origin)", to: 1)
        server.serve { request in
            let reply = acquirers.answer(request)
            if options.logs { log("\(request)", reply) }
            return reply
        }
        signals.cancel()
        if let problem = acquirers.keep() { return program.fail(.cannotRecord, problem) }
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
}
