import CommandLineSupport
import PaymentCore
import PaymentTransport

/// How the emulator is to run.
struct EmulatorOptions: Sendable {
    let port: UInt16
    let address: LoopbackAddress
    let ledger: String?
    let merchant: String
    let device: String
    let seed: UInt64
    let logs: Bool

    init(_ words: [String]) throws(UsageError) {
        let arguments = try Arguments(words, Self.syntax)
        port =
            try arguments.wholeNumber("port", 0...UInt16.max) ?? 8_480
        address =
            try arguments.value(
                "address",
                accepted: "127.0.0.1 or ::1, which no other machine reaches"
            ) {
                LoopbackAddress(host: $0)
            } ?? .v4
        ledger = try arguments.value("ledger", accepted: "the path of a file") {
            $0.isEmpty ? nil : $0
        }
        merchant = try arguments.visibleName("merchant") ?? "MU-demo"
        device = try arguments.visibleName("device") ?? "DVsimulated"
        seed =
            try arguments.wholeNumber("seed", 0...UInt64.max)
            ?? PaymentEnvironment.live.randomBits()
        logs = arguments.has("log")
    }

    static let syntax = CommandSyntax(
        "emulator",
        "serves the emulated acquirers on this machine, for clients in any language",
        options: [
            OptionSyntax("port", "N", help: "the port; 0 for any free one (default 8480)"),
            OptionSyntax("address", "ADDRESS", help: "127.0.0.1 (default) or ::1"),
            OptionSyntax("ledger", "FILE", help: "keep the ledger and all records in this file"),
            OptionSyntax("merchant", "ID", help: "the merchant at Finix (default MU-demo)"),
            OptionSyntax("device", "ID", help: "the device at Finix (default DVsimulated)"),
            OptionSyntax("seed", "N", help: "what all chance follows from (default: a new one)"),
            OptionSyntax("log", help: "tell each request on standard error"),
            OptionSyntax("help", help: "print this help"),
            OptionSyntax("version", help: "print the version"),
        ]
    )
}
