/// Reads a journal's file from its beginning, in little memory, and mends an end that was cut.
struct JournalRecovery {
    /// What the file's entries add up to.
    private(set) var book: AttemptBook
    /// Where the next line belongs.
    private(set) var end: Int64 = 0
    /// How many entries values were made of.
    private(set) var values = 0
    private let file: JournalFile
    private let format: JournalFormat
    private var line = 0
    private let each: Visit?
    private var memory = JournalScanner.Memory()
    private var reader = PlainReader()
    /// The attempts of which only the plain records were read; nil when each entry is made a value.
    private var plain: PlainAttempts?
    /// Plain records that were read and not taken in yet.
    private var waiting: [PlainRecord] = []
    private static let mostWaiting = 64
    /// What was fetched for them, so that nobody takes the fetching for idle.
    private var fetched: UInt64 = 0

    /// Something that is done with each line and what it says.
    typealias Visit = (UnsafeRawBufferPointer, JournalEntry) throws(JournalError) -> Void

    /// Reads the whole file; a file without content becomes a new journal.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - format: How it is written.
    ///   - kept: How many of the attempts that ended stay in memory.
    ///   - entryByEntry: Whether a value is made of each entry, in the order in which they stand.
    ///   - each: Called with each line, without its end, and its entry; then no book is made.
    /// - Throws: ``JournalError`` when it is damaged.
    init(
        _ file: JournalFile,
        _ format: JournalFormat,
        keeping kept: Int = AttemptBook.keptInMemory,
        entryByEntry: Bool = false,
        each: Visit? = nil
    ) throws(JournalError) {
        self.each = each
        self.file = file
        book = AttemptBook(archivedIn: try file.archive(), keeping: kept)
        self.format = format
        let size = try file.size()
        let contentEnd = try endOfContent(size)
        let header = JournalFormat.header
        let start = try file.read(at: 0, count: header.count)
        // Before the first sync a crash may leave less than the header, or NUL bytes in its place.
        if size <= header.count, contentEnd < header.count,
            header.starts(with: start.prefix(Int(contentEnd)))
        {
            try create(replacing: size)
            return
        }
        if each == nil, !entryByEntry {
            plain = PlainAttempts(keeping: kept)
            book.beginFilling(from: contentEnd)
        }
        let rest = try readLines(to: contentEnd)
        try rest.withUnsafeBufferPointer { bytes throws(JournalError) in
            try finish(.init(bytes), size)
        }
        try takeWaiting()
        book.endFilling()
        for lines in plain?.releaseAll() ?? [] { try applyAgain(lines) }
    }

    private mutating func create(replacing size: Int64) throws(JournalError) {
        do {
            if size > 0 { try file.truncate(to: 0) }
        } catch {
            throw JournalError("\(file.path): cannot be created: \(error)")
        }
        try write(JournalFormat.header)
        do {
            try file.syncFolder()
        } catch {
            throw JournalError("\(file.path): its folder cannot be written: \(error)")
        }
    }

    private mutating func write(_ bytes: [UInt8]) throws(JournalError) {
        do {
            try file.append(bytes, at: end)
        } catch {
            switch error {
            case .undone(let error), .broken(let error): throw error
            }
        }
        end += Int64(bytes.count)
    }

    /// The offset after the last byte that is not NUL.
    private func endOfContent(_ size: Int64) throws(JournalError) -> Int64 {
        var end = size
        while end > 0 {
            let start = max(0, end - Self.chunk)
            let bytes = try file.read(at: start, count: Int(end - start))
            if let last = bytes.lastIndex(where: { $0 != 0 }) {
                return try file.endOfContent(before: start + Int64(last) + 1, size: size)
            }
            end = start
        }
        return 0
    }

    private static let chunk: Int64 = 262_144

