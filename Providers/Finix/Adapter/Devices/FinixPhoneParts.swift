public import PaymentCore
public import PaymentTransport

/// What an app gives so that its phone gets a Device by itself, or asks the books of a back end.
public struct FinixPhoneParts: Sendable {
    /// Asks the phone's reader for its identifier; called once in each launch, and may fail.
    public var readerIdentifier: (@Sendable () async throws -> String)?
    /// Where identifiers of Devices are kept from launch to launch.
    public var store: any FinixDeviceStore
    /// The app's session with its own back end; needed where that one is asked.
    public var session: (any TokenProvider)?
    /// What carries requests to that back end; what carries those to Finix without.
    public var transport: (any HTTPTransport)?

    /// Creates the parts.
    ///
    /// - Parameters:
    ///   - store: Where identifiers are kept; a file of ours is ``FileFinixDeviceStore``.
    ///   - session: The app's session with its own back end, if that one is asked.
    ///   - transport: What carries requests to that back end.
    ///   - readerIdentifier: Asks the phone's reader, such as Apple's `PaymentCardReader`; needed
    ///     where the phone is provisioned.
    public init(
        store: any FinixDeviceStore = MemoryFinixDeviceStore(),
        session: (any TokenProvider)? = nil,
        transport: (any HTTPTransport)? = nil,
        readerIdentifier: (@Sendable () async throws -> String)? = nil
    ) {
        self.store = store
        self.session = session
        self.transport = transport
        self.readerIdentifier = readerIdentifier
    }
}

extension FinixPhoneParts {
    /// Who provisions; without a session nobody but Finix itself can be asked.
    func source(
        _ way: FinixProvisioning.Way,
        _ devices: FinixDevices,
        _ carrier: any HTTPTransport
    ) -> any FinixDeviceSource {
        guard case .endpoint(let backEnd) = way, let session else { return devices }
        return FinixDeviceEndpoint(
            transport: transport ?? carrier,
            origin: backEnd.origin,
            path: backEnd.path,
            session: session
        )
    }

    /// The books as a back end tells them; nil without a session.
    func books(
        of account: Account,
        _ backEnd: FinixBackEnd,
        like books: FinixBackOffice,
        _ carrier: any HTTPTransport,
        _ environment: PaymentEnvironment
    ) -> RemoteBackOffice? {
        guard let session else { return nil }
        return RemoteBackOffice(
            account: account,
            origin: backEnd.origin,
            path: backEnd.path ?? RemoteBackOffice.usualPath,
            capabilities: books.capabilities,
            transport: transport ?? carrier,
            tokenProvider: session,
            environment: environment
        )
    }

    /// The reader's identifier, or why it could not be had.
    func reader() async throws(PaymentError) -> String {
        guard let readerIdentifier else {
            throw PaymentError(.notConfigured, detail: "nobody tells the reader's identifier")
        }
        do {
            return try await readerIdentifier()
        } catch let error as PaymentError {
            throw error
        } catch {
            throw PaymentError(
                .preparationFailed,
                detail: "the reader told no identifier: \(type(of: error))"
            )
        }
    }
}
