/// How a journal is written: a header, then one record a line.
///
/// A line is the CRC-32 of its text in hex, a blank, and the text: for the header the name and
/// version of the format, for a record the JSON of a ``JournalEntry``.
enum JournalFormat {
    /// The text of the header line.
    static let header = Array("payment-journal 1".utf8)

    /// A text as a line.
    static func line(_ text: [UInt8]) -> [UInt8] { CRC32.hex(text) + [0x20] + text + [0x0A] }

    /// An entry as a line.
    static func line(_ entry: JournalEntry) throws(JournalError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(
                Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
            )
        }
        do {
            return line(Array(try encoder.encode(entry)))
        } catch {
            throw JournalError("a record cannot be written as JSON")
        }
    }

    /// The text of a line without its end; nil unless its check is right.
    static func text(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.count > 9, line[line.startIndex + 8] == 0x20 else { return nil }
        let text = line.dropFirst(9)
        return Array(line.prefix(8)) == CRC32.hex(text) ? text : nil
    }

    /// The entry that a text holds.
    static func entry(_ text: ArraySlice<UInt8>) throws -> JournalEntry {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            guard let date = try? style.parse(text) else {
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "not a time"
                )
            }
            return date
        }
        return try decoder.decode(JournalEntry.self, from: Data(text))
    }

    /// What a journal's bytes hold.
    struct Reading {
        /// The entries, in order.
        var entries: [JournalEntry] = []
        /// Where the whole records end; what follows is torn.
        var end = 0
        /// Whether there is no header yet.
        var isNew = false
    }

    /// Reads a journal.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - path: What errors call it.
    /// - Returns: The entries and the place where they end.
    /// - Throws: ``JournalError`` that names the place of any damage but a torn end.
    static func read(_ bytes: [UInt8], path: String) throws(JournalError) -> Reading {
        var reading = Reading()
        var number = 0
        while reading.end < bytes.endIndex {
            let rest = bytes[reading.end...]
            guard let newline = rest.firstIndex(of: 0x0A) else { break }
            number += 1
            let line = bytes[reading.end..<newline]
            guard let text = text(of: line) else {
                if number == 1 { throw foreign(path) }
                if isTorn(bytes[reading.end...]) { break }
                throw damage(path, number, reading.end, "its check is wrong")
            }
            if number == 1 {
                guard Array(text) == header else { throw version(path, text) }
            } else {
                do {
                    reading.entries.append(try entry(text))
                } catch {
                    throw damage(path, number, reading.end, "it cannot be understood")
                }
            }
            reading.end = newline + 1
        }
        reading.isNew = reading.end == 0
        if reading.isNew, !isTornHeader(bytes) { throw foreign(path) }
        if !isTorn(bytes[reading.end...]) {
            throw damage(path, number + 1, reading.end, "its check is wrong")
        }
        return reading
    }

    /// Whether bytes can be the end that a crash left: nothing, NUL bytes, or part of one line.
    ///
    /// A last line that is whole but for its check is damage: it may have been acknowledged.
    private static func isTorn(_ bytes: ArraySlice<UInt8>) -> Bool {
        let tail = bytes.prefix(
            (bytes.lastIndex { $0 != 0 }).map { $0 + 1 - bytes.startIndex } ?? 0
        )
        guard let newline = tail.firstIndex(of: 0x0A) else { return true }
        return newline == tail.index(before: tail.endIndex) && tail.contains(0)
    }

    /// Whether a file without a whole line is an empty journal, or one whose header was torn.
    private static func isTornHeader(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix { $0 != 0 }
        return line(header).starts(with: start)
            && bytes.dropFirst(start.count).allSatisfy { $0 == 0 }
    }

    private static func damage(
        _ path: String,
        _ line: Int,
        _ offset: Int,
        _ problem: String
    ) -> JournalError {
        JournalError(
            """
            \(path):\(line): the record at byte \(offset) is damaged: \(problem); \
            nothing was changed, so keep the file and have it looked at
            """
        )
    }

    private static func foreign(_ path: String) -> JournalError {
        JournalError("\(path): not a payment journal; nothing was changed, name another file")
    }

    private static func version(_ path: String, _ text: ArraySlice<UInt8>) -> JournalError {
        guard text.starts(with: "payment-journal ".utf8) else { return foreign(path) }
        let found = String(decoding: text.prefix(40), as: UTF8.self)
        return JournalError(
            """
            \(path): found "\(found)"; this version reads "payment-journal 1" alone, \
            and nothing was changed
            """
        )
    }
}
