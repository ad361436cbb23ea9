import AcquirerSimulation
import CommandLineSupport
import PaymentCore
import PaymentTransport

/// The app's own back end, in small: grants each order to one attempt of one till.
@main struct Backend {
    private static let program = ServerProgram(
        BackendOptions.syntax,
        details: [
            "Tills ask it with `checkout pay … --claims ORIGIN --till NAME`, and with SHOP_TOKEN in their",
            "environment where --token names another than the default.",
        ],
        more: [
            "Exit codes: 0 stopped, 64 wrong command line, 69 the port cannot be had,",
            "73 the claims' file cannot be read or written.",
        ]
    )

    static func main() {
        program.main { (words) throws(UsageError) in serve(try BackendOptions(words)) }
    }

    private static func serve(_ options: BackendOptions) -> ExitCode {
        let claims: any OrderClaims
        do throws(ClaimFileError) {
            claims = if let path = options.claims { try ClaimFile(path) } else { OrderClaimTable() }
        } catch {
            return program.fail(.cannotRecord, error.description)
        }
        let server: LoopbackServer
        do throws(LoopbackServerError) {
            server = try LoopbackServer(port: options.port)
        } catch {
            return program.fail(.unavailable, error.description)
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
}
