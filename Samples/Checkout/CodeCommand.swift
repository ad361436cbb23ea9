import CommandLineSupport
import PaymentCore
import PaymentReceipts
import ShopSupport

/// `checkout code TEXT`.
enum CodeCommand {
    static let command = Command(
        CommandSyntax(
            "code",
            "show a text as a QR code",
            arguments: ["TEXT"],
            options: [
                OptionSyntax("level", "LEVEL", help: "L, M, Q or H (default M)"),
                ReceiptOptions.groundOption,
                OptionSyntax("svg", help: "print an SVG image"),
                OptionSyntax("help", help: "print this help"),
            ]
        )
    ) { arguments throws(UsageError) in
        let level = try arguments.value("level", accepted: "L, M, Q or H") {
            QRCode.Level(rawValue: $0)
        }
        let isDark = try ReceiptOptions.isDark(arguments)
        guard !arguments.has("svg") || arguments["ground"] == nil else {
            throw UsageError("code: --ground has no use with --svg")
        }
        do throws(QRCodeError) {
            let code = try QRCode(arguments.words[0], level: level ?? .medium)
            let lines =
                arguments.has("svg")
                ? [code.svg(title: arguments.words[0])]
                : code.textLines(isInverted: isDark)
            return Report(.success, lines: lines)
        } catch {
            throw UsageError("code: TEXT: \(error)")
        }
    }
}
