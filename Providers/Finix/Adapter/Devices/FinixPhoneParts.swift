public import PaymentCore
public import PaymentTransport

/// What an app gives so that its phones get their Devices by themselves.
public struct FinixPhoneParts: Sendable {
    /// Asks the phone's reader for its identifier; called once in each launch, and may fail.
    public var readerIdentifier: @Sendable () async throws -> String
    /// Where identifiers of Devices are kept from launch to launch.
    public var store: any FinixDeviceStore
    /// The app's session with its own back end; needed where that one provisions.
    public var session: (any TokenProvider)?
    /// What carries requests to that back end; what carries those to Finix without.
    public var transport: (any HTTPTransport)?

    /// Creates the parts.
    ///
    /// - Parameters:
    ///   - store: Where identifiers are kept; a file of ours is ``FileFinixDeviceStore``.
    ///   - session: The app's session with its own back end, if that one provisions.
    ///   - transport: What carries requests to that back end.
    ///   - readerIdentifier: Asks the phone's reader, such as Apple's `PaymentCardReader`.
    public init(
        store: any FinixDeviceStore,
        session: (any TokenProvider)? = nil,
        transport: (any HTTPTransport)? = nil,
        readerIdentifier: @escaping @Sendable () async throws -> String
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
        guard case .endpoint(let origin, let path) = way, let session else { return devices }
        return FinixDeviceEndpoint(
            transport: transport ?? carrier,
            origin: origin,
            path: path,
            session: session
        )
    }

    /// The reader's identifier, or why it could not be had.
    func reader() async throws(PaymentError) -> String {
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
