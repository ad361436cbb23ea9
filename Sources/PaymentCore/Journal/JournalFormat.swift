/// How a journal is written: a header, then one record a line.
///
/// Each line is the CRC-32 of what follows it as eight hexadecimal digits, a space and JSON with
/// sorted keys; the header's JSON names the format and its version.
struct JournalFormat: Sendable {
    private let encoder = JSONEncoder()
    private let decoder = JSONDecoder()

    init() {
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = JournalDate.encoding
        decoder.dateDecodingStrategy = JournalDate.decoding
    }

    static let newline = UInt8(ascii: "\n")
    /// What no line is longer than, so that reading needs little memory whatever the file holds.
    static let longestLine = 1_048_576
    /// The first line of every journal of this version.
    static let header: [UInt8] = {
        var writer = JournalWriter(records: 1)
        writer.line(#"{"format":"payment-journal","version":1}"#)
        return writer.bytes
    }()

    /// Writes entries, one a line.
    func lines(_ entries: [JournalEntry]) throws(JournalError) -> [UInt8] {
        var writer = JournalWriter(records: entries.count)
        for entry in entries {
            let start = writer.bytes.count
            do {
                try writer.line(entry) { try json(entry) }
            } catch {
                throw JournalError(
                    "an entry about attempt \(entry.attempt) cannot be written as JSON"
                )
            }
            let length = writer.bytes.count - start
            guard length < Self.longestLine else {
                throw JournalError(
                    """
                    an entry about attempt \(entry.attempt) is too long (\(length - 10) bytes); \
                    accepted are fewer than \(Self.longestLine - 10)
                    """
                )
            }
        }
        return writer.bytes
    }

    /// Writes one record's JSON, whatever is in it.
    func json(_ entry: JournalEntry) throws -> Data { try encoder.encode(entry) }

    /// The JSON of a line without its end; nil when the checksum does not confirm it.
    static func confirmed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard line.count > 9, line[8] == UInt8(ascii: " ") else { return nil }
        let json = UnsafeRawBufferPointer(rebasing: line[9...])
        let digits = CRC32.digits(CRC32.checksum(json))
        return line.loadUnaligned(as: UInt64.self) == digits ? json : nil
    }

    /// Reads one record's JSON.
    func entry(_ json: UnsafeRawBufferPointer) throws -> JournalEntry {
        try decoder.decode(JournalEntry.self, from: Data(json))
    }

    /// What is wrong with a first line; nil when it is the header.
    func headerProblem(_ line: UnsafeRawBufferPointer) -> String? {
        if line.elementsEqual(Self.header.dropLast()) { return nil }
        guard let json = Self.confirmed(line),
            let header = try? decoder.decode(Header.self, from: Data(json)),
            header.format == "payment-journal"
        else {
            return line.dropFirst(9).starts(with: Self.header.dropFirst(9).prefix(27))
                ? "the header is damaged" : "the file is no payment journal"
        }
        if header.version == 1 { return nil }
        return """
            the journal has version \(header.version), which this program cannot use; \
            accepted is version 1
            """
    }

    private struct Header: Decodable {
        let format: String
        let version: Int
    }
}
