/// Reads JSON as RFC 8259 has it, and remembers where everything stands.
///
/// Text is UTF-8; a byte-order mark at the very start is skipped. Nothing beyond the standard is
/// accepted, and no message repeats a text of the file that could be a credential.
package enum JSONText {
    /// The most bytes that are read.
    package static let longest = 1 << 20
    /// The most objects and lists that stand inside one another.
    package static let deepest = 64

    /// Where a character stands; lines and characters count from one.
    package struct Place: Hashable, Sendable, Comparable {
        package var line: Int
        package var column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        package static let start = Place(line: 1, column: 1)

        package static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }

    /// A value, and where it starts.
    package struct Value: Hashable, Sendable {
        package var content: Content
        package var place: Place

        package init(_ content: Content, at place: Place) {
            self.content = content
            self.place = place
        }
    }

    /// What a value is; numbers stay as they are written.
    package enum Content: Hashable, Sendable {
        case object([Member])
        case array([Value])
        case string(String)
        case number(String)
        case bool(Bool)
        case null
    }

    /// One key of an object with its value.
    package struct Member: Hashable, Sendable {
        package var key: String
        package var place: Place
        package var value: Value
    }

    /// What is wrong with a text, where.
    package struct Fault: Error, Hashable, Sendable {
        package var place: Place
        package var path: String
        package var text: String
    }

    /// What became of a text: a value unless the syntax is wrong, and all that is to be said.
    package struct Reading: Sendable {
        package var value: Value?
        package var faults: [Fault]
    }

    /// Reads a whole text; repeated keys are faults beside a value, in the order they stand.
    package static func read(_ bytes: [UInt8]) -> Reading {
        if let fault = unreadable(bytes) { return Reading(value: nil, faults: [fault]) }
        var parser = Parser(bytes)
        do throws(Fault) {
            let value = try parser.document()
            return Reading(value: value, faults: parser.repeated)
        } catch {
            return Reading(value: nil, faults: parser.repeated + [error])
        }
    }

    /// Reads a whole text.
    package static func read(_ text: String) -> Reading { read(Array(text.utf8)) }

    private static func unreadable(_ bytes: [UInt8]) -> Fault? {
        func fault(_ text: String, at place: Place = .start) -> Fault {
            Fault(place: place, path: "", text: text)
        }
        if bytes.count > longest {
            return fault("found \(bytes.count) bytes; accepted are at most \(longest)")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return fault("found UTF-16 text; accepted is UTF-8")
        }
        guard String(validating: bytes, as: UTF8.self) == nil else { return nil }
        let offset = validPrefix(bytes)
        var parser = Parser(Array(bytes[..<offset]))
        let byte = Array(bytes[offset...].prefix(1)).map { String($0, radix: 16, uppercase: true) }
        return fault(
            "found the byte 0x\(byte.joined()), which is not UTF-8; accepted is UTF-8 text",
            at: parser.place(at: offset)
        )
    }

    private static func validPrefix(_ bytes: [UInt8]) -> Int {
        var input = bytes.makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        var offset = 0
        while case .valid(let scalar) = parser.parseScalar(from: &input) { offset += scalar.count }
        return offset
    }
}
