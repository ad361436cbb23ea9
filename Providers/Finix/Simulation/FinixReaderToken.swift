import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation

/// The token that Finix issues for a reader: three parts, of which the second says what it is for.
enum FinixReaderToken {
    /// Writes a token as a server would; its signature is none.
    static func make(merchant: String, id: String, at now: Date, lifetime: Int64) -> String {
        let issued = Int64(now.timeIntervalSince1970)
        let claims: JSONTree = .object([
            "aud": .text("simulated-certification"), "tpid": .text("profile-\(merchant)"),
            "mid": .text(merchant), "mbn": .text("Simulated \(merchant)"), "mcc": .text("5999"),
            "avs": .list([.text("reader")]), "iat": .number(issued), "nbf": .number(issued - 5),
            "exp": .number(issued + lifetime), "jti": .text(id),
        ])
        let header: JSONTree = .object(["alg": .text("ES256"), "typ": .text("JWT")])
        return [part(header), part(claims), "simulated"].joined(separator: ".")
    }

    private static func part(_ tree: JSONTree) -> String {
        tree.data.base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    private struct Claims: Decodable {
        let iat: Double
        let exp: Double
    }

    /// The token as the reader takes it; one that cannot be read does not age.
    static func read(_ text: String, merchant: String, clock: VirtualClock, now: Date)
        -> ReaderToken
    {
        guard let claims = claims(in: text) else {
            return ReaderToken(text: text, merchant: merchant)
        }
        let age = Duration.seconds(now.timeIntervalSince1970 - claims.iat)
        return ReaderToken(
            text: text,
            merchant: merchant,
            issuedAt: clock.now.advanced(by: .zero - age),
            patience: .seconds(max(claims.exp - claims.iat, 0))
        )
    }

    private static func claims(in text: String) -> Claims? {
        let parts = text.split(separator: ".")
        guard parts.count == 3 else { return nil }
        var payload = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        while payload.count % 4 != 0 { payload += "=" }
        return Data(base64Encoded: String(payload)).flatMap { data in
            try? JSONDecoder().decode(Claims.self, from: data)
        }
    }
}
