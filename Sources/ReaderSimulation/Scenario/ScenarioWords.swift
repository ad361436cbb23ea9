import PaymentCore

/// Words of a scenario that may carry something in brackets, such as `delay(3s)`.
struct ScenarioWord {
    let name: String
    let argument: String?

    /// Takes a word apart; nil when its brackets are wrong.
    init?(_ text: String) {
        guard let open = text.firstIndex(of: "(") else {
            guard !text.contains(")") else { return nil }
            (name, argument) = (text, nil)
            return
        }
        guard text.hasSuffix(")"), text.count(where: { $0 == "(" || $0 == ")" }) == 2 else {
            return nil
        }
        name = String(text[..<open])
        argument = String(text[text.index(after: open)...].dropLast())
    }

    /// The length of time in the brackets.
    var duration: Duration? { argument.flatMap { ScenarioDuration.parse($0) } }

    /// The whole number in the brackets.
    var number: Int? {
        guard let argument, !argument.isEmpty, argument.utf8.allSatisfy({ 48...57 ~= $0 }) else {
            return nil
        }
        return Int(argument)
    }
}

extension ConfigurationSection {
    /// Whether a key is there; from now on it is a known one.
    func has(_ key: String) -> Bool { rawValue(key) != nil }

    /// A word with brackets.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: Every name that is accepted, with its brackets where it has them.
    ///   - read: Reads one; nil when it is not accepted.
    /// - Returns: What was read; nil after a problem.
    func word<Value>(_ key: String, among names: [String], _ read: (ScenarioWord) -> Value?)
        -> Value?
    {
        guard let text = string(key) else { return nil }
        if let word = ScenarioWord(text), let value = read(word) { return value }
        reject(key, Self.refusal(of: text, among: names))
        return nil
    }

    /// A list of texts, each checked; nil when it is absent or after a problem.
    func list<Value>(
        _ key: String,
        _ read: (_ reject: (String) -> Void, String) -> Value?
    ) -> [Value]? {
        guard has(key), let texts = repeatableStrings(key) else { return nil }
        var values: [Value] = []
        for (index, text) in texts.enumerated() {
            if let value = read({ reject(key, index: index, $0) }, text) { values.append(value) }
        }
        return values.count == texts.count ? values : nil
    }

    /// Why a word is not accepted, and which one was most likely meant.
    static func refusal(of text: String, among names: [String]) -> String {
        let bare = text.prefix { $0 != "(" }
        let plain = names.map { String($0.prefix { $0 != "(" }) }
        let meant = NearestName.nearest(to: String(bare), among: plain)
            .flatMap { plain.firstIndex(of: $0) }.map { "; did you mean \"\(names[$0])\"?" }
        return "found \"\(text.prefix(60))\"; accepted is one of \(names.joined(separator: ", "))"
            + (meant ?? "")
    }
}
