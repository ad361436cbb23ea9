import CommandLineSupport
import PaymentCore
import ShopSupport

/// How the back end is to run.
struct BackendOptions: Sendable {
    let port: UInt16
    let claims: String?
    let token: String
    let accounts: Set<Account>
    let logs: Bool

    init(_ words: [String]) throws(UsageError) {
        let arguments = try Arguments(words, Self.syntax)
        port = try arguments.wholeNumber("port", 0...UInt16.max) ?? 8_481
        claims = try arguments.value("claims", accepted: "the path of a file") {
            $0.isEmpty ? nil : $0
        }
        token = try arguments.visibleName("token", upTo: 200) ?? ShopClaims.token
        let form = "PROVIDER/MERCHANT, such as finix/MU-demo"
        var accounts: Set<Account> = []
        for text in arguments.all("account") {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
                throw UsageError("--account: found \"\(text.prefix(40))\"; accepted is \(form)")
            }
            accounts.insert(
                Account(
                    provider: String(parts[0]),
                    merchant: String(parts[1]),
                    environment: .simulated
                )
            )
        }
        self.accounts = accounts.isEmpty ? ShopClaims.accounts : accounts
        logs = arguments.has("log")
    }

    static let syntax = CommandSyntax(
        "backend",
        "the app's own back end, in small: grants each order to one attempt of one till",
        options: [
            OptionSyntax("port", "N", help: "the port; 0 for any free one (default 8481)"),
            OptionSyntax("claims", "FILE", help: "keep the claims in this file"),
            OptionSyntax("token", "TOKEN", help: "the app's token (default \(ShopClaims.token))"),
            OptionSyntax(
                "account",
                "PROVIDER/MERCHANT",
                repeats: true,
                help: "an account of the shop (default: those of the samples)"
            ),
            OptionSyntax("log", help: "tell each request on standard error"),
            OptionSyntax("help", help: "print this help"),
            OptionSyntax("version", help: "print the version"),
        ]
    )
}
