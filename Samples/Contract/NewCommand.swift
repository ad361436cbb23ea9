import CommandLineSupport

/// `contract new`.
enum NewCommand {
    static let command = Command(
        CommandSyntax("new", "start a new adapter", arguments: ["NAME"], options: [Contract.help])
    ) { _ in Report(.checkFailed, ReportObject()) }
}
