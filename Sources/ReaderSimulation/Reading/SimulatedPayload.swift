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

    /// What came of asking for a PIN.
    public enum PIN: String, Hashable, Sendable, CaseIterable, Codable {
        /// None was asked for.
        case none
        /// The right one was typed.
        case right
        /// Another one was typed.
        case wrong
        /// It was skipped.
        case bypassed
    }

    /// The read it came from.
    public let readID: String
    /// The card's id in the catalogue.
    public let cardID: String
    /// The merchant that the reader was prepared for.
    public let merchant: String
    /// The amount in minor units; zero for a verification.
    public let minorUnits: Int64
    /// The ISO 4217 code.
    public let currency: String
    /// What the card was wanted for.
    public let kind: ReadRequest.Kind
    /// How the customer was verified.
    public let cvm: Verification
    /// What came of asking for a PIN; its digits are nowhere.
    public let pin: PIN
    /// The identifier of the card's application, if it has one.
    public let application: String?
    /// How many payloads the card had given to the device, this one among them.
    public let transaction: Int
    /// Whether the card itself has refused.
    public let isRefusedByCard: Bool
    /// When it was made, counted from the start of the simulation.
    public let issuedAt: Duration
    /// When it becomes worthless, counted from the start of the simulation.
    public let expiresAt: Duration
}

extension SimulatedPayload {
    /// The same read with a PIN added to it.
    func adding(_ pin: PIN, at now: Duration, until end: Duration) -> SimulatedPayload {
        SimulatedPayload(
            readID: readID,
            cardID: cardID,
            merchant: merchant,
            minorUnits: minorUnits,
            currency: currency,
            kind: kind,
            cvm: pin == .bypassed ? cvm : .onlinePIN,
            pin: pin,
            application: application,
            transaction: transaction,
            isRefusedByCard: isRefusedByCard,
            issuedAt: now,
            expiresAt: end
        )
    }
}

extension SimulatedPayload {
    private struct Wire: Codable {
        let read: String
        let card: String
        let merchant: String
        let amount: Int64
        let currency: String
        let kind: ReadRequest.Kind
        let cvm: Verification
        let pin: PIN
        let application: String?
        let transaction: Int
        let refused: Bool
        let issued: Int64
        let expires: Int64
    }

    private static let prefix = "SIM1."

    var sealed: String {
        let wire = Wire(
            read: readID,
            card: cardID,
            merchant: merchant,
            amount: minorUnits,
            currency: currency,
            kind: kind,
            cvm: cvm,
            pin: pin,
            application: application,
            transaction: transaction,
            refused: isRefusedByCard,
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
        merchant = wire.merchant
        minorUnits = wire.amount
        currency = wire.currency
        kind = wire.kind
        cvm = wire.cvm
        pin = wire.pin
        application = wire.application
        transaction = wire.transaction
        isRefusedByCard = wire.refused
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
