import PaymentCore

/// An address of this machine that no other machine can reach.
public enum LoopbackAddress: String, Hashable, Sendable, CaseIterable {
    /// Version 4.
    case v4 = "127.0.0.1"
    /// Version 6.
    case v6 = "::1"

    /// The address as it stands in a URL.
    public var host: String { self == .v4 ? rawValue : "[\(rawValue)]" }

    /// Reads the host of a URL: `127.0.0.1`, `localhost`, `::1` or `[::1]`; nil for any other.
    public init?(host: String) {
        switch host.lowercased() {
        case "127.0.0.1", "localhost": self = .v4
        case "::1", "[::1]": self = .v6
        default: return nil
        }
    }
}

/// Where a loopback request goes.
struct LoopbackTarget: Hashable, Sendable {
    let address: LoopbackAddress
    let port: UInt16

    /// Reads an origin; throws what is wrong with it.
    init(origin: String) throws(TransportError) {
        guard let components = URLComponents(string: origin), let host = components.host else {
            throw TransportError(.notSent, "the origin is malformed")
        }
        guard components.scheme?.lowercased() == "http" else {
            throw TransportError(.notSent, "this transport carries http alone")
        }
        guard components.user == nil, components.password == nil else {
            throw TransportError(.notSent, "the origin holds credentials")
        }
        guard let address = LoopbackAddress(host: host) else {
            throw TransportError(
                .notSent,
                "this transport reaches 127.0.0.1, localhost and [::1] alone"
            )
        }
        guard let port = UInt16(exactly: components.port ?? 80), port > 0 else {
            throw TransportError(.notSent, "the port is not between 1 and 65535")
        }
        self.address = address
        self.port = port
    }
}
