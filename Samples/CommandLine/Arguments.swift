import PaymentCore

/// What a command accepts, and how it explains itself.
public struct CommandSyntax: Sendable {
    /// The command's name.
    public let name: String
    /// One line about it.
    public let summary: String
    /// The names of its arguments; one in brackets may be left out, one with dots repeated.
    public let arguments: [String]
    /// Its options.
    public let options: [OptionSyntax]
    /// More text for its help.
    public let details: String

    /// Creates a syntax.
    public init(
        _ name: String,
        _ summary: String,
        arguments: [String] = [],
        options: [OptionSyntax] = [],
        details: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.arguments = arguments
        self.options = options
        self.details = details
    }

    /// The full help text.
    public func help(program: String) -> String {
        let usage = (["usage:", program, name] + arguments + ["[OPTION…]"]).joined(separator: " ")
        let rows = options.map { ($0.heading, $0.help) }
        return
            ([usage, "", summary] + (details.isEmpty ? [] : ["", details]) + ["", "Options:"]
            + Table.lines(rows)).joined(separator: "\n")
    }
}

/// One option of a command.
public struct OptionSyntax: Sendable {
    /// The name, without dashes.
    public let name: String
    /// What stands for its value; nil for an option without one.
    public let value: String?
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    /// One line about it.
    public let help: String

    /// Creates a syntax.
    public init(_ name: String, _ value: String? = nil, repeats: Bool = false, help: String) {
        self.name = name
        self.value = value
        isRepeatable = repeats
        self.help = help
    }

    var heading: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
}

/// The words of a command line, sorted.
public struct Arguments: Sendable {
    /// The words that are no options.
    public private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    /// Sorts the words that follow a command's name.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - syntax: What is accepted.
    /// - Throws: ``UsageError`` that names the word and what is accepted.
    public init(_ words: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                self.words += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                self.words.append(word)
                continue
            }
            try take(option: word, &rest, syntax)
        }
        let needed = syntax.arguments.filter { !$0.hasPrefix("[") }
        guard self.words.count >= needed.count else {
            throw UsageError("\(syntax.name): missing \(needed[self.words.count])")
        }
        let takesAnyNumber = syntax.arguments.last?.hasSuffix("…]") ?? false
        guard takesAnyNumber || self.words.count <= syntax.arguments.count else {
            throw UsageError(
                "\(syntax.name): unexpected argument \"\(self.words[syntax.arguments.count])\""
            )
        }
    }

    /// A whole number that an option names, in digits alone.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - range: What is accepted.
    /// - Returns: The number; nil when the option is not there.
    /// - Throws: ``UsageError`` that says what is accepted.
    public func wholeNumber<Number: FixedWidthInteger & Sendable>(
        _ name: String,
        _ range: ClosedRange<Number>
    ) throws(UsageError) -> Number? {
        let accepted = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return try value(name, accepted: accepted) { text in
            guard text.utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
            return Number(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private mutating func take(
        option word: String,
        _ rest: inout ArraySlice<String>,
        _ syntax: CommandSyntax
    ) throws(UsageError) {
        let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(pieces[0])
        guard let option = syntax.options.first(where: { "--\($0.name)" == name }) else {
            let names = syntax.options.map { "--\($0.name)" }
            throw UsageError(
                "\(syntax.name): unknown option \"\(name)\""
                    + UsageError.suggestion(for: name, among: names)
                    + "; an argument that starts with a dash goes after \"--\""
            )
        }
        guard option.isRepeatable || values[option.name] == nil else {
            throw UsageError("\(syntax.name): \(name) is given twice")
        }
        guard let placeholder = option.value else {
            guard pieces.count == 1 else {
                throw UsageError("\(syntax.name): \(name) takes no value")
            }
            values[option.name, default: []].append("")
            return
        }
        // A value that is called like another option was most likely forgotten.
        let isNext = rest.first.map { next in syntax.options.contains { "--\($0.name)" == next } }
        let next = pieces.count == 2 || isNext == true ? nil : rest.popFirst()
        guard let value = pieces.count == 2 ? String(pieces[1]) : next else {
            throw UsageError("\(syntax.name): \(name) needs \(placeholder)")
        }
        values[option.name, default: []].append(value)
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { values[name] != nil }

    /// The value of an option.
    public subscript(_ name: String) -> String? { values[name]?.last }

    /// Every value of an option.
    public func all(_ name: String) -> [String] { values[name] ?? [] }

    /// The value of an option that counts something.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - accepted: What the message calls the accepted values.
    ///   - read: Reads one; nil when it is not accepted.
    /// - Returns: The value; nil when the option was not given.
    /// - Throws: ``UsageError`` when it cannot be read.
    public func value<Value>(
        _ name: String,
        accepted: String,
        _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = read(text) else {
            throw UsageError("--\(name): found \"\(text.prefix(40))\"; accepted is \(accepted)")
        }
        return value
    }

    /// The value of an option that is a name of visible ASCII characters.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - longest: How many characters it may have.
    /// - Returns: The name; nil when the option was not given.
    /// - Throws: ``UsageError`` when it is empty, longer or has other characters.
    public func visibleName(_ name: String, upTo longest: Int = 64) throws(UsageError) -> String? {
        try value(name, accepted: "1 to \(longest) visible ASCII characters") { text in
            1...longest ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7E ~= $0 }
                ? text : nil
        }
    }
}

/// A command line that cannot be carried out.
public struct UsageError: Error, CustomStringConvertible {
    /// What was wrong and what is accepted.
    public let description: String

    /// Creates an error.
    public init(_ description: String) { self.description = description }

    /// The name that was most likely meant, as the end of a message; empty when none is near.
    public static func suggestion(for name: String, among names: [String]) -> String {
        NearestName.nearest(to: name, among: names).map { "; did you mean \"\($0)\"?" } ?? ""
    }
}
