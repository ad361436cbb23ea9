import AcquirerSimulation
import CommandLineSupport
import PaymentCore
import ReaderSimulation

/// A scenario with the text it was read from.
struct ScenarioFile {
    let scenario: Scenario
    let source: String

    /// Reads the named files, or all shipped scenarios where none is named.
    ///
    /// - Parameter words: Paths of files, or names of shipped scenarios.
    /// - Returns: The scenarios, or everything that is wrong with any of them.
    static func read(_ words: [String]) -> Result<[ScenarioFile], ConfigurationProblems> {
        var files: [ScenarioFile] = []
        var problems: [ConfigurationProblem] = []
        for word in words.isEmpty ? ShippedScenarios.names : words {
            do throws(ConfigurationProblems) {
                files.append(try read(word))
            } catch {
                problems += error.problems
            }
        }
        return problems.isEmpty ? .success(files) : .failure(ConfigurationProblems(problems))
    }

    private static func read(_ word: String) throws(ConfigurationProblems) -> ScenarioFile {
        if let text = ShippedScenarios.text(word) {
            let scenario = try Scenario.read(text, file: "\(word).json")
            return ScenarioFile(scenario: scenario, source: String(decoding: text, as: UTF8.self))
        }
        let text: [UInt8]
        do throws(BoundedFile.Failure) {
            text = try BoundedFile.read(word, limit: JSONText.longest)
        } catch {
            let nearest = NearestName.nearest(to: word, among: ShippedScenarios.names)
            let hint = nearest.map { "; did you mean the shipped scenario \"\($0)\"?" } ?? ""
            throw ConfigurationProblems([
                ConfigurationProblem(file: word, text: "the file \(error)\(hint)")
            ])
        }
        let scenario = try Scenario.read(text, file: word)
        return ScenarioFile(scenario: scenario, source: String(decoding: text, as: UTF8.self))
    }
}

extension Report {
    /// Files that cannot be run.
    static func badFiles(_ problems: ConfigurationProblems) -> Report {
        .problem(.badScript, problems.problems.map(\.description))
    }
}

/// The options of every command that runs something.
enum RunOptions {
    static let seed = OptionSyntax(
        "seed",
        "N",
        help: "what all chance follows from (default: the scenario's)"
    )
    static let quiet = OptionSyntax("quiet", help: "print failures and the closing line alone")
    static let help = OptionSyntax("help", help: "print this help")
}
