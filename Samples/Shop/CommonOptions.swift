public import CommandLineSupport
public import PaymentCore
public import ReaderSimulation

/// What the options say that commands share.
public struct CommonOptions: Sendable {
    /// The program that they belong to.
    public let program: SampleProgram
    /// What the command does.
    let work: CommandWork
    /// What the first Ctrl-C does to it.
    var interruption: Interrupting
    /// Where the command writes.
    public let terminal: Terminal
    /// The seed, whether it was given or drawn.
    public let seed: UInt64
    /// Virtual seconds a real second; nil for as fast as possible.
    public let speed: Double?
    /// The card that the customer has.
    public let card: SimulatedCard
    /// What goes wrong.
    public var scripts: Set<SimulatedShop.Script>

    /// Which acquirer, and everything that may differ from till to till.
    public let configuration: PointOfSaleConfiguration

    /// Why the configuration's file cannot be read, if it cannot.
    public let configurationProblems: ConfigurationProblems?
    /// The origin of the shop's back end, where orders are claimed.
    let claims: String?
    /// What the back end calls this till.
    let till: String
    /// The journal, where one is named.
    let journal: String?

    /// The journal's file.
    public var journalPath: String {
        journal ?? FileAttemptJournal.defaultPath(program: program.name)
    }

    /// The configuration of a shop that has none: every acquirer simulated.
    static let builtInConfiguration = """
        {
          "provider": "finix",
          "providers": {
            "finix": {
              "environment": "simulated",
              "merchant": "MU-demo",
              "merchantName": "Corner Shop",
              "device": null
            },
            "revolut": {
              "environment": "simulated",
              "clientID": "demo",
              "merchantName": "Corner Shop"
            }
          }
        }
        """

    /// Reads the options.
    ///
    /// - Parameters:
    ///   - arguments: The words of the command line.
    ///   - work: What the command does.
    ///   - program: The program that they are for.
    /// - Throws: ``UsageError`` that names the option and what is accepted.
    public init(
        _ arguments: Arguments,
        for work: CommandWork,
        of program: SampleProgram = .checkout
    ) throws(UsageError) {
        self.program = program
        self.work = work
        interruption = work.interruption
        let file = try arguments.value("config", accepted: "the path of a file") {
            $0.isEmpty ? nil : $0
        }
        var configuration: PointOfSaleConfiguration
        do throws(ConfigurationProblems) {
            configuration =
                if let file {
                    try PointOfSaleConfiguration(fileAt: file)
                } else {
                    PointOfSaleConfiguration(
                        text: Self.builtInConfiguration,
                        file: "built-in configuration"
                    )
                }
            configurationProblems = nil
        } catch {
            configuration = PointOfSaleConfiguration(text: "")
            configurationProblems = error
        }
        claims = try arguments.value(
            "claims",
            accepted: "a loopback origin, such as http://127.0.0.1:8481"
        ) { ShopClaims.isOrigin($0) ? $0 : nil }
        guard arguments.has("claims") || !arguments.has("till") else {
            throw UsageError("--till names this till to a back end; it goes with --claims")
        }
        till = try arguments.visibleName("till") ?? "till-1"
        journal = arguments["journal"] ?? configuration.journal
        configuration.provider = try arguments.value(
            "provider",
            accepted: "one of \(program.providers.joined(separator: ", "))"
        ) { program.providers.contains($0) ? $0 : nil }
        if program.isBound { configuration.provider = program.providers.first }
        self.configuration = configuration
        let isReceiptAlone = ["receipt", "format"].contains { name in
            arguments[name].map { $0 != ReceiptOptions.Format.text.rawValue } ?? false
        }
        terminal = Terminal(
            isJSON: arguments.has("json"),
            isQuiet: arguments.has("quiet") || isReceiptAlone
        )
        seed =
            try arguments.wholeNumber("seed", 0...UInt64.max) ?? PaymentEnvironment.live
            .randomBits() % 1_000_000
        speed = try arguments.value("speed", accepted: "a number from 0.01 to 10000") { text in
            Double(text).flatMap { 0.01...10_000 ~= $0 ? $0 : nil }
        }
        let cards = SimulatedCard.catalogue.map(\.id)
        card =
            try arguments.value("card", accepted: "one of \(cards.joined(separator: ", "))") {
                SimulatedCard.named($0)
            } ?? SimulatedCard.catalogue[0]
        scripts = try work.scripts(arguments, of: program)
    }

    /// The file in which the phone keeps its Devices at Finix, beside the journal.
    public var devicesPath: String { journalPath + ".devices" }

    /// The shop that the options describe.
    public var shop: SimulatedShop {
        SimulatedShop(seed: seed, card: card, scripts: scripts, devices: devicesPath) {
            [terminal] line in
            terminal.progress(line)
        }
    }
}