    /// Takes in whole lines; what follows the last of them is returned.
    private mutating func readLines(to contentEnd: Int64) throws(JournalError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: JournalFormat.longestLine + Int(Self.chunk),
            alignment: 16
        )
        defer { buffer.deallocate() }
        // What is read of a line that has not ended stands at the buffer's beginning.
        var rest = 0
        var offset: Int64 = 0
        while offset < contentEnd {
            let count = Int(min(Self.chunk, contentEnd - offset))
            let free = UnsafeMutableRawBufferPointer(rebasing: buffer[rest..<rest + count])
            let length = try file.read(into: free, at: offset)
            guard length > 0 else {
                throw JournalError("\(file.path): became shorter while it was read")
            }
            offset += Int64(length)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(rest + length)])
            var (start, searched) = (0, rest)
            while let newline = JournalSystem.index(
                of: JournalFormat.newline,
                in: .init(rebasing: bytes[searched...])
            ) {
                try take(.init(rebasing: bytes[start..<searched + newline]))
                start = searched + newline + 1
                searched = start
            }
            rest = bytes.count - start
            buffer.copyMemory(from: .init(rebasing: bytes[start...]))
            if line == 0, rest > 4_096 { throw damage("the file is no payment journal") }
            if rest >= JournalFormat.longestLine { throw damage("the line is too long") }
        }
        return Array(buffer[..<rest])
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer) throws(JournalError) {
        if line == 0 {
            if let problem = format.headerProblem(bytes) { throw damage(problem) }
        } else {
            guard let json = JournalFormat.confirmed(bytes) else {
                throw damage("the record does not match its checksum")
            }
            if let each {
                try each(bytes, value(of: json))
            } else {
                try apply(json, bytes.count + 1)
            }
        }
        line += 1
        end += Int64(bytes.count) + 1
    }

    /// Takes in a record whose checksum was right.
    ///
    /// One of a form that was seen before is compared with it, byte by byte and text by text, and is
    /// as good as read; of any other one a value is made, by the scanner or by the decoder.
    private mutating func apply(
        _ json: UnsafeRawBufferPointer,
        _ length: Int
    ) throws(JournalError) {
        let lines = end..<end + Int64(length)
        guard plain != nil else { return try apply(value(of: json), at: lines) }
        if !reader.read(json, at: lines) {
            let (entry, shape) = try markedValue(of: json)
            guard let shape, reader.learn(shape, from: json, at: lines) else {
                try takeWaiting()
                return try apply(entry, at: lines)
            }
        }
        waiting.append(reader.record)
        if waiting.count == Self.mostWaiting { try takeWaiting() }
    }

    /// Takes in the plain records that wait.
    ///
    /// What is known of them lies all over the memory, and fetching it for many at a time takes
    /// hardly longer than for one.
    private mutating func takeWaiting() throws(JournalError) {
        fetched &+= waiting.reduce(0) { $0 &+ $1.fetched(from: book) }
        for record in waiting {
            if plain?.take(record, &book) == true {
                book.reach(record.lines.upperBound)
            } else {
                try apply(readAgain(at: record.lines.lowerBound).entry, at: record.lines)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Applies an entry, after whatever was left out and has to do with it.
    private mutating func apply(
        _ entry: JournalEntry,
        at lines: Range<Int64>
    ) throws(JournalError) {
        if plain != nil, !book.isPresent(entry.attempt), let attempt = ShortName(entry.attempt),
            book.mayKnow(attempt.hash)
        {
            try applyAgain(plain?.release(attempt) ?? [])
        }
        let references = entry.references.map { NameHash.of($0) }
        for reference in references where book.mayKnow(reference) {
            try applyAgain(plain?.release(naming: reference) ?? [])
        }
        book.apply(entry, at: lines)
        for name in references + [NameHash.of(entry.attempt)] { book.know(name) }
    }

    private mutating func value(
        of json: UnsafeRawBufferPointer
    ) throws(JournalError) -> JournalEntry {
        values += 1
        if let entry = JournalScanner.entry(json, &memory) { return entry }
        do { return try format.entry(json) } catch {
            throw damage("the record is whole, but this program cannot read it")
        }
    }

    /// The value of a record, and its form if that is a plain one.
    private mutating func markedValue(
        of json: UnsafeRawBufferPointer
    ) throws(JournalError) -> (JournalEntry, RecordShape?) {
        guard let (entry, marks) = JournalScanner.markedEntry(json, &memory) else {
            return (try value(of: json), nil)
        }
        values += 1
        return (entry, RecordShape(of: json, entry, marks))
    }

    /// Applies lines of an attempt that was plain, which were read before.
    private mutating func applyAgain(_ starts: [Int64]) throws(JournalError) {
        for start in starts {
            let (entry, end) = try readAgain(at: start)
            book.apply(entry, at: start..<end, isAlone: true)
        }
    }

    private mutating func readAgain(
        at start: Int64
    ) throws(JournalError) -> (entry: JournalEntry, end: Int64) {
        let line = try file.line(at: start)
        let entry = try line.withUnsafeBufferPointer { bytes throws(JournalError) in
            try JournalFormat.confirmed(.init(bytes)).map { json throws(JournalError) in
                try value(of: json)
            }
        }
        guard let entry else { throw JournalError("\(file.path): was changed while it was read") }
        return (entry, start + Int64(line.count) + 1)
    }

    /// Mends the end: cuts what is no whole record, or ends the last line.
    private mutating func finish(
        _ rest: UnsafeRawBufferPointer,
        _ size: Int64
    ) throws(JournalError) {
        if line == 0 { throw damage(format.headerProblem(rest) ?? "the header is cut") }
        if let json = JournalFormat.confirmed(rest) {
            // The record is whole, so that forgetting it could charge an order twice.
            try apply(json, rest.count + 1)
            end += Int64(rest.count)
            if size > end { try cut() }
            try write([JournalFormat.newline])
            return
        }
        // No write that was cut leaves a whole record and more; this was a line's end.
        guard JournalFormat.confirmed(.init(rebasing: rest.dropLast())) == nil else {
            throw damage("the record does not match its checksum")
        }
        if size > end { try cut() }
    }

    private func cut() throws(JournalError) {
        do {
            try file.truncate(to: end)
        } catch {
            throw JournalError(
                "\(file.path): the record that a crash cut cannot be removed: \(error)"
            )
        }
    }

    /// An error about the line that would come next.
    private func damage(_ problem: String) -> JournalError {
        JournalError(
            """
            \(file.path):\(line + 1): \(problem) (line begins at byte \(end)); \
            the file was not changed
            """
        )
    }
}

extension JournalEntry {
    /// The acquirer's records that it names as its attempt's.
    fileprivate var references: [AcquirerReference] {
        switch fact {
        case .noted(let reference): [reference]
        case .ended(let ending, _), .contradicted(let ending): ending.references
        case .settled(let verdict):
            if case .moved(let reference?) = verdict.decision { [reference] } else { [] }
        case .began, .lookedUp, .leftOpen: []
        }
    }
}

extension PlainRecord {
    /// Some of what a book knows of its names.
    fileprivate func fetched(from book: AttemptBook) -> UInt64 {
        if case .began = fact { return book.fetch(attempt.hash) }
        return references.indices.reduce(0) { $0 &+ book.fetch(references[$1]) }
    }
}
