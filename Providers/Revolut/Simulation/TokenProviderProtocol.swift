/// What the vendor's kit asks for device tokens; the app implements it.
public protocol TokenProviderProtocol: Sendable {
    /// A device token that is fresh enough to be used at once.
    ///
    /// - Throws: Any error; the kit takes one that says so for "unauthorized".
    func fetchAccessToken() async throws -> SdkTokenApiDto
}

/// A device token, as the vendor's kit takes it; prints as nothing of it.
public struct SdkTokenApiDto: Decodable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The credential.
    public let accessToken: String

    /// Creates a token from its text.
    public init(accessToken: String) { self.accessToken = accessToken }

    /// The kind and length.
    public var description: String { "SdkTokenApiDto(\(accessToken.utf8.count) bytes)" }
    /// Nothing of the credential.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
