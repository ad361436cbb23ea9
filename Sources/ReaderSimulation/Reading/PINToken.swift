/// What a provider issues so that a PIN may be added to one read; it never prints its text.
public struct PINToken: Sendable {
    /// The read that it is for, as the simulated reader would find it inside.
    public let readID: String
    let text: String

    /// Creates a token.
    ///
    /// - Parameters:
    ///   - text: The secret.
    ///   - readID: The read that it is for.
    public init(_ text: String, readID: String) {
        self.text = text
        self.readID = readID
    }
}

extension PINToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Kind and length alone.
    public var description: String { "pinToken(\(text.utf8.count) bytes)" }

    /// Kind and length alone.
    public var debugDescription: String { description }

    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
