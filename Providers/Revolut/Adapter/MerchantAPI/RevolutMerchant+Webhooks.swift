public import PaymentCore
public import PaymentTransport

/// An address that Revolut delivers events to.
public struct RevolutWebhook: Hashable, Sendable {
    /// What Revolut calls it.
    public let id: String
    /// Where events go.
    public let url: String
    /// Which events go there.
    public let events: [RevolutWebhookEvent.Name]
    /// What deliveries are signed with, where the answer tells.
    public let signingSecret: Secret?

    init(_ wire: RevolutWire.Webhook) {
        id = wire.id
        url = wire.url
        events = (wire.events ?? []).map { .init(description: $0) }
        signingSecret = wire.signing_secret.map { Secret($0) }
    }
}

extension RevolutWire {
    struct Webhook: Decodable, Sendable {
        let id: String
        let url: String
        let events: [String]?
        let signing_secret: String?
    }

    struct WrittenWebhook: Encodable {
        var url: String?
        var events: [String]?
    }

    struct Rotation: Encodable {
        let expiration_period: String?
    }
}

extension RevolutMerchant {
    /// Registers an address; Revolut takes ten at most.
    ///
    /// - Parameters:
    ///   - url: An http or https address on the open internet.
    ///   - events: What is to be delivered there; at least one.
    /// - Returns: The webhook with its signing secret, which is to be kept.
    /// - Throws: `WireError`.
    public func registerWebhook(
        _ url: String,
        events: [RevolutWebhookEvent.Name]
    ) async throws(WireError) -> RevolutWebhook {
        try checkVersion()
        let body = RevolutWire.WrittenWebhook(url: url, events: events.map(\.description))
        return RevolutWebhook(
            try await api.post("/api/webhooks", body, as: RevolutWire.Webhook.self).body
        )
    }

    /// Every address that is registered.
    ///
    /// - Returns: The webhooks, ten at most.
    /// - Throws: `WireError`.
    public func webhooks() async throws(WireError) -> [RevolutWebhook] {
        try checkVersion()
        return try await api.get("/api/webhooks", as: [RevolutWire.Webhook].self).body
            .map { RevolutWebhook($0) }
    }

    /// Reads one address.
    ///
    /// - Parameter id: What Revolut calls the webhook.
    /// - Returns: The webhook as it is now.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func webhook(_ id: String) async throws(WireError) -> RevolutWebhook {
        try checkVersion()
        return RevolutWebhook(
            try await api.get(try path("webhooks", id), as: RevolutWire.Webhook.self).body
        )
    }

    /// Changes an address or its events.
    ///
    /// - Parameters:
    ///   - id: What Revolut calls the webhook.
    ///   - url: Where events go from now on; as before if nil.
    ///   - events: Which events go there from now on; as before if nil.
    /// - Returns: The webhook as it is then.
    /// - Throws: `WireError`.
    public func updateWebhook(
        _ id: String,
        url: String? = nil,
        events: [RevolutWebhookEvent.Name]? = nil
    ) async throws(WireError) -> RevolutWebhook {
        try checkVersion()
        let body = RevolutWire.WrittenWebhook(url: url, events: events?.map(\.description))
        return RevolutWebhook(
            try await api.patch(try path("webhooks", id), body, as: RevolutWire.Webhook.self).body
        )
    }

    /// Removes an address; nothing is delivered there any more.
    ///
    /// - Parameter id: What Revolut calls the webhook.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func deleteWebhook(_ id: String) async throws(WireError) {
        try checkVersion()
        try await api.delete(try path("webhooks", id))
    }

    /// Replaces an address's signing secret.
    ///
    /// - Parameters:
    ///   - id: The webhook.
    ///   - period: How long the secret before signs too, up to seven days; it ends at once if nil.
    /// - Returns: The webhook with its new secret.
    /// - Throws: `WireError`.
    public func rotateSigningSecret(
        of id: String,
        keepingOldFor period: Duration? = nil
    ) async throws(WireError) -> RevolutWebhook {
        try checkVersion()
        let body = RevolutWire.Rotation(expiration_period: period.map(RevolutWire.duration))
        return RevolutWebhook(
            try await api.post(
                try path("webhooks", id, "/rotate-signing-secret"),
                body,
                as: RevolutWire.Webhook.self
            ).body
        )
    }

    /// Earlier versions answer "not found", which would say nothing of the reason.
    private func checkVersion() throws(WireError) {
        guard api.version >= Self.firstVersionWithWebhooks else {
            throw WireError(
                PaymentError(
                    .notConfigured,
                    detail: "webhooks need a version of the API from September 2024 or later"
                ),
                mayHaveActed: false
            )
        }
    }

    private static let firstVersionWithWebhooks = "2024-09-01"
}
