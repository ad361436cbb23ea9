/// Decides which entries of a journal are still worth keeping.
///
/// An attempt that is open, pending, contradicted or settled by a person keeps all of them, and so
/// does one that ended lately. Of any other stay its beginning, its end, every reference that it
/// claimed, and, if it has none, its doubts: what protects its order, and its record, for ever.
struct JournalCompaction {
    private let book: AttemptBook
    private let limit: Date
    /// Attempts that keep all of their entries, whatever they are.
    private let whole: Set<AttemptID>
    /// What was decided last: entries of one attempt often stand together.
    private var last: (id: AttemptID, choice: Choice)?

    private enum Choice {
        case whole
        /// The end names these references again.
        case short(named: [AcquirerReference], isReferenced: Bool)
    }

    init(_ book: AttemptBook, endedBefore limit: Date, whole: Set<AttemptID> = []) {
        self.book = book
        self.limit = limit
        self.whole = whole
    }

    /// Whether an entry stays.
    mutating func keeps(_ entry: JournalEntry) -> Bool {
        guard case .short(let named, let isReferenced) = choice(for: entry.attempt) else {
            return true
        }
        return switch entry.fact {
        case .began, .ended, .settled, .contradicted: true
        case .noted(let reference): !named.contains(reference)
        case .leftOpen: !isReferenced
        case .lookedUp: false
        }
    }

    private mutating func choice(for id: AttemptID) -> Choice {
        if let last, last.id == id { return last.choice }
        let choice = book[id].map(self.choice(for:)) ?? Choice.whole
        last = (id, choice)
        return choice
    }

    private func choice(for attempt: AttemptBook.Attempt) -> Choice {
        let isRecent = attempt.history.last.map { $0.at >= limit } ?? true
        let isPlain = attempt.verdict == nil && attempt.contradictions.isEmpty
        if attempt.canChange || isRecent || !isPlain || whole.contains(attempt.id) { return .whole }
        return .short(
            named: attempt.ending?.references ?? [],
            isReferenced: !attempt.references.isEmpty
        )
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
        let place = path + ".compact"
        old.removeNeighbour(".compact")
        do throws(JournalError) {
            // Attempts that name the same record decide by their order whose it is. Whatever would
            // not say the same in a smaller journal keeps everything.
            var whole: Set<AttemptID> = []
            while true {
                let choice = JournalCompaction(before.book, endedBefore: limit, whole: whole)
                report = try write(choice, from: old, to: place, report)
                let changed = try changed(by: place, before.book)
                if changed.isEmpty { break }
                guard !whole.isSuperset(of: changed) else {
                    throw JournalError(
                        "\(path): the smaller journal would not say the same; nothing changed"
                    )
                }
                whole.formUnion(changed)
                old.removeNeighbour(".compact")
            }
        } catch {
            old.removeNeighbour(".compact")
            throw error
        }
        try old.replace(with: ".compact")
        return report
    }

    private func write(
        _ choice: JournalCompaction,
        from old: JournalFile,
        to place: String,
        _ begun: FileAttemptJournal.Compaction
    ) throws(JournalError) -> FileAttemptJournal.Compaction {
        let new = try JournalFile(path: place, disk: .system)
        defer { new.close() }
        var (report, choice) = (begun, choice)
        (report.entriesBefore, report.entriesAfter) = (0, 0)
        var end = try JournalRecovery(new, format).end
        var waiting: [UInt8] = []
        func flush() throws(JournalError) {
            guard !waiting.isEmpty else { return }
            do {
                try new.append(waiting, at: end)
            } catch {
                switch error {
                case .undone(let error), .broken(let error): throw error
                }
            }
            end += Int64(waiting.count)
            waiting.removeAll(keepingCapacity: true)
        }
        _ = try JournalRecovery(old, format) { line, entry throws(JournalError) in
            report.entriesBefore += 1
            guard choice.keeps(entry) else { return }
            report.entriesAfter += 1
            waiting += line
            waiting.append(JournalFormat.newline)
            if waiting.count >= Self.piece { try flush() }
        }
        try flush()
        report.bytesAfter = end
        return report
    }

    /// How many bytes are written at a time.
    private static let piece = 262_144

    /// Reads the new file as the next opener will; the attempts that it says something else about.
    private func changed(
        by place: String,
        _ before: AttemptBook
    ) throws(JournalError) -> Set<AttemptID> {
        let file = try JournalFile(path: place, disk: .system)
        defer { file.close() }
        let after = try JournalRecovery(file, format).book
        var changed: Set<AttemptID> = []
        before.forEach { attempt in
            if after[attempt.id].map({ attempt.isProtected(by: $0) }) != true {
                changed.insert(attempt.id)
            }
        }
        after.forEach { if before[$0.id] == nil { changed.insert($0.id) } }
        if let problem = before.problem ?? after.problem { throw JournalError(problem) }
        return changed
    }
}

extension AttemptBook.Attempt {
    /// Whether a shorter account of the attempt says all that must not be forgotten.
    fileprivate func isProtected(by kept: AttemptBook.Attempt) -> Bool {
        kept.began == began && kept.ending == ending && kept.verdict == verdict
            && kept.contradictions == contradictions && Set(kept.references) == Set(references)
            && (!canChange || kept.history == history)
            // Without a reference only its time tells which record could be its own.
            && (!references.isEmpty || kept.active == active)
    }
}
