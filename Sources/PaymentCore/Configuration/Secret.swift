/// A credential; prints as `<redacted>` wherever it is printed.
///
/// Neither description, dump nor mirror shows it, and it has no coded form. Whoever sends it
/// calls ``reveal()``, where a reader of the code can find it.
public struct Secret: Hashable, Sendable {
    private let text: String

    /// Wraps a credential.
    public init(_ text: String) { self.text = text }

    /// The credential itself, to be sent and never to be kept or printed.
    public func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always `<redacted>`.
    public var description: String { "<redacted>" }

    /// Always `<redacted>`.
    public var debugDescription: String { "<redacted>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
