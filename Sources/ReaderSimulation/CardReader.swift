/// A thing that turns a card held near it into an opaque payload; it moves no money.
///
/// One operation runs at a time, and every call ends exactly once, with a value or an error.
public protocol CardReader: Sendable {
    /// Whether this device can read cards at all.
    func support() -> ReaderSupport

    /// Whether the merchant of a token has accepted the terms.
    func linkStatus(token: ReaderToken) async throws(ReaderError) -> Bool

    /// Has the merchant accept the terms; succeeds without a sheet where that was done before.
    func link(token: ReaderToken) async throws(ReaderError)

    /// Has the merchant accept the terms with another account, which ends the session.
    func relink(token: ReaderToken) async throws(ReaderError)

    /// Makes a session; returns at once where a session is still good.
    func prepare(token: ReaderToken) async throws(ReaderError)

    /// Collects one card.
    ///
    /// Cancelling the task ends it while no card was detected; afterwards the result is delivered.
    func read(_ request: ReadRequest) async throws(ReaderError) -> ReadResult

    /// Collects loyalty passes alone, without a card.
    ///
    /// - Parameter merchants: Whose passes are wanted, by the merchants' identifiers for them.
    /// - Returns: The passes that the phone has.
    /// - Throws: ``ReaderError``, such as `loyaltyReadFailed` where there is none.
    func readPasses(of merchants: [String]) async throws(ReaderError) -> [LoyaltyPass]

    /// Adds a PIN to the last read, since its issuer asked for one; in time, and once.
    ///
    /// - Parameters:
    ///   - token: What the provider issued for it.
    ///   - readID: The read.
    /// - Returns: A result of the same read, to be sent in place of the first.
    /// - Throws: ``ReaderError``, such as `pinWindowClosed` or `pinTokenInvalid`.
    func capturePIN(token: PINToken, readID: String) async throws(ReaderError) -> ReadResult

    /// Ends the running read while no card was detected, or a PIN that is asked for on its own.
    ///
    /// - Returns: Whether it did. A call it ended has returned by then, and the next may start.
    func cancelRead() async -> Bool

    /// Gives the session up, after the end of a read whose card was detected.
    func close() async

    /// The reader's own name, which may change after a reinstall.
    func readerIdentifier() async throws(ReaderError) -> String

    /// Hears every event from now on, in order.
    ///
    /// - Parameter observer: Called while the reader works; it may not wait, and may call back.
    /// - Returns: What ends it.
    @discardableResult
    func subscribe(_ observer: @escaping @Sendable (ReaderEvent) -> Void) -> ReaderSubscription
}

extension CardReader {
    /// Every event from now on, for one consumer, however slow.
    public func events() -> AsyncStream<ReaderEvent> {
        let (stream, continuation) = AsyncStream<ReaderEvent>.makeStream()
        let subscription = subscribe { continuation.yield($0) }
        continuation.onTermination = { _ in subscription.cancel() }
        return stream
    }
}

/// Whether a device can read cards.
public enum ReaderSupport: Hashable, Sendable {
    /// It can, as far as the hardware goes.
    case supported
    /// It cannot, and why.
    case unsupported(ReaderError)
}
