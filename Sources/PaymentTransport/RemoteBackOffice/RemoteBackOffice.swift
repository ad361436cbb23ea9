public import PaymentCore

/// The books side of any acquirer, asked through the app's own back end.
///
/// For a phone, which holds no API key: every question carries the app's token, and the back end,
/// which holds the key, answers with ``RemoteBackOfficeService``. A question that moves money is
/// asked once; if its answer is lost or cannot be read, the answer is "unknown" and never "failed".
public struct RemoteBackOffice: BackOffice {
    /// What the back end's own back office can do.
    public let capabilities: BackOfficeCapabilities
    private let account: Account
    private let exchange: RemoteExchange

    /// Where a back end serves the contract unless it says otherwise.
    public static let usualPath = "/in-person-payments"

    /// Creates a back office.
    ///
    /// - Parameters:
    ///   - account: Whose books; questions about other accounts are not asked.
    ///   - origin: Scheme, host and port of the app's back end: `https`, or `http` on a loopback
    ///     address.
    ///   - path: Where the back end serves the contract.
    ///   - capabilities: What the back end's own back office can do, as its adapter says; the back
    ///     end makes listings incomplete for a phone that would take absence for proof too soon.
    ///   - transport: What carries the questions.
    ///   - tokenProvider: Obtains the app's token, once for each question.
    ///   - environment: Where time and randomness come from.
    public init(
        account: Account,
        origin: String,
        path: String = RemoteBackOffice.usualPath,
        capabilities: BackOfficeCapabilities,
        transport: any HTTPTransport,
        tokenProvider: any TokenProvider,
        environment: PaymentEnvironment
    ) {
        self.account = account
        self.capabilities = capabilities
        exchange = RemoteExchange(
            account: account,
            origin: origin,
            path: path,
            transport: transport,
            tokens: SharedToken(tokenProvider, environment: environment),
            environment: environment
        )
    }

    /// Asks the back end what its own back office can do, to compare at start-up.
    ///
    /// - Returns: What the back end says.
    /// - Throws: ``PaymentError`` when it could not be asked.
    public func remoteCapabilities() async throws(PaymentError) -> BackOfficeCapabilities {
        let answer = try await ask(
            .capabilities,
            RemoteWire.Nothing(),
            RemoteWire.Capabilities.self
        )
        guard let capabilities = answer.capabilities else {
            throw PaymentError(.malformedAnswer, detail: "the capabilities make no sense")
        }
        return capabilities
    }

    /// Reads the acquirer's records through the back end.
    public func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        guard query.account == account else {
            return RecordListing(
                records: [],
                isComplete: false,
                account: account,
                acquirerTime: nil
            )
        }
        return try await ask(
            .records,
            RemoteWire.Query(query, capabilities),
            RemoteWire.Listing.self
        ).listing
    }

    /// Has the back end close a record.
    public func close(_ reference: AcquirerReference) async -> CloseAnswer {
        do throws(WireError) {
            return try await exchange.act(.close, RemoteWire.Closing(reference: reference))
                .closeAnswer
        } catch {
            return .notClosed(error.error)
        }
    }

    /// Has the back end perform a capture, void or refund.
    public func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        if let refusal = refusal(of: attempt) { return .notDone(refusal) }
        do throws(WireError) {
            return try await exchange.act(.perform, RemoteWire.Attempt(attempt)).backOfficeAnswer
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notDone(error.error)
        }
    }

    /// Has the back end make a page to pay on.
    public func link(for attempt: PaymentAttempt) async -> LinkAnswer {
        if let refusal = refusal(of: attempt) { return .notMade(refusal) }
        do throws(WireError) {
            return try await exchange.act(.link, RemoteWire.Attempt(attempt)).linkAnswer
        } catch {
            return error.mayHaveActed ? .unknown(error.error) : .notMade(error.error)
        }
    }

    private func refusal(of attempt: PaymentAttempt) -> PaymentError? {
        attempt.account == account
            ? nil : PaymentError(.requestRejected, detail: "the attempt is another account's")
    }

    /// Asks a question that changes nothing.
    private func ask<Answer: Codable & Sendable>(
        _ operation: RemoteWire.Operation,
        _ content: some Codable & Sendable,
        _ type: Answer.Type
    ) async throws(PaymentError) -> Answer {
        do throws(WireError) {
            return try await exchange.read(operation, content, as: type)
        } catch {
            throw error.error
        }
    }
}
