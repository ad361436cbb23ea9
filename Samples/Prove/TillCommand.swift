import CommandLineSupport
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import ShopSupport

/// `prove till`: one process of a till, which may be told to kill itself.
enum TillCommand {
    static let command = Command(
        CommandSyntax(
            "till",
            "be one till's process; what the proof starts and kills",
            arguments: ["pay|resolve"],
            options: [
                OptionSyntax("origin", "URL", help: "the emulator"),
                OptionSyntax("journal", "FILE", help: "the journal"),
                OptionSyntax("die", "POINT", help: "such as write-2-after or request-1-before"),
                OptionSyntax("ahead", "SECONDS", help: "how far this till's clock is ahead"),
                OptionSyntax("help", help: "print this help"),
            ]
        )
    ) { arguments throws(UsageError) in
        guard ["pay", "resolve"].contains(arguments.words[0]), let origin = arguments["origin"],
            let journal = arguments["journal"]
        else { throw UsageError("till: pay or resolve, with --origin and --journal") }
        let point = try arguments.value("die", accepted: "such as write-2-after") {
            DeathPoint($0)
        }
        let ahead = try arguments.wholeNumber("ahead", 0...10_000_000).map(Double.init) ?? 0
        let till = Till(origin: origin, journal: journal, death: Death(point), ahead: ahead)
        let told = BlockingWork.wait {
            await arguments.words[0] == "pay" ? till.pay() : till.resolve()
        }
        return Report(.success, lines: [told])
    }
}

/// A till that pays through an emulator in another process.
private struct Till: Sendable {
    let origin: String
    let journal: String
    let death: Death
    let ahead: Double
    private static let order: Order = "a"

    private func open() async throws -> PointOfSale {
        var environment = PaymentEnvironment.live
        let (wallTime, ahead) = (environment.wallTime, ahead)
        environment.wallTime = { wallTime().addingTimeInterval(ahead) }
        let (origin, death) = (origin, death)
        let factory = ProviderFactory(name: "finix") { section, environment in
            FinixConfiguration(section).map { configuration in
                let loopback = LoopbackTransport()
                let transport = DeadlyTransport(transport: loopback, death: death)
                let pair = "\(FinixEmulator.username):\(FinixEmulator.password)"
                return .finix(
                    configuration,
                    origin: origin,
                    username: Secret(FinixEmulator.username),
                    password: Secret(FinixEmulator.password),
                    transport: transport,
                    environment: environment
                ) { configuration in
                    EmulatorDriver(
                        origin: origin,
                        merchant: configuration.account.merchant,
                        device: configuration.deviceID,
                        credentials: "Basic " + Data(pair.utf8).base64EncodedString(),
                        reader: loopback,
                        transport: transport
                    )
                }
            }
        }
        let file = try await FileAttemptJournal.open(path: journal, environment: environment)
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "finix", "settling": { "patience": "1s" }, "providers": {
                      "finix": { "environment": "simulated", "merchant": "MU-demo",
                                 "merchantName": "Shop" } } }
                    """
            ),
            providers: [factory],
            journal: DeadlyJournal(file, death),
            environment: environment
        )
    }

    func pay() async -> String {
        do {
            let pointOfSale = try await open()
            let amount = try Money(minorUnits: ProofWorld.price, currency: .usd)
            let outcome = try await pointOfSale.take(.sale(amount, for: Self.order))
            return outcome.name
        } catch let refusal as PaymentRefusal {
            return "refused \(refusal.code)"
        } catch {
            return "error \(error)"
        }
    }

    /// Asks about everything that is open; says how the last attempt stands, or that there is none.
    func resolve() async -> String {
        do {
            let pointOfSale = try await open()
            _ = await pointOfSale.resolve(Self.order)
            guard let last = await pointOfSale.history(of: Self.order).last else { return "none" }
            return last.ending.map { $0.receipt == nil ? "not paid" : "paid" } ?? "unresolved"
        } catch {
            return "error \(error)"
        }
    }
}
