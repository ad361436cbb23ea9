public import PaymentTransport

/// Why a delivery is not believed.
public enum RevolutWebhookRefusal: Error, Hashable, Sendable {
    /// No signing secret is configured, so nothing can be believed.
    case noSecret
    /// There is no timestamp, or more than one, or it is no count of milliseconds.
    case timestampMalformed
    /// It was signed too long ago.
    case tooOld
    /// It was signed in the future, as far as the clock here knows.
    case tooFarAhead
    /// There is no signature of a version that is known.
    case signatureMissing
    /// No signature fits any of the secrets.
    case signatureWrong
    /// It was signed well, and its body cannot be read; the text says why, never what it holds.
    case bodyMalformed(String)

    /// What to answer: a refused delivery comes again, unless it was nobody's.
    public var response: HTTPResponse {
        switch self {
        case .noSecret: HTTPResponse(status: 503)
        case .bodyMalformed: HTTPResponse(status: 400)
        default: HTTPResponse(status: 401)
        }
    }
}
