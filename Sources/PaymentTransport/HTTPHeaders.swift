/// Header fields of a message; names compare without regard to case.
public struct HTTPHeaders: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Creates an empty list.
    public init() {}

    /// The first value under a name; setting replaces all of them.
    ///
    /// A value with a line break or another control character is never sent:
    /// ``HTTPRequest/problem`` says so.
    public subscript(_ name: String) -> String? {
        get { all(name).first }
        set {
            fields.removeAll { Self.isSame($0.name, name) }
            guard let newValue else { return }
            if fields.isEmpty { fields.reserveCapacity(Self.usualCount) }
            fields.append((name, newValue))
        }
    }

    /// Every value under a name.
    public func all(_ name: String) -> [String] {
        fields.filter { Self.isSame($0.name, name) }.map(\.value)
    }

    /// How many fields a request has.
    private static let usualCount = 4

    private static func isSame(_ name: String, _ other: String) -> Bool {
        name.utf8.count == other.utf8.count && name.lowercased() == other.lowercased()
    }

    /// Adds a field beside those of the same name.
    public mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

    /// Every field, in order.
    public var list: [(name: String, value: String)] { fields }

    /// The name of a field that must not be sent, since its value holds a control character.
    var unsendable: String? {
        fields.first { field in
            field.value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        }?.name
    }
}
