/// The merchant's own id for what is paid, unique for ever, and which part of it, if it is split.
///
/// At most one charge or hold is ever made for one order part.
public struct Order: Hashable, Sendable, CustomStringConvertible {
    /// The merchant's id.
    public let id: String
    /// Which part of the order is paid; nil when the order is paid whole.
    public let part: Part?

    /// One part of an order that was split into a stated number of parts.
    public struct Part: Hashable, Sendable, CustomStringConvertible {
        /// Which part, from one.
        public let number: Int
        /// How many parts there are.
        public let count: Int

        /// Creates a part; nil unless the number is within the count and the count is at most 999.
        public init?(_ number: Int, of count: Int) {
            guard (1...999).contains(count), (1...count).contains(number) else { return nil }
            self.number = number
            self.count = count
        }

        /// Reads a text such as `2of3`.
        public init?(_ text: String) {
            let pieces = text.split(separator: "of", omittingEmptySubsequences: false)
            guard pieces.count == 2, pieces.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } }),
                let number = Int(pieces[0]), let count = Int(pieces[1]),
                "\(number)of\(count)" == text
            else { return nil }
            self.init(number, of: count)
        }

        /// The text, such as `2of3`.
        public var description: String { "\(number)of\(count)" }
    }

    /// Creates an order from the merchant's id.
    ///
    /// - Parameters:
    ///   - id: One to 128 characters without `/`, control characters or blanks at the ends.
    ///   - part: Which part is paid, or nil.
    /// - Throws: ``OrderError`` that says what was wrong with the id.
    public init(id: String, part: Part? = nil) throws(OrderError) {
        if Self.isPlain(id.utf8) {
            self.id = id
            self.part = part
            return
        }
        guard !id.isEmpty else { throw OrderError(text: id, problem: "is empty") }
        guard id.count <= 128 else {
            throw OrderError(text: id, problem: "has \(id.count) characters")
        }
        guard !id.contains("/") else { throw OrderError(text: id, problem: "contains a slash") }
        guard id.unicodeScalars.allSatisfy(Self.isVisible) else {
            throw OrderError(text: id, problem: "contains a control or invisible character")
        }
        guard id.first?.isWhitespace == false, id.last?.isWhitespace == false else {
            throw OrderError(text: id, problem: "begins or ends with a blank")
        }
        self.id = id
        self.part = part
    }

    /// Reads `ID` or `ID/PART`, such as `table-4/2of3`.
    ///
    /// - Parameter text: The text to read.
    /// - Throws: ``OrderError`` that says what was wrong.
    public init(text: String) throws(OrderError) {
        guard let slash = text.firstIndex(of: "/") else {
            try self.init(id: text)
            return
        }
        guard let part = Part(String(text[text.index(after: slash)...])) else {
            throw OrderError(text: text, problem: "has a part that is not like 2of3")
        }
        try self.init(id: String(text[..<slash]), part: part)
    }

    /// The text that ``init(text:)`` reads.
    public var description: String { part.map { "\(id)/\($0)" } ?? id }

    /// Whether an id is of visible ASCII characters and may be one, as most are.
    static func isPlain(_ id: some Collection<UInt8>) -> Bool {
        1...128 ~= id.count && id.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: "/") }
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned:
            false
        default: true
        }
    }
}

extension Order: Codable {
    /// Reads an order from its text.
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        try self.init(text: text)
    }

    /// Writes an order as its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Order: ExpressibleByStringLiteral {
    /// Creates an order from a literal in the program; a literal that is no order is a mistake there.
    public init(stringLiteral value: String) {
        do {
            self = try Order(text: value)
        } catch {
            preconditionFailure(error.description)
        }
    }
}

/// Why a text is no order.
public struct OrderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text that was given.
    public let text: String
    /// What is wrong with it.
    public let problem: String

    /// One sentence that says what was wrong and what is accepted.
    public var description: String {
        """
        order "\(text.prefix(40))" \(problem); accepted is an id of 1 to 128 visible characters \
        without a slash, and after a slash optionally a part such as 2of3
        """
    }
}
