// What stubs and shims use of Apple's Combine, for platforms that lack it.

/// Something that tells values.
public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
    /// Begins to tell a subscriber.
    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

/// Something that hears values.
public protocol Subscriber<Input, Failure> {
    associatedtype Input
    associatedtype Failure: Error
    /// Gets the means to ask for values.
    func receive(subscription: any Subscription)
    /// Gets a value, and says how many more it wants.
    func receive(_ input: Input) -> Subscribers.Demand
    /// Hears that there are no more.
    func receive(completion: Subscribers.Completion<Failure>)
}

/// Something that can be ended.
public protocol Cancellable {
    /// Ends it.
    func cancel()
}

/// The means to ask for values.
public protocol Subscription: Cancellable, AnyObject {
    /// Asks for so many more.
    func request(_ demand: Subscribers.Demand)
}

/// What subscribers say and hear.
public enum Subscribers {
    /// How many values are wanted.
    public struct Demand: Comparable {
        var count: Int
        /// No value.
        public static let none = Demand(count: 0)
        /// Every value.
        public static let unlimited = Demand(count: .max)

        /// Whether one is less than the other.
        public static func < (one: Demand, other: Demand) -> Bool { one.count < other.count }
        /// Adds a demand.
        public static func += (one: inout Demand, other: Demand) {
            let (sum, overflows) = one.count.addingReportingOverflow(other.count)
            one.count = overflows ? .max : sum
        }
        /// Takes values away.
        public static func -= (one: inout Demand, count: Int) {
            if one.count != .max { one.count -= count }
        }
    }

    /// How a publisher ends.
    public enum Completion<Failure: Error> {
        /// It has told everything.
        case finished
        /// It failed.
        case failure(Failure)
    }
}

/// Ends something when it goes away.
public final class AnyCancellable: Cancellable {
    private let end: () -> Void
    /// Wraps what ends something.
    public init(_ cancel: @escaping () -> Void) { end = cancel }
    deinit { end() }
    /// Ends it.
    public func cancel() { end() }
}

/// Any publisher.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let begin: (AnySubscriber<Output, Failure>) -> Void

    /// Wraps a publisher.
    public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
        begin = { publisher.receive(subscriber: $0) }
    }

    /// Begins to tell a subscriber.
    public func receive<S: Subscriber>(
        subscriber: S
    ) where S.Input == Output, S.Failure == Failure {
        begin(AnySubscriber(subscriber))
    }
}

/// Any subscriber.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
    private let subscribed: (any Subscription) -> Void
    private let heard: (Input) -> Subscribers.Demand
    private let ended: (Subscribers.Completion<Failure>) -> Void

    /// Wraps a subscriber.
    public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
        subscribed = { subscriber.receive(subscription: $0) }
        heard = { subscriber.receive($0) }
        ended = { subscriber.receive(completion: $0) }
    }

    /// Gets the means to ask for values.
    public func receive(subscription: any Subscription) { subscribed(subscription) }
    /// Gets a value.
    public func receive(_ input: Input) -> Subscribers.Demand { heard(input) }
    /// Hears that there are no more.
    public func receive(completion: Subscribers.Completion<Failure>) { ended(completion) }
}

/// A publisher that tells nothing.
public struct Empty<Output, Failure: Error>: Publisher {
    /// Creates it.
    public init() {}
    /// Tells nothing.
    public func receive<S: Subscriber>(
        subscriber: S
    ) where S.Input == Output, S.Failure == Failure {}
}

extension Publisher {
    /// The publisher without its type.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}

extension Publisher where Failure == Never {
    /// Has each value heard, until the result goes away.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        let sink = Sink(receiveValue)
        receive(subscriber: sink)
        return AnyCancellable { sink.cancel() }
    }
}

private final class Sink<Input>: Subscriber {
    typealias Failure = Never
    private let hear: (Input) -> Void
    private var subscription: (any Subscription)?

    init(_ hear: @escaping (Input) -> Void) { self.hear = hear }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        hear(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}

    func cancel() {
        subscription?.cancel()
        subscription = nil
    }
}
