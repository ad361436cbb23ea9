import Combine

/// Code from the vendor's pages, where Combine exists: the simulated kit has a publisher there.
final class Checkout {
    private var subscription: AnyCancellable?
    private var latest: TapToPayTransactionEvent?

    /// Hears each event of a kit.
    func watch(_ kit: FinixTapToPay) {
        let events: AnyPublisher<TapToPayTransactionEvent, Never> = kit.transactionEvents
        subscription = events.sink { [weak self] event in self?.latest = event }
    }
}
