/// The calls that wait for a journal, and the book that they are checked against.
///
/// Decides what is written together; neither waits nor writes.
struct JournalQueue {
    /// Everything that is durable.
    private(set) var book: AttemptBook
    /// Why nothing can be written any more, if so.
    private(set) var failure: JournalError?
    private var waiting: [JournalCall] = []

    init(book: AttemptBook) { self.book = book }

    /// How many calls wait for a write that has not begun.
    var count: Int { waiting.count }

    mutating func add(_ calls: [JournalCall]) {
        if waiting.isEmpty { waiting = calls } else { waiting += calls }
    }

    /// Takes out the calls that go to the medium together; nil when none waits.
    mutating func next() -> Batch? {
        guard !waiting.isEmpty else { return nil }
        let waiting = waiting
        self.waiting = []
        if let failure {
            var batch = Batch(calls: 0)
            batch.closing = waiting.filter(\.isClose)
            batch.answered = waiting.filter { !$0.isClose }.map { ($0, .failed(failure)) }
            return batch
        }
        var batch = Batch(calls: waiting.count)
        var later: [JournalCall] = []
        for (index, call) in waiting.enumerated() {
            if call.isClose {
                // What came later finds the journal closed.
                guard later.isEmpty, batch.calls.isEmpty else {
                    later += waiting[index...]
                    break
                }
                batch.closing = [call]
                later += waiting[(index + 1)...]
                break
            }
            guard case .begin(let entry) = call.purpose else {
                for entry in call.entries { batch.touch(entry, book) }
                batch.calls.append(call)
                continue
            }
            // Whether it may begin depends on entries that may yet fail to be written.
            guard !batch.touches(entry, book) else {
                later.append(call)
                continue
            }
            if let answer = answer(to: entry) {
                batch.answered.append((call, answer))
            } else {
                batch.touch(entry, book)
                batch.calls.append(call)
            }
        }
        self.waiting = later
        return batch
    }

    private func answer(to entry: JournalEntry) -> JournalAnswer? {
        do throws(PaymentRefusal) {
            return try book.check(entry).map { .begin(.repeated($0)) }
        } catch {
            return .refused(error)
        }
    }

    /// Takes in what became durable from an offset on.
    mutating func written(_ batch: Batch, at offset: Int64) {
        var start = offset
        for call in batch.calls {
            guard call.entries.count > 1 else {
                for entry in call.entries { take(entry, &start, call.bytes.count) }
                continue
            }
            var rest = call.bytes[...]
            for entry in call.entries {
                let line = rest.prefix { $0 != JournalFormat.newline }.count + 1
                take(entry, &start, line)
                rest = rest.dropFirst(line)
            }
        }
    }

    private mutating func take(_ entry: JournalEntry, _ start: inout Int64, _ length: Int) {
        let end = start + Int64(length)
        book.apply(entry, at: start..<end)
        start = end
    }

    /// Refuses everything from now on.
    mutating func fail(_ error: JournalError) {
        if failure == nil { failure = error }
    }
}

extension JournalQueue {
    /// Calls that share one write and one sync.
    struct Batch {
        /// The calls whose entries are written.
        fileprivate(set) var calls: [JournalCall] = []
        /// The calls that need no write, with their answers.
        fileprivate(set) var answered: [(JournalCall, JournalAnswer)] = []
        /// The calls that close the journal.
        fileprivate(set) var closing: [JournalCall] = []
        private var orders: Set<String>
        private var attempts: Set<AttemptID>

        /// Prepares for so many calls.
        fileprivate init(calls count: Int) {
            orders = Set(minimumCapacity: count)
            attempts = Set(minimumCapacity: count)
            calls.reserveCapacity(count)
        }

        /// What is written.
        var bytes: [UInt8] {
            if calls.count == 1 { return calls[0].bytes }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(calls.reduce(0) { $0 + $1.bytes.count })
            for call in calls { bytes += call.bytes }
            return bytes
        }
        /// How many entries are written.
        var records: Int { calls.reduce(0) { $0 + $1.entries.count } }

        fileprivate mutating func touch(_ entry: JournalEntry, _ book: AttemptBook) {
            attempts.insert(entry.attempt)
            guard case .began(let began) = entry.fact else {
                if let order = book.orderID(of: entry.attempt) { orders.insert(order) }
                return
            }
            orders.insert(began.order.id)
            if let parent = began.parent { attempts.insert(parent) }
        }

        fileprivate func touches(_ entry: JournalEntry, _ book: AttemptBook) -> Bool {
            guard case .began(let began) = entry.fact else { return false }
            if orders.contains(began.order.id) || attempts.contains(entry.attempt) { return true }
            guard let parent = began.parent else { return false }
            return attempts.contains(parent)
                || book.orderID(of: parent).map(orders.contains) == true
        }
    }
}

/// One call that waits for a journal.
struct JournalCall: Sendable {
    /// What the call is for.
    enum Purpose {
        case begin(JournalEntry)
        case append
        case close
    }

    let purpose: Purpose
    let entries: [JournalEntry]
    /// The entries as they are written.
    let bytes: [UInt8]
    let continuation: CheckedContinuation<JournalAnswer, Never>

    var isClose: Bool {
        if case .close = purpose { true } else { false }
    }

    func answer(_ answer: JournalAnswer) { continuation.resume(returning: answer) }
}

/// What became of a call.
enum JournalAnswer: Sendable {
    case done
    case begin(BeginAnswer)
    case refused(PaymentRefusal)
    case failed(JournalError)
}
