import PaymentCore
import Synchronization

/// The answers about links that a phone keeps, by merchant alone; they survive the app.
final class FinixLinkCache: Sendable {
    private let entries = Mutex<[String: String]>([:])

    /// The kept answer, if there is one, it can be read, and it is not too old.
    func answer(for merchant: String, at now: Date, within duration: Double) -> Bool? {
        guard duration > 0, let entry = entries.withLock({ $0[merchant] }) else { return nil }
        let parts = entry.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let answer = Bool(String(parts[0])), let time = Double(parts[1])
        else { return nil }
        let age = now.timeIntervalSince1970 - time
        return age >= 0 && age < duration ? answer : nil
    }

    func keep(_ answer: Bool, for merchant: String, at now: Date) {
        write("\(answer)@\(now.timeIntervalSince1970)", for: merchant)
    }

    func drop(_ merchant: String) { write(nil, for: merchant) }

    /// Puts any text in an answer's place, as another version of an app may have left it.
    func write(_ text: String?, for merchant: String) {
        entries.withLock { $0[merchant] = text }
    }
}
