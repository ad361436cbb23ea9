/// The note beside a journal that says which process has it open.
///
/// It only informs: what excludes others is the lock on the journal itself, which ends with its
/// process, so a note left by a crash is harmless.
struct JournalHolder: Sendable {
    private let folder: Int32
    private let name: String

    init(folder: Int32, journal: String) {
        self.folder = folder
        name = journal + ".lock"
    }

    /// Writes that this process has the journal; without room for that the journal still works.
    func write() {
        guard let file = try? JournalSystem.openNote(in: folder, name) else { return }
        defer { JournalSystem.closeFile(file) }
        let program = CommandLine.arguments.first?.split(separator: "/").last ?? "unknown"
        let text = "\(JournalSystem.processID) \(program)\n"
        _ = try? JournalSystem.write(file, Array(text.utf8)[...], at: 0)
    }

    func remove() { JournalSystem.remove(in: folder, name) }

    /// Who has the journal, for people.
    func describe() -> String {
        guard let text = read() else { return "another process" }
        let words = text.split(separator: " ", maxSplits: 1)
        guard let process = words.first.flatMap({ Int32($0) }) else { return "another process" }
        guard process != JournalSystem.processID else { return "this process" }
        let program = words.dropFirst().first.map { " (\($0))" } ?? ""
        return "process \(process)\(program)"
    }

    private func read() -> String? {
        guard let file = try? JournalSystem.openToRead(in: folder, name) else { return nil }
        defer { JournalSystem.closeFile(file) }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = bytes.withUnsafeMutableBytes { try? JournalSystem.read(file, into: $0, at: 0) }
        guard let count else { return nil }
        let line = bytes.prefix(count).prefix { $0 != JournalFormat.newline }
        return String(
            String.UnicodeScalarView(
                String(decoding: line, as: UTF8.self).unicodeScalars.filter {
                    $0.properties.generalCategory != .control
                }
            )
        )
    }
}
