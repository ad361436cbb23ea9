/// What a reader collected from a card, opaque to everything on its way to the issuer.
///
/// It prints as kind and length, cannot be encoded, and is equal to the payload of the same read.
public struct CardPayload: Sendable {
    /// The read it came from.
    public let readID: String
    private let content: SimulatedPayload

    init(_ content: SimulatedPayload) {
        readID = content.readID
        self.content = content
    }

    /// The text to hand to the transport, starting with `SIM1.`; never to a log or a file.
    public func reveal() -> String { content.sealed }

    /// When it becomes worthless, counted from the start of the simulation.
    public var expiresAt: Duration { content.expiresAt }

    /// Opens a payload's text, as the simulated issuer does.
    ///
    /// - Returns: The content, or nothing when it is no simulated payload or was changed.
    public static func open(_ text: String) -> SimulatedPayload? { SimulatedPayload(sealed: text) }
}

extension CardPayload: Hashable {
    /// Whether both came from the same read.
    public static func == (one: CardPayload, other: CardPayload) -> Bool {
        one.readID == other.readID
    }

    /// Hashes the read alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(readID) }
}

extension CardPayload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind and length alone.
    public var description: String { "payload(\(reveal().utf8.count) bytes)" }

    /// Kind and length alone.
    public var debugDescription: String { description }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
