import AcquirerSimulation
import CommandLineSupport
import ReaderSimulation
import Simulation

/// `reader play`.
enum PlayCommand {
    static let command = Command(
        CommandSyntax(
            "play",
            "operate the reader by hand",
            options: [
                OptionSyntax("card", "ID", help: "held near each sheet (default: none)"),
                OptionSyntax("magic", "PROFILE", help: "special amounts (default none)"),
                OptionSyntax("new", help: "a new device: nothing linked, nothing configured"),
                OptionSyntax("seed", "N", help: "what all chance follows from (default 1)"),
                OptionSyntax(
                    "speed",
                    "N",
                    help: "virtual seconds a real second (default 1; piped in: instant)"
                ),
                OptionSyntax("trace", "FILE", help: "write down everything that happened"),
                RunOptions.help,
            ],
            details: PlayWords.help
        )
    ) { arguments throws(UsageError) in
        var device = SimulatedDeviceConfiguration(linkedMerchants: ["shop-1"], configured: 100)
        if arguments.has("new") { device = SimulatedDeviceConfiguration() }
        let profiles = MagicAmounts.Profile.allCases.map(\.rawValue).joined(separator: ", ")
        device.magic =
            try arguments.value("magic", accepted: "one of \(profiles)") {
                MagicAmounts.Profile(rawValue: $0)
            } ?? .none
        let card = try arguments.value("card", accepted: "a card of `reader cards`") {
            SimulatedCard.named($0)
        }
        let speed = try arguments.value("speed", accepted: "a number from 0.01 to 10000") { text in
            Double(text).flatMap { 0.01...10_000 ~= $0 ? $0 : nil }
        }
        let session = PlaySession(
            device: device,
            card: card,
            seed: try arguments.wholeNumber("seed", 0...UInt64.max) ?? 1
        )
        let report = try session.run(speed: speed)
        guard let path = arguments["trace"],
            let problem = RunCommand.write(
                Trace.jsonLines(session.world.time.trace.lines),
                to: path
            )
        else { return report }
        return .problem(.checkFailed, [problem])
    }
}
