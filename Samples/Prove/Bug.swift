import PaymentCore
import Synchronization

/// Faults that were put in on purpose: a proof that does not find them proves nothing.
enum Bug: String, CaseIterable, Sendable {
    /// An adapter tries again when it does not know.
    case retriesOnUnknown = "retry on unknown"
    /// An adapter tries again under another key.
    case newKey = "key minted anew"
    /// An adapter takes "unknown" for "not charged".
    case unknownIsFailed = "unknown told as failed"
    /// An adapter reports a cancellation that came too late.
    case cancelAfterBooking = "cancel reported after booking"
    /// A journal writes an attempt down only when something else follows.
    case journalWrittenLate = "journal written after the tap"
    /// A back office takes the only record of the time for the attempt's own.
    case takesAnothersRecord = "sole match of another order taken"
    /// A back office reads another account's books and says that they are the attempt's.
    case otherAccount = "absence under another account"
    /// An adapter lets an error of the transport through as an answer.
    case errorSlipsThrough = "answer by an error that slipped through"

    /// The acquirer with the fault.
    func put(into sound: Acquirer) -> Acquirer {
        Acquirer(
            account: sound.account,
            provider: BrokenProvider(sound: sound.provider, bug: self),
            backOffice: sound.backOffice.map { BrokenBackOffice(sound: $0, bug: self) },
            merchantName: sound.merchantName,
            software: sound.software
        )
    }
}

/// A provider with a fault.
private final class BrokenProvider: PaymentProvider {
    private let sound: any PaymentProvider
    private let bug: Bug
    private let cancelled = Mutex<Set<AttemptID>>([])

    init(sound: any PaymentProvider, bug: Bug) {
        self.sound = sound
        self.bug = bug
    }

    var capabilities: ProviderCapabilities { sound.capabilities }
    func readiness() async -> ProviderReadiness { await sound.readiness() }
    func device() async -> String? { await sound.device() }
    func prepare() async throws(PaymentError) { try await sound.prepare() }

    func cancel(_ attempt: AttemptID) async -> Cancellation {
        cancelled.withLock { _ = $0.insert(attempt) }
        return await sound.cancel(attempt)
    }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        let answer = await sound.perform(attempt, context: context)
        switch (bug, answer) {
        case (.retriesOnUnknown, .unknown): return await sound.perform(attempt, context: context)
        case (.newKey, .unknown):
            let again = PaymentAttempt(
                id: AttemptID("\(attempt.id)x"),
                account: attempt.account,
                operation: attempt.operation,
                startedAt: attempt.startedAt,
                amount: attempt.amount
            )
            return await sound.perform(again, context: context)
        case (.unknownIsFailed, .unknown(let error)): return .notCharged(error)
        case (.errorSlipsThrough, .unknown(let error)) where error.code != .outcomeUnknown:
            return .notCharged(error)
        case (.errorSlipsThrough, .unknown):
            return .notCharged(PaymentError(.networkUnavailable))
        case (.cancelAfterBooking, _) where cancelled.withLock({ $0.contains(attempt.id) }):
            return .cancelled
        default: return answer
        }
    }
}

/// A back office with a fault.
private final class BrokenBackOffice: BackOffice {
    private let sound: any BackOffice
    private let bug: Bug

    init(sound: any BackOffice, bug: Bug) {
        self.sound = sound
        self.bug = bug
    }

    var capabilities: BackOfficeCapabilities {
        var capabilities = sound.capabilities
        if bug == .otherAccount { capabilities.appearsWithin = .zero }
        return capabilities
    }

    func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        var listing = try await sound.records(query)
        switch bug {
        case .otherAccount:
            listing.records = []
            listing.isComplete = true
        case .takesAnothersRecord:
            guard let last = listing.records.first else { break }
            var taken = last
            taken.marker = query.marker
            // Under its own name the point of sale would know whose it is.
            let name = last.reference
            taken.reference = .init(kind: name.kind, value: "\(name.value)-\(query.marker ?? "")")
            taken.otherReferences = []
            listing.records = [taken]
        default: break
        }
        return listing
    }

    func close(_ reference: AcquirerReference) async -> CloseAnswer {
        await sound.close(reference)
    }

    func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        await sound.perform(attempt)
    }

    func link(for attempt: PaymentAttempt) async -> LinkAnswer { await sound.link(for: attempt) }
}

/// A journal that keeps the beginning of an attempt to itself until something else is known.
actor LateJournal: AttemptJournal {
    private let journal: MemoryAttemptJournal
    private var held: [JournalEntry] = []

    init(_ journal: MemoryAttemptJournal) { self.journal = journal }

    func begin(_ entry: JournalEntry) async throws(PaymentRefusal) -> BeginAnswer {
        // What an earlier process held back went with it.
        held = [entry]
        if let refusal = journal.read({ book -> PaymentRefusal? in
            do throws(PaymentRefusal) {
                _ = try book.check(entry)
                return nil
            } catch {
                return error
            }
        }) {
            held = []
            throw refusal
        }
        return .begun
    }

    func append(_ entries: [JournalEntry]) async throws(JournalError) {
        let ended = entries.contains { if case .ended = $0.fact { true } else { false } }
        guard ended else { return }
        for entry in held {
            do throws(PaymentRefusal) {
                _ = try journal.begin(entry)
            } catch {
                throw JournalError("\(error)")
            }
        }
        held = []
        journal.append(entries)
    }

    func read<Answer: Sendable>(_ body: @Sendable (AttemptBook) -> Answer) async -> Answer {
        journal.read(body)
    }
}
