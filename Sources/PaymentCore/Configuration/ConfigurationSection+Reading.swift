extension ConfigurationSection {
    /// Reads a configuration that an app holds as text.
    ///
    /// - Parameters:
    ///   - text: One JSON object in UTF-8, at most 1 MiB.
    ///   - file: What problems call the text.
    ///   - secrets: Where credentials come from.
    ///   - body: Reads the root; nil once it has reported a problem.
    /// - Returns: What `body` made of it, when nothing was wrong.
    /// - Throws: Everything that is wrong, at once; wrong syntax alone as the first such place.
    public static func read<Result>(
        _ text: [UInt8],
        file: String = "configuration",
        secrets: SecretSources,
        _ body: (ConfigurationSection) -> Result?
    ) throws(ConfigurationProblems) -> Result {
        let collector = ConfigurationCollector(file: file, secrets: secrets)
        let reading = JSONText.read(text)
        for fault in reading.faults {
            collector.report(fault.text, at: fault.place, path: fault.path)
        }
        guard let value = reading.value else { throw ConfigurationProblems(collector.problems) }
        guard case .object(let members) = value.content else {
            let found = ConfigurationWording.kind(value)
            collector.report("found \(found); accepted is an object", at: value.place, path: "")
            throw ConfigurationProblems(collector.problems)
        }

        let root = ConfigurationSection(
            members,
            at: value.place,
            route: ConfigurationPath(),
            collector: collector
        )
        let result = body(root)
        // A reader that gave up early has not said which keys it knows.
        if collector.problems.isEmpty { collector.finishAll() }
        guard let result, collector.problems.isEmpty else {
            if collector.problems.isEmpty {
                collector.report("not a usable configuration", at: value.place, path: "")
            }
            throw ConfigurationProblems(collector.problems)
        }
        return result
    }

    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - secrets: Where credentials come from; nil for the environment and files beside this one.
    ///   - body: Reads the root; nil once it has reported a problem.
    /// - Returns: What `body` made of it, when nothing was wrong.
    /// - Throws: Everything that is wrong, at once; a file that cannot be read as one problem.
    public static func read<Result>(
        fileAt path: String,
        secrets: SecretSources? = nil,
        _ body: (ConfigurationSection) -> Result?
    ) throws(ConfigurationProblems) -> Result {
        let text: [UInt8]
        do throws(BoundedFile.Failure) {
            text = try BoundedFile.read(path, limit: JSONText.longest)
        } catch {
            throw ConfigurationProblems([
                ConfigurationProblem(file: path, text: "the file \(error)")
            ])
        }
        let secrets = secrets ?? .process(folder: BoundedFile.folder(of: path))
        return try read(text, file: path, secrets: secrets, body)
    }
}
