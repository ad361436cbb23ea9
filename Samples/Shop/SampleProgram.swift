/// A sample that takes payments: what its commands have to know of the program they are in.
public struct SampleProgram: Sendable {
    /// What it is called, also in the name of its journal.
    public let name: String
    /// The command that asks the acquirer about what is open.
    public let lookUp: String
    /// The acquirers that it works with; the first takes the payments, unless one is configured.
    public let providers: [String]
    /// Whether its payments may be configured to go elsewhere.
    let isBound: Bool

    /// Creates a program.
    ///
    /// - Parameters:
    ///   - name: What it is called.
    ///   - lookUp: The command that asks about what is open.
    ///   - provider: The only acquirer that it works with; nil for any.
    public init(_ name: String, lookUp: String, provider: String? = nil) {
        self.name = name
        self.lookUp = lookUp
        providers = provider.map { [$0] } ?? SimulatedShop.providerNames
        isBound = provider != nil
    }

    /// The sample that works with every acquirer.
    public static let checkout = SampleProgram("checkout", lookUp: "resolve")
}
