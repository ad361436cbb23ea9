import AcquirerSimulation
import PaymentCore
import PaymentTransport

/// Builds Finix's error bodies.
struct FinixReply {
    static let type = "application/hal+json"
    let requestID: String

    func error(
        _ status: Int,
        _ code: String,
        _ message: String,
        _ more: [String: JSONTree] = [:]
    ) -> HTTPResponse {
        let members: [String: JSONTree] = [
            "code": .text(code), "message": .text(message), "logref": .text(requestID),
            "_links": .object([:]),
        ]
        let entry: JSONTree = .object(members.merging(more) { $1 })
        let tree: JSONTree = .object([
            "total": .number(1), "_embedded": .object(["errors": .list([entry])]),
        ])
        return .json(status, tree, type: Self.type)
    }

    /// A field that is missing or wrong.
    func invalid(_ field: String) -> HTTPResponse {
        error(422, "INVALID_FIELD", "\(field) is missing or wrong", ["field": .text(field)])
    }

    /// A decline over REST, with the identifier of what was declined under its kind.
    func decline(_ code: String, _ failure: String, _ kind: String, _ id: String) -> HTTPResponse {
        error(
            402,
            code,
            "declined",
            ["failure_code": .text(failure), "failure_message": .text("text"), kind: .text(id)]
        )
    }
}

extension HTTPRequest {
    /// The first value of a query parameter.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
