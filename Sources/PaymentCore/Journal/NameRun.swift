/// Slots in the order of their tags: few of them in memory, many in a file.
enum NameRun: Sendable {
    case inMemory([UInt64])
    case inFile(NameFile)

    /// How many slots there are.
    var count: Int {
        switch self {
        case .inMemory(let slots): slots.count
        case .inFile(let file): file.count
        }
    }

    /// The slots that have a tag.
    func slots(tagged tag: UInt64) throws(SystemError) -> [UInt64] {
        switch self {
        case .inMemory(let slots): Self.slots(tagged: tag, in: slots)
        case .inFile(let file): try file.slots(tagged: tag)
        }
    }

    /// The part of sorted slots that has a tag.
    static func slots(tagged tag: UInt64, in slots: [UInt64]) -> [UInt64] {
        let start = firstIndex(atLeast: tag, in: slots)
        return Array(slots[start...].prefix { NameSlot.tag(of: $0) == tag })
    }

    /// The first of sorted slots whose tag is not below a tag.
    static func firstIndex(atLeast tag: UInt64, in slots: [UInt64]) -> Int {
        var (low, high) = (0, slots.count)
        while low < high {
            let middle = (low + high) / 2
            if NameSlot.tag(of: slots[middle]) < tag { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Hands out the slots of several runs in one order, some at a time.
    ///
    /// Tags are spread evenly, so that those up to one and those behind it are about so many; a part
    /// that fits the processor's cache is sorted faster than several runs are compared with each other.
    static func merge(_ runs: [NameRun], _ take: ([UInt64]) -> Void) throws(SystemError) {
        var cursors = runs.map { Cursor($0) }
        let parts = UInt64(runs.reduce(0) { $0 + $1.count } / 8_192 + 1)
        var slots: [UInt64] = []
        for part in 1...parts {
            let end = part == parts ? .max : NameSlot.tagCount / parts * part
            slots.removeAll(keepingCapacity: true)
            for index in cursors.indices { try cursors[index].take(below: end, into: &slots) }
            NameSlot.sort(&slots)
            take(slots)
        }
    }

    /// Goes through a run's slots, of which a part is in memory.
    private struct Cursor {
        private let run: NameRun
        private var slots: ArraySlice<UInt64> = []
        private var page = 0

        init(_ run: NameRun) {
            self.run = run
            if case .inMemory(let slots) = run { self.slots = slots[...] }
        }

        /// Takes the slots whose tag is below another.
        mutating func take(below tag: UInt64, into taken: inout [UInt64]) throws(SystemError) {
            while true {
                let part = slots.prefix { NameSlot.tag(of: $0) < tag }
                taken += part
                slots = slots[part.endIndex...]
                guard slots.isEmpty, case .inFile(let file) = run, page < file.pageCount else {
                    return
                }
                slots = try file.slots(ofPages: page..<min(page + 64, file.pageCount))[...]
                page += 64
            }
        }
    }
}

/// Makes runs: beside the journal, where that is possible, so that they need no memory.
final class NameStore: Sendable {
    private let folder: Int32
    private let name: String
    private let disk: JournalDisk

    /// How many slots of a run stay in memory.
    static let longestInMemory = 32_768

    /// Takes a descriptor of the journal's folder, which is closed with this.
    init(folder: Int32, journal: String, disk: JournalDisk) {
        self.folder = folder
        name = journal + ".names"
        self.disk = disk
    }

    deinit { JournalSystem.closeFile(folder) }

    /// One run of everything that several runs hold; throws when one of them cannot be read.
    func merged(_ runs: [NameRun]) throws(SystemError) -> NameRun {
        let count = runs.reduce(0) { $0 + $1.count }
        if count > Self.longestInMemory, let file = try? disk.createUnnamed(folder, name) {
            var writer = NameFile.Writer(file, disk)
            try NameRun.merge(runs) { writer.append($0) }
            if let file = writer.finish() { return .inFile(file) }
        }
        // Without room for a file it is memory that is used up.
        if runs.count == 1, case .inMemory = runs[0] { return runs[0] }
        var slots: [UInt64] = []
        slots.reserveCapacity(count)
        try NameRun.merge(runs) { slots += $0 }
        return .inMemory(slots)
    }
}
