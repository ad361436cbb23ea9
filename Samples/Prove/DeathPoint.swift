import CommandLineSupport
import PaymentCore
import PaymentTransport
import ShopSupport
import Synchronization

/// Where a process of the proof kills itself, for real.
struct DeathPoint: Hashable, Sendable, CustomStringConvertible {
    /// What is counted.
    enum Kind: String, Sendable, CaseIterable {
        /// Writes of the journal.
        case write
        /// Requests to the acquirer.
        case request
    }

    let kind: Kind
    let number: Int
    let after: Bool

    var description: String { "\(kind.rawValue)-\(number)-\(after ? "after" : "before")" }

    init(_ kind: Kind, _ number: Int, after: Bool) {
        self.kind = kind
        self.number = number
        self.after = after
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-").map(String.init)
        guard parts.count == 3, let kind = Kind(rawValue: parts[0]), let number = Int(parts[1]),
            ["before", "after"].contains(parts[2])
        else { return nil }
        self.init(kind, number, after: parts[2] == "after")
    }
}

/// Counts what the process does, and ends it where it is to end.
final class Death: Sendable {
    private let point: DeathPoint?
    private let counts = Mutex<[DeathPoint.Kind: Int]>([:])

    init(_ point: DeathPoint?) { self.point = point }

    /// Counts something that is about to happen; ends here, or says that it will afterwards.
    func before(_ kind: DeathPoint.Kind) -> Bool {
        let number = counts.withLock { counts in
            counts[kind, default: 0] += 1
            return counts[kind, default: 0]
        }
        if point == DeathPoint(kind, number, after: false) { KillSwitch.kill() }
        return point == DeathPoint(kind, number, after: true)
    }
}

/// A journal that ends the process at one of its writes.
final class DeadlyJournal: AttemptJournal {
    private let journal: any AttemptJournal
    private let death: Death

    init(_ journal: any AttemptJournal, _ death: Death) {
        self.journal = journal
        self.death = death
    }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        let ends = death.before(.write)
        let answer = try await journal.begin(entry)
        if ends { KillSwitch.kill() }
        return answer
    }

    func append(_ entries: [JournalEntry]) async throws(JournalError) {
        let ends = death.before(.write)
        try await journal.append(entries)
        if ends { KillSwitch.kill() }
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        await journal.read(body)
    }
}

/// A transport that ends the process at one of its requests.
struct DeadlyTransport: HTTPTransport {
    let transport: any HTTPTransport
    let death: Death

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let ends = death.before(.request)
        let response = try await transport.send(request)
        if ends { KillSwitch.kill() }
        return response
    }
}
