public import PaymentCore
import PaymentTransport

/// The secret half of a consent (RFC 7636): its challenge goes with the browser, it stays here.
public struct RevolutCodeVerifier: Hashable, Sendable {
    /// The text, redacted wherever it is printed.
    public let text: Secret
    /// The public half, by the method `S256`; `plain` is never sent.
    public let challenge: String

    /// Makes a verifier from 256 random bits.
    public init(_ environment: PaymentEnvironment) {
        self.init(valid: RandomText.make(environment))
    }

    /// Takes up a verifier that was kept; nil when the text is none.
    ///
    /// - Parameter text: 43 to 128 characters out of letters, digits, `-`, `.`, `_` and `~`.
    public init?(_ text: String) {
        guard 43...128 ~= text.utf8.count, text.utf8.allSatisfy(Self.isUnreserved) else {
            return nil
        }
        self.init(valid: text)
    }

    private init(valid text: String) {
        self.text = Secret(text)
        challenge = Digest.base64URL(Digest.sha256(text.utf8))
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}

/// Texts that nobody can guess.
enum RandomText {
    /// 256 random bits as 43 characters.
    static func make(_ environment: PaymentEnvironment) -> String {
        let bytes = (0..<4).flatMap { _ in
            withUnsafeBytes(of: environment.randomBits(), Array.init)
        }
        return Digest.base64URL(bytes)
    }
}
