public import PaymentCore
public import PaymentTransport

/// Revolut's Merchant API for a merchant's back end: orders, refunds, payments and webhooks.
///
/// It holds the secret key, so it belongs on a back end, in tools and in simulation. Reads are
/// repeated patiently; whatever changes something is sent once. A ``WireError`` that `mayHaveActed`
/// is answered by reading, never by sending again. Source: Revolut, Merchant API `2026-04-20`.
public struct RevolutMerchant: Sendable {
    let api: RevolutAPI

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - origin: Scheme and host of the Merchant API.
    ///   - apiKey: The secret key.
    ///   - apiVersion: The date of the API's version, sent with every request.
    ///   - transport: What carries the requests.
    ///   - environment: Where time and randomness come from.
    public init(
        origin: String,
        apiKey: Secret,
        apiVersion: String = "2026-04-20",
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        api = RevolutAPI(
            origin: origin,
            apiKey: apiKey,
            version: apiVersion,
            transport: transport,
            environment: environment
        )
    }

    /// The path of a resource; an identifier that is no part of a path is refused unsent.
    func path(
        _ collection: String,
        _ id: String,
        _ rest: String = ""
    ) throws(WireError) -> String {
        guard RevolutAPI.isPart(id) else {
            throw Self.refusal("the identifier is none: accepted are letters, digits and dashes")
        }
        return "/api/\(collection)/\(id)\(rest)"
    }

    /// The order of an answer, with all that has to be readable.
    func order(
        _ answer: WireAnswer<RevolutWire.WholeOrder>
    ) throws(WireError) -> RevolutOrder {
        guard let order = RevolutOrder(answer.body) else {
            throw WireError(
                PaymentError(.malformedAnswer, detail: "amount, currency or created_at"),
                mayHaveActed: true
            )
        }
        return order
    }

    static func refusal(_ detail: String) -> WireError {
        WireError(PaymentError(.requestRejected, detail: detail), mayHaveActed: false)
    }
}

extension RevolutAPI {
    /// Sends a change of something that exists, once.
    func patch<Body: Decodable & Sendable>(
        _ path: String,
        _ content: some Encodable,
        as type: Body.Type
    ) async throws(WireError) -> WireAnswer<Body> {
        try await client.write(request(.patch, path), content, as: type)
    }

    /// Removes something, once; the answer has no body.
    func delete(_ path: String) async throws(WireError) {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await transport.send(request(.delete, path))
        } catch {
            throw WireError(
                PaymentError(.networkUnavailable, detail: error.description),
                mayHaveActed: error.reach == .maybeReceived
            )
        }
        guard response.isSuccess else { throw Self.failure(of: response) }
    }
}
