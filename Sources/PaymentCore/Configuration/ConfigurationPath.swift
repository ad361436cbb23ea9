/// The way from the root of a configuration to a value, such as `failover.to[1]`.
package struct ConfigurationPath: Hashable, Sendable, CustomStringConvertible {
    private enum Step: Hashable, Sendable {
        case key(String)
        case index(Int)
    }

    private var steps: [Step] = []

    package init() {}

    package mutating func append(key: String) { steps.append(.key(key)) }
    package mutating func append(index: Int) { steps.append(.index(index)) }
    package mutating func removeLast() { _ = steps.popLast() }

    package func appending(key: String) -> Self {
        var path = self
        path.append(key: key)
        return path
    }

    package func appending(index: Int) -> Self {
        var path = self
        path.append(index: index)
        return path
    }

    /// The path in one line; keys that are no plain names stand in brackets and quotes.
    package var description: String {
        var text = ""
        for step in steps {
            switch step {
            case .index(let index):
                text += "[\(index)]"
            case .key(let key) where Self.isPlain(key):
                text += text.isEmpty ? key : ".\(key)"
            case .key(let key):
                text += "[\(ConfigurationWording.quoted(key))]"
            }
        }
        return text
    }

    private static func isPlain(_ key: String) -> Bool {
        1...64 ~= key.utf8.count
            && key.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
