/// A kit's events as a sequence: the latest at once, then every one, until the kit is gone.
///
/// It stands in for the vendor's publisher where there is no Combine. Each iteration listens for
/// itself, from the moment at which it begins.
public struct TapToPayTransactionEvents: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = TapToPayTransactionEvent
    /// It never fails.
    public typealias Failure = Never

    private let hub: FinixEventHub

    init(_ hub: FinixEventHub) { self.hub = hub }

    /// Itself, so that `kit.transactionEvents.values` means the same as for a publisher.
    public var values: TapToPayTransactionEvents { self }

    /// Begins to listen.
    public func makeAsyncIterator() -> AsyncStream<TapToPayTransactionEvent>.Iterator {
        let (stream, continuation) = AsyncStream<TapToPayTransactionEvent>.makeStream()
        let stop = hub.add(end: { continuation.finish() }) { continuation.yield($0) }
        continuation.onTermination = { _ in stop() }
        return stream.makeAsyncIterator()
    }
}
