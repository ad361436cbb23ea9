import AcquirerSimulation
import PaymentCore
import PaymentTransport

extension RevolutAuthorization {
    /// Everything that the authorization server knows.
    struct State: Sendable, Codable {
        var lifetimes = Lifetimes()
        var merchantsConsent = true
        var clients: [String: Client] = [:]
        var consents: [Consent] = []
        var codes: [String: Code] = [:]
        var tokens: [Token] = []
        var replays = 0
        var granted: [String: Int] = [:]

        /// A token that is accepted; what ended is taken for unknown.
        func token(_ text: String, _ kind: Token.Kind, _ now: Date) -> Token? {
            tokens.first { token in
                token.text == text && token.kind == kind && now < token.endsAt
                    && !token.isReplaced
            }
        }

        mutating func revoke(_ consent: String) -> Bool {
            guard let index = consents.firstIndex(where: { $0.id == consent && !$0.isRevoked })
            else { return false }
            consents[index].isRevoked = true
            tokens.removeAll { $0.consent == consent }
            return true
        }

        func isRevoked(_ consent: String) -> Bool {
            consents.first { $0.id == consent }?.isRevoked ?? true
        }

        /// The client that a token request comes from; nil when it does not prove itself.
        func client(of request: HTTPRequest, _ fields: [String: String]) -> String? {
            let basic = request.headers["Authorization"].flatMap(Form.basic)
            guard let id = basic?.name ?? fields["client_id"], let client = clients[id],
                fields["client_id"] ?? id == id,
                client.secret == basic?.secret ?? fields["client_secret"]
            else { return nil }
            return id
        }
    }

    struct Client: Sendable, Codable {
        let secret: String?
        let redirectURI: String
    }

    struct Consent: Sendable, Codable {
        let id: String
        var isRevoked = false
    }

    struct Code: Sendable, Codable {
        let consent: String
        let client: String
        let challenge: String
        let endsAt: Date
        var wasUsed = false
    }

    struct Token: Sendable, Codable {
        let text: String
        let kind: Kind
        let consent: String
        let client: String
        let endsAt: Date
        var isReplaced = false

        enum Kind: String, Sendable, Codable {
            case access, refresh, device
        }
    }
}

/// Reads what browsers' forms send.
enum Form {
    /// The fields of a body; a field that comes twice counts once, as its first value.
    static func fields(of body: Data?) -> [String: String] {
        let pairs = String(decoding: body ?? Data(), as: UTF8.self).split(separator: "&")
            .map { $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) }
            .compactMap { parts -> (String, String)? in
                guard parts.count == 2, let name = plain(parts[0]), let value = plain(parts[1])
                else { return nil }
                return (name, value)
            }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The name and password of a header for HTTP Basic.
    static func basic(_ header: String) -> (name: String, secret: String)? {
        guard header.hasPrefix("Basic "),
            let data = Data(base64Encoded: String(header.dropFirst(6)))
        else { return nil }
        let parts = String(decoding: data, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = plain(parts[0]), let secret = plain(parts[1]) else {
            return nil
        }
        return (name, secret)
    }

    private static func plain(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else {
                    return nil
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
