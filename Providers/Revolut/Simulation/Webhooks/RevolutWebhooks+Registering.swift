import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// How webhooks are registered, changed and removed.
extension RevolutWebhooks {
    /// Answers what lies under `/api/webhooks`.
    func answer(_ request: HTTPRequest, _ parts: [String]) -> Result<HTTPResponse, RevolutProblem> {
        guard let version = request.headers["Revolut-Api-Version"], version >= Self.firstVersion
        else { return .failure(.init(404, "not_found", "the version has no webhooks")) }
        switch (request.method, parts.count) {
        case (.post, 0): return register(request)
        case (.get, 0):
            return .success(.json(200, .list(state.withLock { $0.hooks }.map(\.tree))))
        case (.get, 1): return change(parts[0]) { _ in nil }
        case (.patch, 1): return update(parts[0], request)
        case (.delete, 1): return remove(parts[0])
        case (.post, 2) where parts[1] == "rotate-signing-secret": return rotate(parts[0], request)
        default: return .failure(.init(404, "not_found", "no such operation"))
        }
    }

    private func register(_ request: HTTPRequest) -> Result<HTTPResponse, RevolutProblem> {
        let body = JSONTree.members(of: request.body) ?? [:]
        let (id, secret) = (newText(), "wsk_" + newText())
        return state.withLock { state in
            var hook = Hook(id: id, url: "", events: [], secret: secret)
            guard body["url"] != nil, body["events"] != nil else {
                return .failure(.init(400, "validation", "url and events are required"))
            }
            if let problem = apply(body, to: &hook, state.allowsLoopback) {
                return .failure(problem)
            }
            guard state.hooks.count < Self.most else {
                return .failure(.init(422, "bad_state", "ten webhooks are registered already"))
            }
            state.hooks.append(hook)
            return .success(.json(200, hook.tree))
        }
    }

    private func update(
        _ id: String,
        _ request: HTTPRequest
    ) -> Result<HTTPResponse, RevolutProblem> {
        let body = JSONTree.members(of: request.body) ?? [:]
        let allowsLoopback = allowsLoopback
        return change(id) { self.apply(body, to: &$0, allowsLoopback) }
    }

    private func rotate(
        _ id: String,
        _ request: HTTPRequest
    ) -> Result<HTTPResponse, RevolutProblem> {
        let period = JSONTree.members(of: request.body)?["expiration_period"]
        let seconds = period.map { ISODuration.seconds($0.text) }
        let secret = "wsk_" + newText()
        let now = world.time.wallTime
        return change(id) { hook in
            if let seconds {
                guard let seconds, 0...604_800 ~= seconds else {
                    return .init(400, "validation", "expiration_period is at most P7D")
                }
                hook.earlier = hook.secret
                hook.earlierEndsAt = now + TimeInterval(seconds)
            } else {
                hook.earlier = nil
            }
            hook.secret = secret
            return nil
        }
    }

    private func remove(_ id: String) -> Result<HTTPResponse, RevolutProblem> {
        state.withLock { state in
            guard state.hooks.contains(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no webhook \(id)"))
            }
            state.hooks.removeAll { $0.id == id }
            return .success(HTTPResponse(status: 204))
        }
    }

    private func change(
        _ id: String,
        _ body: (inout Hook) -> RevolutProblem?
    ) -> Result<HTTPResponse, RevolutProblem> {
        state.withLock { state in
            guard let index = state.hooks.firstIndex(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no webhook \(id)"))
            }
            var hook = state.hooks[index]
            if let problem = body(&hook) { return .failure(problem) }
            state.hooks[index] = hook
            return .success(.json(200, hook.tree))
        }
    }

    /// Takes over what a body says; the problem, if it says something that is refused.
    private func apply(
        _ body: [String: JSONTree],
        to hook: inout Hook,
        _ allowsLoopback: Bool
    ) -> RevolutProblem? {
        if let url = body["url"] {
            guard let url = url.text, WebAddress.isAccepted(url, allowsLoopback) else {
                return .init(400, "validation", "url is no address that can be registered")
            }
            hook.url = url
        }
        if let events = body["events"] {
            guard case .list(let list) = events, !list.isEmpty,
                list.allSatisfy({ Self.events.contains($0.text ?? "") })
            else { return .init(400, "validation", "events are to be known ones, at least one") }
            hook.events = list.compactMap(\.text)
        }
        return nil
    }

    private static let firstVersion = "2024-09-01"
    private static let most = 10

    /// What can be subscribed to.
    static let events: Set<String> = [
        "ORDER_COMPLETED", "ORDER_AUTHORISED", "ORDER_CANCELLED", "ORDER_FAILED",
        "ORDER_INCREMENTAL_AUTHORISATION_AUTHORISED", "ORDER_INCREMENTAL_AUTHORISATION_DECLINED",
        "ORDER_INCREMENTAL_AUTHORISATION_FAILED", "ORDER_PAYMENT_AUTHENTICATION_CHALLENGED",
        "ORDER_PAYMENT_AUTHENTICATED", "ORDER_PAYMENT_AUTHORISATION_STARTED",
        "ORDER_PAYMENT_DECLINED", "ORDER_PAYMENT_FAILED", "PAYOUT_INITIATED", "PAYOUT_COMPLETED",
        "PAYOUT_FAILED", "DISPUTE_ACTION_REQUIRED", "DISPUTE_UNDER_REVIEW", "DISPUTE_WON",
        "DISPUTE_LOST",
    ]
}

/// Addresses that merchants hand to Revolut.
enum WebAddress {
    /// Whether an address is http or https, at most 2,000 long, and names no machine by number.
    static func isAccepted(_ text: String, _ allowsLoopback: Bool = false) -> Bool {
        guard text.utf8.count <= 2_000, let parts = URLComponents(string: text),
            ["http", "https"].contains(parts.scheme ?? ""), let host = parts.host, !host.isEmpty
        else { return false }
        if allowsLoopback, ["localhost", "127.0.0.1", "[::1]", "::1"].contains(host) {
            return true
        }
        let isNumber =
            host.contains(":")
            || host.split(separator: ".").allSatisfy { part in
                part.allSatisfy(\.isNumber)
            }
        return host != "localhost" && !isNumber
    }
}
