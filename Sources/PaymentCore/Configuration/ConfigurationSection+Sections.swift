extension ConfigurationSection {
    /// A value that is either one of several names or a section of its own.
    public enum Choice: Sendable {
        /// One of the names.
        case name(String)
        /// A section with the details.
        case section(ConfigurationSection)
    }

    /// A section inside this one; its absence is a problem.
    public func section(_ key: String) -> ConfigurationSection? {
        read(key, default: nil, "accepted is an object") { inner(key, $0) }
    }

    /// A section inside this one; nil when it is absent or `null`.
    public func optionalSection(_ key: String) -> ConfigurationSection? {
        guard let value = value(key), value.content != .null else { return nil }
        return read(key, default: nil, "accepted are an object and null") { inner(key, $0) }
    }

    /// A section inside this one; an absent one reads as if it were empty.
    ///
    /// Problems with an absent section stand at this one, under the path that the key would have.
    public func sectionOrEmpty(_ key: String) -> ConfigurationSection? {
        guard value(key) == nil else { return section(key) }
        return ConfigurationSection(
            [],
            at: place,
            route: route.appending(key: key),
            collector: collector
        )
    }

    /// One of several names, or a section in its place.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - names: Every name that is accepted.
    ///   - fallback: The name that an absent key stands for; nil makes the key required.
    /// - Returns: The name or the section; nil after a problem.
    public func choice(
        _ key: String,
        _ names: [String],
        default fallback: String? = nil
    ) -> Choice? {
        read(
            key,
            default: fallback.map(Choice.name),
            "\(ConfigurationWording.accepted(names)), or an object",
            hint: { Self.suggestion(for: $0, among: names) },
            convert: { value in
                inner(key, value).map(Choice.section)
                    ?? Self.name(value, among: names).map(Choice.name)
            }
        )
    }

    private func inner(_ key: String, _ value: JSONText.Value) -> ConfigurationSection? {
        guard case .object(let members) = value.content else { return nil }
        return ConfigurationSection(
            members,
            at: value.place,
            route: route.appending(key: key),
            collector: collector
        )
    }
}

extension ConfigurationSection {
    /// A list of sections; an absent one is empty.
    ///
    /// - Parameter key: The key.
    /// - Returns: The sections in the order they stand; nil after a problem.
    public func sections(_ key: String) -> [ConfigurationSection]? {
        guard value(key) != nil else { return [] }
        let elements: [JSONText.Value]? = read(key, default: nil, "accepted is a list of objects") {
            if case .array(let elements) = $0.content { elements } else { nil }
        }
        guard let elements else { return nil }
        var sections: [ConfigurationSection] = []
        for (index, element) in elements.enumerated() {
            guard case .object(let members) = element.content else {
                let found = ConfigurationWording.kind(element)
                reject(key, index: index, "found \(found); accepted is an object")
                continue
            }
            sections.append(
                ConfigurationSection(
                    members,
                    at: element.place,
                    route: route.appending(key: key).appending(index: index),
                    collector: collector
                )
            )
        }
        return sections.count == elements.count ? sections : nil
    }
}
