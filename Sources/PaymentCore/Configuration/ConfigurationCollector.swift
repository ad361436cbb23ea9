import Synchronization

/// What all sections of one configuration share: the problems, and which keys were asked for.
final class ConfigurationCollector: Sendable {
    let file: String
    let secrets: SecretSources
    private let state = Mutex(State())

    private struct State {
        var problems: [ConfigurationProblem] = []
        var known: Set<ConfigurationProblem> = []
        var sections: [ConfigurationPath: Section] = [:]
    }

    private struct Section {
        var members: [JSONText.Member]
        var accepted: [String] = []
        var isFinished = false
    }

    init(file: String, secrets: SecretSources) {
        self.file = file
        self.secrets = secrets
    }

    var problems: [ConfigurationProblem] { state.withLock { $0.problems } }

    func report(_ text: String, at place: JSONText.Place, path: String) {
        let problem = ConfigurationProblem(
            file: file,
            line: place.line,
            column: place.column,
            path: path,
            text: text
        )
        state.withLock { state in
            guard state.known.insert(problem).inserted else { return }
            state.problems.append(problem)
        }
    }

    func open(_ path: ConfigurationPath, members: [JSONText.Member]) {
        state.withLock { state in
            state.sections[path] = state.sections[path] ?? Section(members: members)
        }
    }

    func accept(_ key: String, in path: ConfigurationPath) {
        state.withLock { state in
            guard state.sections[path]?.accepted.contains(key) == false else { return }
            state.sections[path]?.accepted.append(key)
        }
    }

    /// Reports the keys of a section that nobody asked for, once.
    func finish(_ path: ConfigurationPath) {
        let section = state.withLock { state -> Section? in
            guard let section = state.sections[path], !section.isFinished else { return nil }
            state.sections[path]?.isFinished = true
            return section
        }
        guard let section else { return }
        var seen = Set(section.accepted)
        for member in section.members where seen.insert(member.key).inserted {
            report(
                "unknown key; \(ConfigurationWording.accepted(section.accepted))"
                    + ConfigurationWording.suggestion(for: member.key, among: section.accepted),
                at: member.place,
                path: path.appending(key: member.key).description
            )
        }
    }

    /// Finishes what a reader opened and forgot to finish.
    func finishAll() {
        for path in state.withLock({ Array($0.sections.keys) }) { finish(path) }
    }
}
