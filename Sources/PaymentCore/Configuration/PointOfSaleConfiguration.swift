/// Which acquirer takes payments, and everything that may differ from till to till.
///
/// One JSON object: `provider` names the acquirer of new payments, `providers` holds a section for
/// each acquirer that is configured. Its exact form is described in the documentation.
public struct PointOfSaleConfiguration: Sendable {
    let text: [UInt8]
    let file: String
    let secrets: SecretSources
    /// The acquirer of new payments in place of the one that the text names.
    public var provider: String?

    /// Takes a configuration that the app holds as text.
    ///
    /// - Parameters:
    ///   - text: One JSON object.
    ///   - file: What problems call the text.
    ///   - secrets: Where credentials come from; by default nowhere.
    public init(
        text: String,
        file: String = "configuration",
        secrets: SecretSources = .app { _ in nil }
    ) {
        self.text = Array(text.utf8)
        self.file = file
        self.secrets = secrets
    }

    /// Reads a configuration file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - secrets: Where credentials come from; by default the environment and files beside it.
    /// - Throws: ``ConfigurationProblems`` when the file cannot be read.
    public init(fileAt path: String, secrets: SecretSources? = nil) throws(ConfigurationProblems) {
        do throws(BoundedFile.Failure) {
            text = try BoundedFile.read(path, limit: JSONText.longest)
        } catch {
            throw ConfigurationProblems([
                ConfigurationProblem(file: path, text: "the file \(error)")
            ])
        }
        file = path
        self.secrets = secrets ?? .process(folder: BoundedFile.folder(of: path))
    }

    /// The journal that the configuration names, relative to its own folder; nil without one.
    ///
    /// A configuration with faults names none here; opening the point of sale reports them.
    public var journal: String? {
        let named = try? ConfigurationSection.read(text, file: file, secrets: secrets) { root in
            let journal = root.optionalString("journal")
            for key in root.keys { root.ignore(key) }
            return journal ?? ""
        }
        guard let named, !named.isEmpty else { return nil }
        return named.hasPrefix("/") ? named : BoundedFile.folder(of: file) + "/" + named
    }

    /// Everything that is wrong with the configuration; nil when nothing is.
    ///
    /// - Parameters:
    ///   - providers: The acquirers that the app was built with.
    ///   - environment: What the point of sale is opened with.
    /// - Returns: The problems that opening it would throw.
    public func problems(
        _ providers: [ProviderFactory],
        environment: PaymentEnvironment = .live
    ) -> ConfigurationProblems? {
        do throws(ConfigurationProblems) {
            _ = try read(providers, environment: environment)
            return nil
        } catch {
            return error
        }
    }

    /// What a configuration says, once every section was read.
    struct Content {
        /// The configured acquirers; the one of new payments comes first.
        let acquirers: [Acquirer]
        let settling: SettlingPolicy
        let failover: Failover
        let journal: String?
    }

    /// Reads everything, and reports all that is wrong at once.
    func read(
        _ factories: [ProviderFactory],
        environment: PaymentEnvironment
    ) throws(ConfigurationProblems) -> Content {
        try ConfigurationSection.read(text, file: file, secrets: secrets) { root in
            let names = factories.map(\.name)
            let named = root.oneOf("provider", names)
            let active = provider ?? named
            let journal = root.optionalString("journal")
            var settling = SettlingPolicy()
            if let section = root.optionalSection("settling") {
                settling.patience =
                    section.duration("patience", default: settling.patience)
                    ?? settling.patience
                section.finish()
            }
            var acquirers: [Acquirer] = []
            var configured: [String] = []
            if let sections = root.section("providers") {
                for factory in factories {
                    guard let section = sections.optionalSection(factory.name) else { continue }
                    configured.append(factory.name)
                    guard let acquirer = factory.make(section, environment) else { continue }
                    acquirers.append(acquirer)
                }
                sections.finish()
                if let active, !configured.contains(active) {
                    let found = configured.map { "\"\($0)\"" }.joined(separator: ", ")
                    root.reject(
                        "provider",
                        "found \"\(active)\", which has no section under providers; "
                            + "those that have one: \(found.isEmpty ? "none" : found)"
                    )
                }
            }
            let failover = readFailover(root, active: active, configured: configured)
            root.finish()
            guard let active else { return nil }
            return Content(
                acquirers: acquirers.filter { $0.account.provider == active }
                    + acquirers.filter { $0.account.provider != active },
                settling: settling,
                failover: failover,
                journal: journal
            )
        }
    }

    /// The problems of a configuration that no longer names accounts with open attempts.
    func problems(withDropped accounts: Set<Account>) -> ConfigurationProblems {
        ConfigurationProblems(
            accounts.sorted { $0.description < $1.description }.map { account in
                ConfigurationProblem(
                    file: file,
                    path: "providers.\(account.provider)",
                    text: """
                        the journal has open attempts of \(account), which is not configured; \
                        keep it configured until they are resolved
                        """
                )
            }
        )
    }

    /// To which acquirers a payment moves that its own cannot begin, and on which errors.
    private func readFailover(
        _ root: ConfigurationSection,
        active: String?,
        configured: [String]
    ) -> Failover {
        guard let section = root.optionalSection("failover") else { return Failover() }
        let others = section.strings("to") ?? []
        for (index, name) in others.enumerated() {
            if !configured.contains(name) {
                section.reject(
                    "to",
                    index: index,
                    "found \"\(name)\", which has no section under providers"
                )
            } else if name == active {
                section.reject(
                    "to",
                    index: index,
                    "found \"\(name)\", which takes the payments already"
                )
            }
        }
        let codes = section.strings("on", among: Failover.codes.map(\.description)) ?? []
        section.finish()
        return Failover(
            to: others,
            on: Set(Failover.codes.filter { codes.contains($0.description) })
        )
    }
}

/// Why a point of sale could not be opened.
public enum PointOfSaleError: Error, Sendable, CustomStringConvertible {
    /// The configuration has faults; all of them are named.
    case configuration(ConfigurationProblems)
    /// The journal cannot be used.
    case journal(JournalError)

    /// The problems, one a line.
    public var description: String {
        switch self {
        case .configuration(let problems): problems.description
        case .journal(let error): error.description
        }
    }
}
