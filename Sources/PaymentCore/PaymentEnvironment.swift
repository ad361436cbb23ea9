/// Where time, randomness and threads come from; everything in the package takes it as a value.
///
/// An app uses ``live``. A simulation passes a virtual clock, a seed and a stepping executor, and
/// every run with the same seed is the same to the byte.
public struct PaymentEnvironment: Sendable {
    /// Measures and waits; never goes back.
    public var clock: any Clock<Duration>
    /// The time of day, for receipts and records; may jump when a person sets the clock.
    public var wallTime: @Sendable () -> Date
    /// The next 64 random bits.
    public var randomBits: @Sendable () -> UInt64
    /// Where the package's own tasks run; the default executor when nil.
    public var executor: (any TaskExecutor)?
    /// Whether a configuration is only checked with it, and nothing opened.
    package var isForChecking = false

    /// Creates an environment from its parts.
    public init(
        clock: any Clock<Duration>,
        wallTime: @escaping @Sendable () -> Date,
        randomBits: @escaping @Sendable () -> UInt64,
        executor: (any TaskExecutor)? = nil
    ) {
        self.clock = clock
        self.wallTime = wallTime
        self.randomBits = randomBits
        self.executor = executor
    }

    /// The system's clocks, random numbers and threads.
    public static let live = PaymentEnvironment(
        clock: ContinuousClock(),
        wallTime: { Date() },
        randomBits: {
            var generator = SystemRandomNumberGenerator()
            return generator.next()
        }
    )
}

extension PaymentEnvironment {
    /// Starts work in a task of its own, which nobody's cancellation reaches.
    ///
    /// - Parameters:
    ///   - priority: How urgent it is; as urgent as whoever starts it when nil.
    ///   - work: What is done.
    /// - Returns: The task.
    @discardableResult
    package func start(
        priority: TaskPriority? = nil,
        _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        // A preference costs at each change of threads, also one for nothing.
        guard let executor else { return Task(priority: priority) { await work() } }
        return Task(executorPreference: executor, priority: priority, operation: work)
    }
}
