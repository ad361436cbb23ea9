import Synchronization

/// Counts the tokens that were asked for, across all processes of an app.
final class TokenCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
