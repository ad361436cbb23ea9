public import PaymentCore
public import ReaderSimulation

/// The scenarios that this package ships, inside every program that is built with it.
public enum ShippedScenarios {
    /// The names, in order.
    public static let names = index.map(\.name)

    /// The text of a scenario; nil when there is none of that name.
    public static func text(_ name: String) -> [UInt8]? {
        index.first { $0.name == name }?.text
    }

    /// A scenario.
    ///
    /// - Parameter name: Its name.
    /// - Returns: The scenario; nil when there is none of that name.
    /// - Throws: What is wrong with it.
    public static func scenario(_ name: String) throws(ConfigurationProblems) -> Scenario? {
        guard let text = text(name) else { return nil }
        return try Scenario.read(text, file: "\(name).json")
    }
}
