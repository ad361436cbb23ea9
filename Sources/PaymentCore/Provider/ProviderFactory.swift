/// Makes an acquirer from its section of the configuration; an app passes a list of these.
public struct ProviderFactory: Sendable {
    /// The key of its section under `providers`.
    public let name: String
    /// Reads the section; nil once it has reported a problem there.
    public let make: @Sendable (ConfigurationSection, PaymentEnvironment) -> Acquirer?

    /// Creates a factory.
    ///
    /// - Parameters:
    ///   - name: The acquirer's name in configurations, such as `finix`.
    ///   - make: Reads all of the section and builds the acquirer.
    public init(
        name: String,
        make: @escaping @Sendable (ConfigurationSection, PaymentEnvironment) -> Acquirer?
    ) {
        self.name = name
        self.make = make
    }
}
