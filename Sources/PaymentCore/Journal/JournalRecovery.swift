/// Reads a journal's file from its beginning, in little memory, and mends an end that was cut.
struct JournalRecovery {
    /// What the file's entries add up to.
    private(set) var book: AttemptBook
    /// Where the next line belongs.
    private(set) var end: Int64 = 0
    private let file: JournalFile
    private let format: JournalFormat
    private var line = 0
    private let each: ((JournalEntry) -> Void)?
    private var memory = JournalScanner.Memory()

    /// Reads the whole file; a file without content becomes a new journal.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - format: How it is written.
    ///   - kept: How many of the attempts that ended stay in memory.
    ///   - each: Called with each entry, in the order in which they stand.
    /// - Throws: ``JournalError`` when it is damaged.
    init(
        _ file: JournalFile,
        _ format: JournalFormat,
        keeping kept: Int = AttemptBook.keptInMemory,
        each: ((JournalEntry) -> Void)? = nil
    ) throws(JournalError) {
        self.each = each
        self.file = file
        book = AttemptBook(archivedIn: try file.pages(), keeping: kept)
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
        let rest = try readLines(to: contentEnd)
        try finish(rest, size)
        book.settleArchive()
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

    private static let chunk: Int64 = 65_536

    /// Takes in whole lines; what follows the last of them is returned.
    private mutating func readLines(to contentEnd: Int64) throws(JournalError) -> [UInt8] {
        var rest: [UInt8] = []
        var offset: Int64 = 0
        while offset < contentEnd {
            let count = Int(min(Self.chunk, contentEnd - offset))
            let bytes = try file.read(at: offset, count: count)
            guard !bytes.isEmpty else {
                throw JournalError("\(file.path): became shorter while it was read")
            }
            offset += Int64(bytes.count)
            var unread = bytes[...]
            while let newline = unread.firstIndex(of: JournalFormat.newline) {
                if rest.isEmpty {
                    try take(unread[..<newline])
                } else {
                    rest += unread[..<newline]
                    try take(rest[...])
                    rest.removeAll(keepingCapacity: true)
                }
                unread = unread[(newline + 1)...]
            }
            rest += unread
            if line == 0, rest.count > 4_096 { throw damage("the file is no payment journal") }
            if rest.count > JournalFormat.longestLine { throw damage("the line is too long") }
        }
        return rest
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws(JournalError) {
        if line == 0 {
            if let problem = format.headerProblem(bytes) { throw damage(problem) }
        } else {
            guard let json = JournalFormat.confirmed(bytes) else {
                throw damage("the record does not match its checksum")
            }
            try apply(json, bytes.count + 1)
        }
        line += 1
        end += Int64(bytes.count) + 1
    }

    private mutating func apply(_ json: ArraySlice<UInt8>, _ length: Int) throws(JournalError) {
        do {
            let entry = try JournalScanner.entry(json, &memory) ?? format.entry(json)
            book.apply(entry, at: end..<end + Int64(length))
            each?(entry)
        } catch {
            throw damage("the record is whole, but this program cannot read it")
        }
    }

    /// Mends the end: cuts what is no whole record, or ends the last line.
    private mutating func finish(_ rest: [UInt8], _ size: Int64) throws(JournalError) {
        if line == 0 { throw damage(format.headerProblem(rest[...]) ?? "the header is cut") }
        if let json = JournalFormat.confirmed(rest[...]) {
            // The record is whole, so that forgetting it could charge an order twice.
            try apply(json, rest.count + 1)
            end += Int64(rest.count)
            if size > end { try cut() }
            try write([JournalFormat.newline])
            return
        }
        // No write that was cut leaves a whole record and more; this was a line's end.
        guard JournalFormat.confirmed(rest.dropLast()) == nil else {
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
