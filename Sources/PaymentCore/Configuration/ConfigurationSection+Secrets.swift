extension ConfigurationSection {
    private static let accepted =
        #"accepted is { "env": "NAME" } or { "file": "path" }"#

    /// A credential, named as `{ "env": "NAME" }` or `{ "file": "path" }`, or given by the app.
    ///
    /// Blanks, tabs and line ends at the end of a credential are taken off, and a byte-order mark
    /// at its start; control and invisible characters elsewhere are problems, and so is an empty
    /// one. No problem repeats a text that could be the credential itself.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - isNeeded: False where nothing real is called: then the entry may be absent, only its
    ///     shape is checked, and nothing is looked up.
    /// - Returns: The credential; nil after a problem, or when it is not needed.
    public func secret(_ key: String, isNeeded: Bool = true) -> Secret? {
        let entry = value(key)
        let given =
            isNeeded ? collector.secrets.app(route.appending(key: key).description) : nil
        var source: Source?
        if let entry {
            source = self.source(key, entry)
            guard source != nil else { return nil }
        }
        guard isNeeded else { return nil }
        if let given {
            return usable(Array(given.reveal().utf8), "the app's secret", key: key)
        }
        switch source {
        case .environment(let name): return variable(name, key: key)
        case .file(let path): return contents(path, key: key)
        case nil:
            report("missing; \(Self.accepted)", at: place, key: key)
            return nil
        }
    }

    private enum Source {
        case environment(String)
        case file(String)
    }

    /// What the entry names; nil after a problem.
    private func source(_ key: String, _ entry: JSONText.Value) -> Source? {
        guard case .object(let members) = entry.content else {
            let found = ConfigurationWording.kind(entry)
            report("found \(found); \(Self.accepted)", at: entry.place, key: key)
            return nil
        }
        let names = ["env", "file"]
        let inner = route.appending(key: key)
        for member in members where !names.contains(member.key) {
            collector.report(
                "unknown key; \(ConfigurationWording.accepted(names))"
                    + ConfigurationWording.suggestion(for: member.key, among: names),
                at: member.place,
                path: inner.appending(key: member.key).description
            )
        }
        let known = members.filter { names.contains($0.key) }
        guard known.count == members.count else { return nil }
        guard let member = known.first, known.count == 1 else {
            let found = known.isEmpty ? "an empty object" : "more than one source"
            report("found \(found); \(Self.accepted)", at: entry.place, key: key)
            return nil
        }
        guard let name = Self.text(member.value) else {
            let isEmpty = member.value.content == .string("")
            let found = isEmpty ? "an empty text" : ConfigurationWording.kind(member.value)
            collector.report(
                "found \(found); accepted is a text on one line",
                at: member.value.place,
                path: inner.appending(key: member.key).description
            )
            return nil
        }
        return member.key == "env" ? .environment(name) : .file(name)
    }

    private func variable(_ name: String, key: String) -> Secret? {
        // A name in another spelling may be the credential, put in the wrong place.
        let isPlain =
            name.utf8.count <= 64
            && name.utf8.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
            }
        let what = "the environment variable \(isPlain ? name : "that is named here")"
        guard let text = collector.secrets.environment(name) else {
            reject(key, "\(what) is not set; accepted is one that holds the secret")
            return nil
        }
        return usable(Array(text.utf8), what, key: key)
    }

    private func contents(_ path: String, key: String) -> Secret? {
        let what = "the secret file that is named here"
        let bytes: [UInt8]
        do {
            bytes = try collector.secrets.file(path)
        } catch let failure as BoundedFile.Failure {
            reject(key, "\(what) \(failure)")
            return nil
        } catch {
            reject(key, "\(what) cannot be read")
            return nil
        }
        let limit = SecretSources.longestFile
        guard bytes.count <= limit else {
            reject(key, "\(what) \(BoundedFile.Failure.tooLarge(limit: limit))")
            return nil
        }
        return usable(bytes, what, key: key)
    }

    /// The secret that bytes hold; nil after a problem, which says what is wrong and not with what.
    private func usable(_ bytes: [UInt8], _ what: String, key: String) -> Secret? {
        guard let whole = String(validating: bytes, as: UTF8.self) else {
            reject(key, "\(what) is not UTF-8 text")
            return nil
        }
        var scalars = whole.unicodeScalars[...]
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        while let last = scalars.last, " \t\r\n".unicodeScalars.contains(last) {
            scalars.removeLast()
        }
        guard !scalars.isEmpty else {
            reject(key, "\(what) is empty; accepted is a secret")
            return nil
        }
        guard !scalars.contains(where: ConfigurationWording.isInvisible) else {
            reject(
                key,
                "\(what) has line breaks, control or invisible characters inside; "
                    + "accepted is one line of text"
            )
            return nil
        }
        return Secret(String(scalars))
    }
}
