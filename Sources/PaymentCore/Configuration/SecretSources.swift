/// Where a configuration gets credentials from: the environment, files, or the app itself.
public struct SecretSources: Sendable {
    /// The value of an environment variable; nil when it is not set.
    public var environment: @Sendable (_ name: String) -> String?
    /// The bytes of a file, by the path that the configuration names.
    public var file: @Sendable (_ path: String) throws -> [UInt8]
    /// The app's own answer for a path such as `providers.finix.credentials.password`.
    ///
    /// It comes first: when there is one, the entry in the configuration may be absent and is
    /// not looked up.
    public var app: @Sendable (_ path: String) -> Secret?

    /// The most bytes that a file with a secret may have.
    public static let longestFile = 65_536

    /// Creates sources from their parts.
    public init(
        environment: @escaping @Sendable (_ name: String) -> String?,
        file: @escaping @Sendable (_ path: String) throws -> [UInt8],
        app: @escaping @Sendable (_ path: String) -> Secret? = { _ in nil }
    ) {
        self.environment = environment
        self.file = file
        self.app = app
    }

    /// The environment of this process, and files named relative to a folder.
    ///
    /// - Parameters:
    ///   - folder: The configuration file's folder.
    ///   - app: The app's own answers, if it has any.
    /// - Returns: The sources.
    public static func process(
        folder: String,
        app: @escaping @Sendable (_ path: String) -> Secret? = { _ in nil }
    ) -> SecretSources {
        SecretSources(
            environment: { BoundedFile.environmentVariable($0) },
            file: { path in
                let place = path.hasPrefix("/") ? path : "\(folder)/\(path)"
                return try BoundedFile.read(place, limit: longestFile)
            },
            app: app
        )
    }

    /// The app alone; what a configuration says about the environment and files finds nothing.
    public static func app(_ secrets: @escaping @Sendable (_ path: String) -> Secret?) -> Self {
        SecretSources(
            environment: { _ in nil },
            file: { _ in throw BoundedFile.Failure.missing },
            app: secrets
        )
    }
}
