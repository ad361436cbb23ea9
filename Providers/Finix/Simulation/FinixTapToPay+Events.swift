// The one place where the platforms differ: a publisher exists only with Combine.
#if canImport(Combine)
    @preconcurrency public import Combine
    import Synchronization

    extension FinixTapToPay {
        /// The latest event at once, then every one; never fails, never ends while the kit lives.
        public var transactionEvents: AnyPublisher<TapToPayTransactionEvent, Never> {
            FinixEventPublisher(hub: events).eraseToAnyPublisher()
        }
    }

    private struct FinixEventPublisher: Publisher {
        typealias Output = TapToPayTransactionEvent
        typealias Failure = Never
        let hub: FinixEventHub

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
            let subscription = FinixEventSubscription(AnySubscriber(subscriber))
            subscriber.receive(subscription: subscription)
            subscription.start(hub)
        }
    }

    /// Hands events to a subscriber as it asks for them.
    private final class FinixEventSubscription: Subscription, Sendable {
        private let subscriber: AnySubscriber<TapToPayTransactionEvent, Never>
        private let state = Mutex(State())

        private struct State {
            var waiting: [TapToPayTransactionEvent] = []
            var demand = Subscribers.Demand.none
            var stop: (@Sendable () -> Void)?
            var isCancelled = false
        }

        init(_ subscriber: AnySubscriber<TapToPayTransactionEvent, Never>) {
            self.subscriber = subscriber
        }

        func start(_ hub: FinixEventHub) {
            let stop = hub.add { self.hear($0) }
            let isCancelled = state.withLock { state in
                state.stop = stop
                return state.isCancelled
            }
            if isCancelled { stop() }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.demand += demand }
            deliver()
        }

        func cancel() {
            let stop = state.withLock { state in
                state.isCancelled = true
                state.waiting = []
                return state.stop
            }
            stop?()
        }

        private func hear(_ event: TapToPayTransactionEvent) {
            state.withLock { $0.waiting.append(event) }
            deliver()
        }

        private func deliver() {
            while let event = next() {
                let more = subscriber.receive(event)
                state.withLock { $0.demand += more }
            }
        }

        private func next() -> TapToPayTransactionEvent? {
            state.withLock { state in
                guard !state.isCancelled, state.demand > .none, !state.waiting.isEmpty else {
                    return nil
                }
                state.demand -= 1
                return state.waiting.removeFirst()
            }
        }
    }
#else
    extension FinixTapToPay {
        /// The latest event at once, then every one; never fails, never ends while the kit lives.
        public var transactionEvents: TapToPayTransactionEvents {
            TapToPayTransactionEvents(events)
        }
    }
#endif
