public import PaymentCore
public import PaymentTransport

/// Believes deliveries that Revolut signed a moment ago, and no others.
///
/// The signature is the HMAC-SHA-256 of `v1.{timestamp}.{body}` under a webhook's signing secret,
/// over the body's bytes exactly as they came: hand over what the server received, not a copy that
/// was read and written again. Source: Revolut, "Webhook signature verification".
public struct RevolutWebhookVerifier: Sendable {
    private let secrets: [Secret]
    private let tolerance: Duration
    private let wallTime: @Sendable () -> Date

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - secrets: Every signing secret that is in use; while one is replaced there are two.
    ///   - tolerance: How far a timestamp may lie from now, either way.
    ///   - environment: Where the time of day comes from.
    public init(
        secrets: [Secret],
        tolerance: Duration = .seconds(300),
        environment: PaymentEnvironment
    ) {
        self.secrets = secrets.filter { !$0.reveal().isEmpty }
        self.tolerance = tolerance
        wallTime = environment.wallTime
    }

    /// The machines that deliveries come from, for a firewall; the signature is the proof.
    public static func senders(_ environment: Account.Environment) -> Set<String> {
        switch environment {
        case .production: ["35.246.21.235", "34.89.70.170"]
        case .sandbox: ["35.242.130.242", "35.242.162.241"]
        case .simulated: []
        }
    }

    /// What a delivery tells, if it is believed.
    ///
    /// - Parameter request: The request as the server received it.
    /// - Returns: The event.
    /// - Throws: ``RevolutWebhookRefusal``.
    public func event(
        in request: HTTPRequest
    ) throws(RevolutWebhookRefusal) -> RevolutWebhookEvent {
        let timestamps = request.headers.all("Revolut-Request-Timestamp")
        guard timestamps.count == 1 else { throw .timestampMalformed }
        let body = request.body ?? Data()
        try verify(
            body: body,
            timestamp: timestamps[0],
            signatures: request.headers.all("Revolut-Signature").joined(separator: ",")
        )
        return try RevolutWebhookEvent(body: body)
    }

    /// Checks a delivery's parts.
    ///
    /// - Parameters:
    ///   - body: The body's bytes, exactly as they came.
    ///   - timestamp: The header `Revolut-Request-Timestamp`: milliseconds since 1970.
    ///   - signatures: The header `Revolut-Signature`: one signature, or several with commas.
    /// - Throws: ``RevolutWebhookRefusal``.
    public func verify(
        body: Data,
        timestamp: String,
        signatures: String
    ) throws(RevolutWebhookRefusal) {
        guard !secrets.isEmpty else { throw .noSecret }
        guard let milliseconds = Self.milliseconds(timestamp) else { throw .timestampMalformed }
        let found = Self.items(signatures)
        guard !found.isEmpty else { throw .signatureMissing }
        guard isSigned(Array("v1.\(timestamp).".utf8) + body, found) else { throw .signatureWrong }
        try checkTime(milliseconds)
    }

    /// Compares every signature with every secret, so that the time tells nothing of which fits.
    private func isSigned(_ text: [UInt8], _ found: [[UInt8]]) -> Bool {
        var fits = false
        for secret in secrets {
            let code = Digest.hmacSHA256(text, key: secret.reveal().utf8)
            let expected = Array(("v1=" + Digest.hex(code)).utf8)
            for item in found { fits = Digest.areEqual(expected, item) || fits }
        }
        return fits
    }

    private func checkTime(_ milliseconds: Int64) throws(RevolutWebhookRefusal) {
        let now = Int64((wallTime().timeIntervalSince1970 * 1_000).rounded())
        let age = Duration.milliseconds(now - milliseconds)
        if age > tolerance { throw .tooOld }
        if age < .zero - tolerance { throw .tooFarAhead }
    }

    private static func items(_ header: String) -> [[UInt8]] {
        header.split(separator: ",")
            .map { $0.drop { $0 == " " || $0 == "\t" } }
            .map { item in String(item.reversed().drop { $0 == " " || $0 == "\t" }.reversed()) }
            .filter { $0.hasPrefix("v1=") }
            .map { Array($0.utf8) }
    }

    private static func milliseconds(_ text: String) -> Int64? {
        guard 1...15 ~= text.utf8.count, text.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            return nil
        }
        return Int64(text)
    }
}
