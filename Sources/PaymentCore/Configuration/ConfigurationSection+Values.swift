extension ConfigurationSection {
    /// A text that is not empty and has no control or invisible characters.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - fallback: What an absent key means; nil makes the key required.
    /// - Returns: The text; nil after a problem.
    public func string(_ key: String, default fallback: String? = nil) -> String? {
        read(key, default: fallback, "accepted is a text", convert: Self.text)
    }

    /// A text that may be absent or `null`.
    public func optionalString(_ key: String) -> String? {
        guard let value = value(key), value.content != .null else { return nil }
        return read(key, default: nil, "accepted are a text and null", convert: Self.text)
    }

    /// One of several names.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: Every name that is accepted; case counts.
    ///   - fallback: What an absent key means; nil makes the key required.
    /// - Returns: The name; nil after a problem.
    public func oneOf(
        _ key: String,
        _ names: [String],
        default fallback: String? = nil
    ) -> String? {
        read(
            key,
            default: fallback,
            ConfigurationWording.accepted(names),
            hint: { Self.suggestion(for: $0, among: names) },
            convert: { Self.name($0, among: names) }
        )
    }

    /// A number written without point and exponent, such as `20`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - range: The numbers that are accepted.
    ///   - fallback: What an absent key means; nil makes the key required.
    /// - Returns: The number; nil after a problem.
    public func wholeNumber(
        _ key: String,
        in range: ClosedRange<Int>,
        default fallback: Int? = nil
    ) -> Int? {
        let accepted =
            "accepted is a whole number from \(range.lowerBound) to \(range.upperBound)"
        return read(key, default: fallback, accepted) { value in
            guard case .number(let text) = value.content, let number = Int(text) else {
                return nil
            }
            return range.contains(number) ? number : nil
        }
    }

    /// `true` or `false`.
    public func bool(_ key: String, default fallback: Bool? = nil) -> Bool? {
        read(key, default: fallback, "accepted are true and false") { value in
            guard case .bool(let isTrue) = value.content else { return nil }
            return isTrue
        }
    }

    /// A length of time: a whole number and `ms`, `s`, `m` or `h`, such as `"20s"`.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - range: The lengths that are accepted.
    ///   - fallback: What an absent key means; nil makes the key required.
    /// - Returns: The length of time; nil after a problem.
    public func duration(
        _ key: String,
        in range: ClosedRange<Duration> = .zero ... .seconds(31_622_400),
        default fallback: Duration? = nil
    ) -> Duration? {
        let accepted =
            "accepted is a whole number with ms, s, m or h, such as \"20s\", "
            + "from \(range.lowerBound) to \(range.upperBound)"
        return read(key, default: fallback, accepted) { value in
            guard case .string(let text) = value.content,
                let duration = Self.duration(from: text)
            else { return nil }
            return range.contains(duration) ? duration : nil
        }
    }

    /// A list of texts, each once.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: Every text that is accepted; nil accepts any that ``string(_:default:)`` does.
    ///   - fallback: What an absent key means; nil makes the key required.
    /// - Returns: The texts in the order they stand; nil after a problem.
    public func strings(
        _ key: String,
        among names: [String]? = nil,
        default fallback: [String]? = nil
    ) -> [String]? {
        let elements: [JSONText.Value]? = read(
            key,
            default: fallback?.map { JSONText.Value(.string($0), at: place) },
            "accepted is a list of texts"
        ) { value in
            guard case .array(let elements) = value.content else { return nil }
            return elements
        }
        guard let elements else { return nil }
        if value(key) == nil { return fallback }

        let accepted = names.map(ConfigurationWording.accepted) ?? "accepted is a text"
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            let text = names.map { Self.name(element, among: $0) } ?? Self.text(element)
            guard let text else {
                let hint = names.map { Self.suggestion(for: element, among: $0) } ?? ""
                let found = ConfigurationWording.shown(element)
                reject(key, index: index, "found \(found); \(accepted)\(hint)")
                continue
            }
            if texts.contains(text) {
                let found = ConfigurationWording.shown(element)
                reject(key, index: index, "found \(found) again; accepted is each entry once")
            }
            texts.append(text)
        }
        return texts.count == elements.count && Set(texts).count == texts.count ? texts : nil
    }

    /// A list of texts that may stand there more than once.
    ///
    /// - Parameter key: The key.
    /// - Returns: The texts in the order they stand; nil after a problem, or when it is absent.
    package func repeatableStrings(_ key: String) -> [String]? {
        guard value(key) != nil else { return nil }
        let elements: [JSONText.Value]? = read(key, default: nil, "accepted is a list of texts") {
            if case .array(let elements) = $0.content { elements } else { nil }
        }
        guard let elements else { return nil }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            guard let text = Self.text(element) else {
                let found = ConfigurationWording.shown(element)
                reject(key, index: index, "found \(found); accepted is a text")
                continue
            }
            texts.append(text)
        }
        return texts.count == elements.count ? texts : nil
    }

    static func text(_ value: JSONText.Value) -> String? {
        guard case .string(let text) = value.content, !text.isEmpty,
            !text.unicodeScalars.contains(where: ConfigurationWording.isInvisible)
        else { return nil }
        return text
    }

    static func name(_ value: JSONText.Value, among names: [String]) -> String? {
        guard case .string(let text) = value.content else { return nil }
        return names.first { $0 == text }
    }

    static func suggestion(for value: JSONText.Value, among names: [String]) -> String {
        guard case .string(let text) = value.content else { return "" }
        return ConfigurationWording.suggestion(for: text, among: names)
    }

    /// The length of time that a text names, such as `20s`; nil when it names none.
    package static func duration(from text: String) -> Duration? {
        let digits = text.utf8.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        // Nine digits of hours fit, so nothing below can overflow.
        guard 1...9 ~= digits.count, digits.count == 1 || digits.first != UInt8(ascii: "0"),
            let number = Int64(String(text.prefix(digits.count)))
        else { return nil }
        switch String(text.dropFirst(digits.count)) {
        case "ms": return .milliseconds(number)
        case "s": return .seconds(number)
        case "m": return .seconds(number * 60)
        case "h": return .seconds(number * 3_600)
        default: return nil
        }
    }
}
