import AcquirerSimulation
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation

/// Asks an emulated Finix over REST, sharing nothing with the adapter.
struct FinixRESTClient {
    let world: SimulatedWorld
    let emulator: FinixEmulator

    init() {
        world = SimulatedWorld(time: SimulatedTime())
        emulator = FinixEmulator(
            world: world,
            merchant: "MU1",
            devices: ["DV1": true, "DV0": false]
        )
    }

    struct Answer: Sendable {
        let status: Int
        let headers: HTTPHeaders
        let bytes: Data
        let body: [String: JSONTree]

        var id: String { body["id"]?.text ?? "none" }
        var state: String { body["state"]?.text ?? "none" }
        var error: [String: JSONTree] {
            guard case .list(let errors) = body["_embedded"]?.members?["errors"] else { return [:] }
            return errors.first?.members ?? [:]
        }
        func rows(_ key: String = "transfers") -> [[String: JSONTree]] {
            guard case .list(let rows) = body["_embedded"]?.members?[key] else { return [] }
            return rows.compactMap(\.members)
        }
        var cursor: String? { body["page"]?.members?["next_cursor"]?.text }
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        query: [(name: String, value: String)] = [],
        _ body: [String: JSONTree]? = nil,
        version: String? = "2022-02-01",
        key: String? = "\(FinixEmulator.username):\(FinixEmulator.password)"
    ) throws -> Answer? {
        var request = HTTPRequest(method, FinixEmulator.origin, path, query: query)
        request.headers["Finix-Version"] = version
        request.headers["Authorization"] = key.map {
            "Basic " + Data($0.utf8).base64EncodedString()
        }
        request.body = body.map { HTTPResponse.json(200, .object($0)).body }
        return try world.time.run { [request] in
            guard let response = try? await emulator.host.send(request) else { return nil }
            return Answer(
                status: response.status,
                headers: response.headers,
                bytes: response.body,
                body: JSONTree.members(of: response.body) ?? [:]
            )
        }
    }

    /// A payment as REST takes it.
    static func payment(
        _ amount: Int64,
        id: String? = nil,
        card: String = "visa-credit"
    ) -> [String: JSONTree] {
        var body: [String: JSONTree] = [
            "amount": .number(amount), "currency": .text("USD"), "merchant": .text("MU1"),
            "source": .text("PI\(card)"),
        ]
        if let id { body["idempotency_id"] = .text(id) }
        return body
    }

    func transfer(_ amount: Int64 = 1_000) throws -> String {
        try send(.post, "/transfers", Self.payment(amount))?.id ?? "none"
    }

    func hold(_ amount: Int64 = 1_000) throws -> String {
        try send(.post, "/authorizations", Self.payment(amount))?.id ?? "none"
    }

    func refund(_ id: String, _ amount: Int64) throws -> Answer? {
        try send(.post, "/transfers/\(id)/reversals", ["refund_amount": .number(amount)])
    }

    func capture(_ id: String, _ amount: Int64) throws -> Answer? {
        try send(.put, "/authorizations/\(id)", ["capture_amount": .number(amount)])
    }

    func void(_ id: String) throws -> Answer? {
        try send(.put, "/authorizations/\(id)", ["void_me": .flag(true)])
    }

    func wait(_ duration: Duration) { world.time.advance(by: duration) }
}
