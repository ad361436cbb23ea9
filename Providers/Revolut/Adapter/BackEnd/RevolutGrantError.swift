import PaymentCore
import PaymentTransport

/// Why the back end has no token for a merchant.
public enum RevolutGrantError: Error, Hashable, Sendable {
    /// The back end never heard of the merchant.
    case merchantUnknown
    /// Revolut no longer accepts the merchant's consent; the only case that a phone is told of so.
    case needsConsent
    /// Revolut accepts this code no more; the merchant has to begin the consent again.
    case codeRefused
    /// It may work later; perhaps Revolut asked for a pause.
    case temporary(pause: Duration?)
    /// Revolut refuses the back end itself; the text is the protocol's, such as `invalid_client`.
    case configuration(String)
}

/// What is asked of the token endpoints; the same refusal means different things for each.
enum RevolutGrantKind {
    case code, refresh, exchange

    /// What an answer other than success means.
    func failure(of response: HTTPResponse, now: Date) -> RevolutGrantError {
        let name = (try? JSONBody.decode(Refusal.self, from: response.body))?.error
        switch (response.status, name) {
        case (408, _), (429, _): return .temporary(pause: pause(response, now))
        case (400..<500, "invalid_grant"?): return self == .code ? .codeRefused : .needsConsent
        case (403, "access_denied"?) where self == .exchange: return .needsConsent
        case (400..<500, "temporarily_unavailable"?): return .temporary(pause: nil)
        case (400..<500, let name):
            return .configuration(name.map(Scrubbing.scrub) ?? "HTTP \(response.status)")
        default: return .temporary(pause: pause(response, now))
        }
    }

    private func pause(_ response: HTTPResponse, _ now: Date) -> Duration? {
        RetryAfter(response.headers, now: now)?.pause
    }

    private struct Refusal: Decodable {
        let error: String?
    }
}
