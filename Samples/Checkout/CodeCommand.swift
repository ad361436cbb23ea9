import CommandLineSupport
import PaymentCore
import PaymentReceipts

/// `checkout code TEXT`.
enum CodeCommand {
    static let command = Command(
        CommandSyntax(
            "code",
            "show a text as a QR code",
            arguments: ["TEXT"],
            options: [
                OptionSyntax("level", "LEVEL", help: "L, M, Q or H (default M)"),
                OptionSyntax(
                    "ground",
                    "GROUND",
                    help: "the terminal's, dark or light (default dark)"
                ),
                OptionSyntax("svg", help: "print an SVG image"),
                OptionSyntax("help", help: "print this help"),
            ]
        )
    ) { arguments throws(UsageError) in
        let level = try arguments.value("level", accepted: "L, M, Q or H") {
            QRCode.Level(rawValue: $0)
        }
        let isDark = try arguments.value("ground", accepted: "dark or light") {
            ["dark": true, "light": false][$0]
        }
        do throws(QRCodeError) {
            let code = try QRCode(arguments.words[0], level: level ?? .medium)
            let lines =
                arguments.has("svg")
                ? [code.svg(title: arguments.words[0])]
                : code.textLines(isInverted: isDark ?? true)
            return Report(.success, ReportObject(), lines: lines)
        } catch {
            throw UsageError("code: TEXT: \(error)")
        }
    }
}
