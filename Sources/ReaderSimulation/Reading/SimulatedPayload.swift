import PaymentCore

/// The content of a simulated payload: what a real issuer would find, without a card number.
public struct SimulatedPayload: Hashable, Sendable {
    /// How the customer was verified.
    public enum Verification: String, Hashable, Sendable, CaseIterable, Codable {
        /// Not at all.
        case none
        /// By the phone or watch itself.
        case device
        /// By a PIN that the issuer checks.
        case onlinePIN
    }

    /// The read it came from.
    public let readID: String
    /// The card's id in the catalogue.
    public let cardID: String
    /// The amount in minor units; zero for a verification.
    public let minorUnits: Int64
    /// The ISO 4217 code.
    public let currency: String
    /// What the card was wanted for.
    public let kind: ReadRequest.Kind
    /// How the customer was verified.
    public let cvm: Verification
    /// When it was made, counted from the start of the simulation.
    public let issuedAt: Duration
    /// When it becomes worthless, counted from the start of the simulation.
    public let expiresAt: Duration
}

extension SimulatedPayload {
    private struct Wire: Codable {
        let read: String
        let card: String
        let amount: Int64
        let currency: String
        let kind: ReadRequest.Kind
        let cvm: Verification
        let issued: Int64
        let expires: Int64
    }

    private static let prefix = "SIM1."

    var sealed: String {
        let wire = Wire(
            read: readID,
            card: cardID,
            amount: minorUnits,
            currency: currency,
            kind: kind,
            cvm: cvm,
            issued: Self.microseconds(issuedAt),
            expires: Self.microseconds(expiresAt)
        )
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        // Names and whole numbers always encode; an empty body would be refused on opening.
        let body = (try? encoder.encode(wire))?.base64EncodedString() ?? ""
        return Self.prefix + body + "." + Self.checksum(body)
    }

    init?(sealed text: String) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(
            separator: ".",
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, Self.checksum(String(parts[0])) == parts[1],
            let data = Data(base64Encoded: String(parts[0])),
            let wire = try? JSONDecoder().decode(Wire.self, from: data)
        else { return nil }
        readID = wire.read
        cardID = wire.card
        minorUnits = wire.amount
        currency = wire.currency
        kind = wire.kind
        cvm = wire.cvm
        issuedAt = .microseconds(wire.issued)
        expiresAt = .microseconds(wire.expires)
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000
            + duration.components.attoseconds / 1_000_000_000_000
    }

    private static func checksum(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 36)
    }
}
