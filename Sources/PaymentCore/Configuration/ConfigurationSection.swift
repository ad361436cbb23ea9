/// Reads one object of a configuration and collects what is wrong with it.
///
/// Every reading call gives nil after it has reported a problem, so that a reader asks for all it
/// needs first and looks at the answers afterwards:
///
/// ```swift
/// let merchant = section.string("merchant")
/// let patience = section.duration("patience", default: .seconds(20))
/// section.finish()
/// guard let merchant, let patience else { return nil }
/// ```
///
/// A key that is absent takes the default; without a default its absence is a problem.
public struct ConfigurationSection: Sendable {
    let route: ConfigurationPath
    let members: [JSONText.Member]
    let place: JSONText.Place
    let collector: ConfigurationCollector

    init(
        _ members: [JSONText.Member],
        at place: JSONText.Place,
        route: ConfigurationPath,
        collector: ConfigurationCollector
    ) {
        self.route = route
        self.members = members
        self.place = place
        self.collector = collector
        collector.open(route, members: members)
    }

    /// The way from the root to this section; empty at the root.
    public var path: String { route.description }

    /// The keys that the section holds, in the order they stand; no meaning should hang on it.
    public var keys: [String] { members.map(\.key) }

    /// Reports a problem that the reader found by itself, at the value of a key.
    ///
    /// - Parameters:
    ///   - key: A key of this section; when it is absent the problem stands at the section.
    ///   - index: Which element of the list that the key holds, counted from zero.
    ///   - text: What was found and what is accepted; never a credential.
    public func reject(_ key: String, index: Int? = nil, _ text: String) {
        let value = members.first { $0.key == key }?.value
        guard let index else {
            return report(text, at: value?.place ?? place, key: key)
        }
        var element = value
        if case .array(let elements)? = value?.content, elements.indices.contains(index) {
            element = elements[index]
        }
        collector.report(
            text,
            at: element?.place ?? place,
            path: route.appending(key: key).appending(index: index).description
        )
    }

    /// Says that everything was asked for: each key that was not is unknown, and reported.
    public func finish() { collector.finish(route) }

    /// Passes over a key, whatever it holds.
    func ignore(_ key: String) { _ = value(key) }

    func report(_ text: String, at place: JSONText.Place, key: String) {
        collector.report(text, at: place, path: route.appending(key: key).description)
    }

    /// The value of a key as it is written, for readers that take more than one kind.
    package func rawValue(_ key: String) -> JSONText.Value? { value(key) }

    /// The value of a key, which from now on is a known one.
    func value(_ key: String) -> JSONText.Value? {
        collector.accept(key, in: route)
        return members.first { $0.key == key }?.value
    }

    /// Reads one value; `accepted` says what `convert` takes.
    func read<T>(
        _ key: String,
        default fallback: T?,
        _ accepted: String,
        hint: (JSONText.Value) -> String = { _ in "" },
        convert: (JSONText.Value) -> T?
    ) -> T? {
        guard let value = value(key) else {
            if let fallback { return fallback }
            report("missing; \(accepted)", at: place, key: key)
            return nil
        }
        if let converted = convert(value) { return converted }
        let found = ConfigurationWording.shown(value)
        report("found \(found); \(accepted)\(hint(value))", at: value.place, key: key)
        return nil
    }
}

extension ConfigurationSection: CustomStringConvertible, CustomReflectable {
    /// The path alone: a credential may stand in the wrong place.
    public var description: String { "ConfigurationSection(\(path))" }

    /// The path alone.
    public var customMirror: Mirror { Mirror(self, children: ["path": path]) }
}
