import Synchronization

/// Reads attempts again from a journal's file, as long as anybody holds on to it.
final class JournalPages: Sendable {
    private let file: Int32
    private let path: String
    private let format = JournalFormat()
    private let trouble = Mutex<String?>(nil)

    /// Takes a descriptor of the file, which is closed with this.
    init(file: Int32, path: String) {
        self.file = file
        self.path = path
    }

    deinit { JournalSystem.closeFile(file) }

    /// Why an attempt could not be read, the first time that happened.
    var problem: String? { trouble.withLock { $0 } }

    /// The attempt whose first line begins at an offset and whose last one ends before another.
    func attempt(at offset: Int64, to last: Int64) -> AttemptArchive.Found? {
        let bytes: [UInt8]
        do {
            bytes = try [UInt8](unsafeUninitializedCapacity: Int(max(0, last - offset))) {
                buffer,
                count in
                count = try JournalSystem.read(file, into: .init(buffer), at: offset)
            }
        } catch {
            return fail(offset, "\(error)")
        }
        guard bytes.count == last - offset else { return fail(offset, "the file is too short") }
        return bytes.withUnsafeBytes { attempt(in: $0, at: offset) }
    }

    private func attempt(
        in bytes: UnsafeRawBufferPointer,
        at offset: Int64
    ) -> AttemptArchive.Found? {
        var book = AttemptBook()
        var memory = JournalScanner.Memory()
        var id: AttemptID?
        var end = offset
        for line in bytes.split(separator: JournalFormat.newline) {
            guard let json = JournalFormat.confirmed(.init(rebasing: line)),
                let entry = JournalScanner.entry(json, &memory) ?? (try? format.entry(json))
            else {
                // The last line may be another attempt's, cut where the stretch ends.
                guard line.endIndex == bytes.endIndex else {
                    return fail(offset, "a record does not match its checksum")
                }
                break
            }
            guard id.map({ $0 == entry.attempt }) ?? entry.isBeginning else { continue }
            id = entry.attempt
            book.apply(entry)
            end = offset + Int64(line.endIndex) + 1
        }
        guard let id, let attempt = book[id], attempt.hasFinalEnding else {
            return fail(offset, "no attempt that ended begins there")
        }
        return .init(attempt: attempt, place: .init(start: offset, end: end))
    }

    private func fail(_ offset: Int64, _ problem: String) -> AttemptArchive.Found? {
        note("cannot be read again at byte \(offset): \(problem)")
        return nil
    }

    /// Remembers why something could not be read, unless something was remembered before.
    func note(_ problem: String) {
        trouble.withLock { $0 = $0 ?? "\(path): \(problem); open it again" }
    }
}

extension JournalEntry {
    fileprivate var isBeginning: Bool {
        if case .began = fact { true } else { false }
    }
}
