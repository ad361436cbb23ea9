import AcquirerSimulation
import CommandLineSupport
import PaymentCore
import PaymentTransport

/// The app's own back end, in small: grants each order to one attempt of one till.
@main struct Backend {
    static func main() {
        // A till that has gone away must not end the back end.
        signal(SIGPIPE, SIG_IGN)
        exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ words: [String]) -> ExitCode {
        let read = words.prefix { $0 != "--" }
        if read.contains("--help") || read.contains("-h") || words.first == "help" {
            Terminal.write(BackendOptions.help, to: 1)
            return .success
        }
        if read.contains("--version") {
            Terminal.write("backend \(Program.version)", to: 1)
            return .success
        }
        do throws(UsageError) {
            return serve(try BackendOptions(words))
        } catch {
            return fail(.usage, error.description + "; backend --help tells more")
        }
    }

    private static func serve(_ options: BackendOptions) -> ExitCode {
        let claims: any OrderClaims
        do throws(ClaimFileError) {
            claims = if let path = options.claims { try ClaimFile(path) } else { OrderClaimTable() }
        } catch {
            return fail(.cannotRecord, error.description)
        }
        let server: LoopbackServer
        do throws(LoopbackServerError) {
            server = try LoopbackServer(port: options.port)
        } catch {
            return fail(.unavailable, error.description)
        }
        let token = options.token
        let service = RemoteOrderClaimsService(claims) { given in
            given.reveal() == token ? options.accounts : nil
        }
        let signals = StopSignals { server.stop() }
        Terminal.write("listening on \(server.origin)", to: 1)
        BlockingWork.wait {
            await server.run { request in
                let response = await service.answer(request)
                if options.logs { Terminal.write("\(request) \(response.status)", to: 2) }
                return .answer(response)
            }
        }
        signals.cancel()
        return .success
    }

    private static func fail(_ code: ExitCode, _ problem: String) -> ExitCode {
        Terminal.write("backend: \(problem)", to: 2)
        return code
    }
}
