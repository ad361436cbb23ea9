import CommandLineSupport
import PaymentCore
import PaymentTransport
import RevolutPayments
import ShopSupport

/// `revolut webhook verify [FILE]`.
struct WebhookCommand: Sendable {
    static let command = Command(
        CommandSyntax(
            "webhook",
            "say whether a delivery is Revolut's, and what it tells",
            arguments: ["verify", "[FILE]"],
            options: [
                OptionSyntax("timestamp", "MS", help: "the header Revolut-Request-Timestamp"),
                OptionSyntax(
                    "signature",
                    "TEXT",
                    repeats: true,
                    help: "the header Revolut-Signature"
                ),
                OptionSyntax(
                    "secret-env",
                    "NAME",
                    repeats: true,
                    help: "the variable that holds a signing secret"
                ),
                OptionSyntax(
                    "secret-file",
                    "FILE",
                    repeats: true,
                    help: "the file that holds a signing secret"
                ),
                OptionSyntax("at", "MS", help: "judge it as at this time (default: now)"),
                OptionSyntax("json", help: "print one JSON object"),
                OptionSyntax("help", help: "print this help"),
            ],
            details: """
                The body is read from FILE or standard input, byte by byte as it came. Secrets never
                stand on a command line. Ends with 0 when the delivery is believed, else with 1.
                """
        )
    ) { arguments throws(UsageError) in
        try WebhookCommand(arguments).run()
    }

    private let request: HTTPRequest
    private let secrets: [Secret]
    private let time: Int64?

    private init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words[0] == "verify" else {
            throw UsageError(
                "webhook: found \"\(arguments.words[0].prefix(40))\"; accepted is verify"
            )
        }
        time = try arguments.wholeNumber("at", 0...999_999_999_999_999)
        var secrets: [Secret] = []
        for name in arguments.all("secret-env") { secrets.append(try Self.variable(name)) }
        for path in arguments.all("secret-file") { secrets.append(try Self.file(path)) }
        guard !secrets.isEmpty else {
            throw UsageError("webhook: needs --secret-env NAME or --secret-file FILE")
        }
        self.secrets = secrets
        var request = HTTPRequest(.post, "https://shop.example", "/webhook")
        if arguments.words.count > 1 {
            request.body = Data(try Self.bytes(arguments.words[1]))
        } else {
            request.body = Data(try StandardInput.bytes(limit: Self.largest))
        }
        if let text = arguments["timestamp"] {
            request.headers.add("Revolut-Request-Timestamp", text)
        }
        for text in arguments.all("signature") { request.headers.add("Revolut-Signature", text) }
        self.request = request
    }

    private static func variable(_ name: String) throws(UsageError) -> Secret {
        guard let text = getenv(name).map({ String(cString: $0) }), !text.isEmpty else {
            throw UsageError("--secret-env: the variable \"\(name.prefix(40))\" is not set")
        }
        return Secret(text)
    }

    private static func file(_ path: String) throws(UsageError) -> Secret {
        let text = String(decoding: try bytes(path), as: UTF8.self)
        guard let line = text.split(whereSeparator: \.isNewline).first else {
            throw UsageError("--secret-file: \(path) is empty")
        }
        return Secret(String(line))
    }

    private static func bytes(_ path: String) throws(UsageError) -> [UInt8] {
        do throws(BoundedFile.Failure) {
            return try BoundedFile.read(path, limit: largest)
        } catch {
            throw UsageError("webhook: \(path) \(error)")
        }
    }

    private static let largest = 1 << 20

    private func run() -> Report {
        var environment = PaymentEnvironment.live
        if let time {
            environment.wallTime = { Date(timeIntervalSince1970: Double(time) / 1_000) }
        }
        let verifier = RevolutWebhookVerifier(secrets: secrets, environment: environment)
        do throws(RevolutWebhookRefusal) {
            let event = try verifier.event(in: request)
            return .notes(
                .success,
                ["Believed: \(event.name)", "About: \(event.subject)"]
                    + (event.orderReference.map { ["Reference: \($0)"] } ?? [])
            ) { $0.event = EventObject(event) }
        } catch {
            return .problem(.checkFailed, ["not believed: \(error)"])
        }
    }
}
