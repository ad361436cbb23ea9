/// A run in a file that has no name and goes with the last who holds on to it.
///
/// It is written once, and each page is read with its checksum: what cannot be read, or is not what
/// was written, is an error and never a name that seems not to be there.
final class NameFile: Sendable {
    /// How many slots there are.
    let count: Int
    private let file: UnnamedFile
    /// The first slot of each page.
    private let firsts: [UInt64]
    private let disk: JournalDisk

    private static let pageSize = 1_024
    private static let slotsInPage = pageSize / 8 - 1

    private init(_ file: UnnamedFile, count: Int, firsts: [UInt64], disk: JournalDisk) {
        self.file = file
        self.count = count
        self.firsts = firsts
        self.disk = disk
    }

    var pageCount: Int { firsts.count }

    /// The slots that have a tag.
    func slots(tagged tag: UInt64) throws(SystemError) -> [UInt64] {
        // What has the tag may begin at the end of the page before.
        let next = NameRun.firstIndex(atLeast: tag, in: firsts)
        let last = firsts[next...].prefix { NameSlot.tag(of: $0) == tag }.endIndex
        return NameRun.slots(tagged: tag, in: try slots(ofPages: max(0, next - 1)..<last))
    }

    /// The slots of some pages.
    func slots(ofPages pages: Range<Int>) throws(SystemError) -> [UInt64] {
        guard !pages.isEmpty else { return [] }
        let words = try words(ofPages: pages)
        let count = min(count, pages.upperBound * Self.slotsInPage)
        var slots: [UInt64] = []
        slots.reserveCapacity(pages.count * Self.slotsInPage)
        for (index, page) in pages.enumerated() {
            let start = index * (Self.slotsInPage + 1)
            slots += words[start..<start + min(Self.slotsInPage, count - page * Self.slotsInPage)]
            guard words[start + Self.slotsInPage] == Self.checksum(words, start),
                words[start] == firsts[page]
            else { throw .inputOutput }
        }
        return slots
    }

    private func words(ofPages pages: Range<Int>) throws(SystemError) -> [UInt64] {
        let offset = Int64(pages.lowerBound * Self.pageSize)
        var words = [UInt64](repeating: 0, count: pages.count * Self.pageSize / 8)
        try words.withUnsafeMutableBufferPointer { words throws(SystemError) in
            var rest = UnsafeMutableRawBufferPointer(words)
            while !rest.isEmpty {
                let end = offset + Int64(words.count * 8 - rest.count)
                let count = try disk.read(file.number, rest, end)
                guard count > 0 else { throw .inputOutput }
                rest = .init(rebasing: rest[count...])
            }
        }
        return words
    }

    private static func checksum(_ words: [UInt64], _ start: Int) -> UInt64 {
        words.withUnsafeBytes { bytes in
            UInt64(CRC32.checksum(.init(rebasing: bytes[start * 8..<(start + slotsInPage) * 8])))
        }
    }
}

extension NameFile {
    /// Writes a run from its first slot to its last.
    struct Writer {
        private let file: UnnamedFile
        private let disk: JournalDisk
        private var words: [UInt64] = []
        private var firsts: [UInt64] = []
        private var count = 0
        private var inPage = 0
        private var end: Int64 = 0
        private var hasFailed = false

        /// Takes a file without a name, which is closed with the last who holds on to the run.
        init(_ file: Int32, _ disk: JournalDisk) {
            self.file = UnnamedFile(number: file)
            self.disk = disk
            words.reserveCapacity(64 * (slotsInPage + 1))
        }

        mutating func append(_ slots: [UInt64]) {
            var rest = slots[...]
            while let first = rest.first {
                if inPage == 0 { firsts.append(first) }
                let part = rest.prefix(slotsInPage - inPage)
                words += part
                count += part.count
                inPage += part.count
                rest = rest[part.endIndex...]
                if inPage == slotsInPage { endPage() }
            }
        }

        /// The run; nil when it could not be written.
        consuming func finish() -> NameFile? {
            if inPage > 0 {
                words += [UInt64](repeating: 0, count: slotsInPage - inPage)
                endPage()
            }
            write()
            guard !hasFailed else { return nil }
            return NameFile(file, count: count, firsts: firsts, disk: disk)
        }

        private mutating func endPage() {
            words.append(checksum(words, words.count - slotsInPage))
            inPage = 0
            if words.count == 64 * (slotsInPage + 1) { write() }
        }

        private mutating func write() {
            defer { words.removeAll(keepingCapacity: true) }
            guard !hasFailed else { return }
            var rest = words.withUnsafeBytes { Array($0) }[...]
            while !rest.isEmpty {
                guard let length = try? disk.write(file.number, rest, end), length > 0 else {
                    hasFailed = true
                    return
                }
                end += Int64(length)
                rest = rest.dropFirst(length)
            }
        }
    }
}

/// Closes a file once nobody holds on to it.
private final class UnnamedFile: Sendable {
    let number: Int32

    init(number: Int32) { self.number = number }

    deinit { JournalSystem.closeFile(number) }
}
