/// Decides which entries of a journal are still worth keeping.
///
/// An attempt that is open, pending, contradicted or settled by a person keeps all of them, and so
/// does one that ended lately. Of any other stay its beginning, its end, and every reference that it
/// claimed: what protects its order, and its record, for ever.
struct JournalCompaction: Sendable {
    private let whole: Set<AttemptID>
    private let references: [AttemptID: Set<AcquirerReference>]

    init(_ book: AttemptBook, endedBefore limit: Date) {
        var whole: Set<AttemptID> = []
        var references: [AttemptID: Set<AcquirerReference>] = [:]
        for attempt in book.all {
            let isRecent = attempt.history.last.map { $0.at >= limit } ?? true
            let isPlain = attempt.verdict == nil && attempt.contradictions.isEmpty
            if attempt.canChange || isRecent || !isPlain {
                whole.insert(attempt.id)
            } else {
                references[attempt.id] = Set(attempt.ending?.references ?? [])
            }
        }
        self.whole = whole
        self.references = references
    }

    /// Whether an entry stays.
    func keeps(_ entry: JournalEntry) -> Bool {
        guard !whole.contains(entry.attempt) else { return true }
        switch entry.fact {
        case .began, .ended, .settled, .contradicted: return true
        case .noted(let reference):
            return references[entry.attempt]?.contains(reference) != true
        case .lookedUp, .leftOpen: return false
        }
    }
}

extension FileAttemptJournal {
    /// What making a journal smaller has changed.
    public struct Compaction: Hashable, Sendable {
        /// How many entries there were.
        public var entriesBefore = 0
        /// How many stayed.
        public var entriesAfter = 0
        /// How many bytes the file had.
        public var bytesBefore: Int64 = 0
        /// How many it has.
        public var bytesAfter: Int64 = 0
    }

    /// Makes a journal smaller that nobody has open; no attempt is forgotten.
    ///
    /// Attempts that ended longer ago lose what happened in between, such as looks into the books.
    /// The new file is written beside the old one, read again and compared, and only then put in its
    /// place; a crash at any moment leaves one of the two, whole.
    ///
    /// - Parameters:
    ///   - path: The journal's file.
    ///   - retention: How long everything about an attempt is kept.
    ///   - environment: Where the time of day comes from, and which thread waits for the medium.
    /// - Returns: What has changed.
    /// - Throws: ``JournalError`` when the file is damaged, in use or not writable; then it is as it was.
    public static func compact(
        path: String,
        keeping retention: Duration,
        environment: PaymentEnvironment
    ) async throws(JournalError) -> Compaction {
        let limit = environment.wallTime().advanced(by: .zero - retention)
        return try await JournalThread(environment).value {
            Result { () throws(JournalError) in
                try JournalCompactor(path: path, limit: limit).run()
            }
        }.get()
    }
}

/// Writes the smaller journal and puts it in its place.
private struct JournalCompactor {
    let path: String
    let limit: Date
    private let format = JournalFormat()

    func run() throws(JournalError) -> FileAttemptJournal.Compaction {
        let old = try JournalFile(path: path, disk: .system)
        defer { old.close() }
        let before = try JournalRecovery(old, format)
        var report = FileAttemptJournal.Compaction()
        report.bytesBefore = try old.size()
        let choice = JournalCompaction(before.book, endedBefore: limit)
        let place = path + ".compact"
        old.removeNeighbour(".compact")
        let new = try JournalFile(path: place, disk: .system)
        do {
            report = try write(choice, from: old, to: new, report)
            new.close()
        } catch {
            new.close()
            old.removeNeighbour(".compact")
            throw error
        }
        try verify(place, before.book)
        try old.replace(with: ".compact")
        return report
    }

    private func write(
        _ choice: JournalCompaction,
        from old: JournalFile,
        to new: JournalFile,
        _ begun: FileAttemptJournal.Compaction
    ) throws(JournalError) -> FileAttemptJournal.Compaction {
        var report = begun
        var end = try JournalRecovery(new, format).end
        var waiting: [JournalEntry] = []
        var failure: JournalError?
        func flush() {
            guard failure == nil, !waiting.isEmpty else { return }
            do {
                let bytes = try format.lines(waiting)
                try new.append(bytes, at: end)
                end += Int64(bytes.count)
            } catch let error as JournalFile.WriteFailure {
                switch error {
                case .undone(let error), .broken(let error): failure = error
                }
            } catch {
                failure = error as? JournalError
            }
            waiting = []
        }
        _ = try JournalRecovery(old, format) { entry in
            report.entriesBefore += 1
            guard choice.keeps(entry) else { return }
            report.entriesAfter += 1
            waiting.append(entry)
            if waiting.count >= 512 { flush() }
        }
        flush()
        if let failure { throw failure }
        report.bytesAfter = end
        return report
    }

    /// Reads the new file as the next opener will, and compares what protects orders.
    private func verify(_ place: String, _ before: AttemptBook) throws(JournalError) {
        let file = try JournalFile(path: place, disk: .system)
        defer { file.close() }
        let after = try JournalRecovery(file, format).book
        let isSame = before.all.allSatisfy { attempt in
            guard let kept = after[attempt.id] else { return false }
            return kept.began == attempt.began && kept.ending == attempt.ending
                && kept.verdict == attempt.verdict
                && kept.contradictions == attempt.contradictions
                && Set(kept.references) == Set(attempt.references)
                && (!attempt.canChange || kept.history == attempt.history)
        }
        guard isSame, after.all.count == before.all.count else {
            throw JournalError(
                "\(path): the smaller journal would not say the same; nothing changed"
            )
        }
    }
}
