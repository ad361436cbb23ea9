import Dispatch

/// Where a journal waits for its medium: a thread of its own, or the calling job in a simulation.
///
/// The threads that run Swift's tasks are few and must never wait for a disk.
struct JournalThread: Sendable {
    private let queue: DispatchQueue?

    init(_ environment: PaymentEnvironment) {
        queue = environment.executor == nil ? DispatchQueue(label: "payment-journal") : nil
    }

    /// Has work done, at once or soon.
    func run(_ work: @escaping @Sendable () -> Void) {
        guard let queue else { return work() }
        queue.async(execute: work)
    }

    /// The value of work, once it is done.
    func value<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: work()) }
        }
    }
}
