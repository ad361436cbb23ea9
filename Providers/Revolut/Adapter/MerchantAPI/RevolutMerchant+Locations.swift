import PaymentCore
public import PaymentTransport

/// A place of the merchant's, at which orders can be booked.
public struct RevolutLocation: Hashable, Sendable {
    /// What Revolut calls it.
    public let id: String
    /// The merchant's own name for it, unlike any other's.
    public let name: String
    /// Whether it is a shop or a site; an open set.
    public let kind: Kind
    /// The site's domain, where it is one.
    public let domain: String?

    /// What a location is.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// Revolut's own word.
        public let description: String

        /// Reads Revolut's word, whatever it is.
        public init(description: String) { self.description = description }

        /// A site.
        public static let online = Self(description: "online")
        /// A shop.
        public static let physical = Self(description: "physical")
    }

    init(_ wire: RevolutWire.Location) {
        id = wire.id
        name = wire.name
        kind = Kind(description: wire.type ?? "")
        domain = wire.domain
    }
}

extension RevolutWire {
    struct Location: Decodable, Sendable {
        let id: String
        let name: String
        let type: String?
        let domain: String?
    }

    struct WrittenLocation: Encodable {
        var name: String?
        var type: String?
        var domain: String?
    }
}

extension RevolutMerchant {
    /// Makes a location of a site.
    ///
    /// A shop needs an address, coordinates and opening hours, and is made in Revolut Business.
    ///
    /// - Parameters:
    ///   - name: Unlike every other location's.
    ///   - domain: Unlike every other site's.
    /// - Returns: The location.
    /// - Throws: `WireError`; with status 422 when name or domain is taken.
    public func createLocation(
        _ name: String,
        domain: String
    ) async throws(WireError) -> RevolutLocation {
        let body = RevolutWire.WrittenLocation(name: name, type: "online", domain: domain)
        return RevolutLocation(
            try await api.post("/api/locations", body, as: RevolutWire.Location.self).body
        )
    }

    /// Every location of the merchant's.
    ///
    /// - Returns: The locations.
    /// - Throws: `WireError`.
    public func locations() async throws(WireError) -> [RevolutLocation] {
        try await api.get("/api/locations", as: [RevolutWire.Location].self).body
            .map { RevolutLocation($0) }
    }

    /// Reads one location.
    ///
    /// - Parameter id: What Revolut calls the location.
    /// - Returns: The location as it is now.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func location(_ id: String) async throws(WireError) -> RevolutLocation {
        RevolutLocation(
            try await api.get(try path("locations", id), as: RevolutWire.Location.self).body
        )
    }

    /// Gives a location another name.
    ///
    /// - Parameters:
    ///   - id: What Revolut calls the location.
    ///   - name: Unlike every other location's.
    /// - Returns: The location as it is then.
    /// - Throws: `WireError`.
    public func renameLocation(
        _ id: String,
        to name: String
    ) async throws(WireError) -> RevolutLocation {
        let body = RevolutWire.WrittenLocation(name: name)
        return RevolutLocation(
            try await api.patch(try path("locations", id), body, as: RevolutWire.Location.self).body
        )
    }

    /// Removes a location; its orders stay.
    ///
    /// - Parameter id: What Revolut calls the location.
    /// - Throws: `WireError`; with code `notFound` when there is none.
    public func deleteLocation(_ id: String) async throws(WireError) {
        try await api.delete(try path("locations", id))
    }
}
