/// A journal's file, held open and locked against everybody else.
struct JournalFile: Sendable {
    let path: String
    private let folder: Int32
    private let name: String
    private let file: Int32
    private let identity: JournalSystem.Identity
    private let holder: JournalHolder
    let disk: JournalDisk

    /// Opens and locks a file, or creates an empty one; writes nothing to it.
    init(path: String, disk: JournalDisk) throws(JournalError) {
        guard !path.isEmpty, !path.utf8.contains(0), !path.hasSuffix("/") else {
            throw JournalError("journal \"\(path.prefix(200))\": this is no path of a file")
        }
        try JournalPlace.prepare(path)
        self.path = path
        self.disk = disk
        name = String(path.split(separator: "/").last ?? "")
        let folder = try Self.openFolder(of: path)
        do {
            (file, identity) = try Self.openFile(path, in: folder, name)
        } catch {
            JournalSystem.closeFile(folder)
            throw error
        }
        self.folder = folder
        holder = JournalHolder(folder: folder, journal: name)
        do {
            try lock()
        } catch {
            JournalSystem.closeFile(file)
            JournalSystem.closeFile(folder)
            throw error
        }
        holder.write()
    }

    private static func openFolder(of path: String) throws(JournalError) -> Int32 {
        let folder = BoundedFile.folder(of: path)
        do {
            return try JournalSystem.openFolder(folder)
        } catch {
            if error.isMissing {
                throw JournalError("\(path): the folder \(folder) does not exist; create it first")
            }
            throw JournalError("\(path): the folder \(folder) cannot be used: \(error)")
        }
    }

    private static func openFile(
        _ path: String,
        in folder: Int32,
        _ name: String
    ) throws(JournalError) -> (Int32, JournalSystem.Identity) {
        if let status = try? JournalSystem.status(in: folder, name), !status.isRegular {
            let what = status.isFolder ? "is a directory" : "is no regular file"
            throw JournalError("\(path): \(what); a journal is a file of its own")
        }
        let file: Int32
        do {
            file = try JournalSystem.openFile(in: folder, name)
        } catch {
            throw JournalError("\(path): cannot be opened for writing: \(error)")
        }
        guard let status = try? JournalSystem.status(file), status.isRegular else {
            JournalSystem.closeFile(file)
            throw JournalError("\(path): is no regular file; a journal is a file of its own")
        }
        return (file, status.identity)
    }

    private func lock() throws(JournalError) {
        let isOurs: Bool
        do {
            isOurs = try JournalSystem.lock(file)
        } catch {
            throw JournalError("\(path): cannot be locked: \(error)")
        }
        guard isOurs else {
            throw JournalError(
                "\(path): is in use by \(holder.describe()); one journal serves one opener at a time"
            )
        }
        // Somebody may have put another file in its place since it was opened.
        guard isInPlace else {
            throw JournalError("\(path): was replaced while it was opened; nothing was written")
        }
    }

    private var isInPlace: Bool {
        (try? JournalSystem.status(in: folder, name))?.identity == identity
    }

    /// Closes the file and lets others open it.
    func close() {
        // While the lock is still held, so that it is never the note of the next holder. The place
        // may hold another's file by now, and then the note is theirs.
        if isInPlace { holder.remove() }
        JournalSystem.unlock(file)
        JournalSystem.closeFile(file)
        JournalSystem.closeFile(folder)
    }

    /// How long the file is.
    func size() throws(JournalError) -> Int64 {
        do { return try JournalSystem.status(file).size } catch {
            throw JournalError("\(path): cannot be read: \(error)")
        }
    }

    /// An empty archive of this file, which can be read for as long as somebody holds on to it, also
    /// when this is closed.
    func archive() throws(JournalError) -> AttemptArchive {
        do {
            let store = NameStore(
                folder: try JournalSystem.duplicate(folder),
                journal: name,
                disk: disk
            )
            let pages = JournalPages(file: try JournalSystem.duplicate(file), path: path)
            return AttemptArchive(pages, store)
        } catch {
            throw JournalError("\(path): cannot be read: \(error)")
        }
    }

    /// Reads bytes at an offset; how many were there.
    func read(
        into bytes: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(JournalError) -> Int {
        do { return try JournalSystem.read(file, into: bytes, at: offset) } catch {
            throw JournalError("\(path): cannot be read at byte \(offset): \(error)")
        }
    }

    /// Reads the line that begins at an offset, without its end.
    func line(at offset: Int64) throws(JournalError) -> [UInt8] {
        var count = 1_024
        while true {
            let bytes = try read(at: offset, count: count)
            if let end = bytes.firstIndex(of: JournalFormat.newline) { return Array(bytes[..<end]) }
            guard bytes.count == count, count <= JournalFormat.longestLine else { return bytes }
            count *= 2
        }
    }

    /// Reads up to so many bytes at an offset.
    func read(at offset: Int64, count: Int) throws(JournalError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let length = try bytes.withUnsafeMutableBufferPointer { buffer throws(JournalError) in
            try read(into: .init(buffer), at: offset)
        }
        return Array(bytes.prefix(length))
    }
}

extension JournalFile {
    /// Why lines were not written, and whether the file is as it was before.
    enum WriteFailure: Error {
        /// Nothing changed; the next try may succeed.
        case undone(JournalError)
        /// Nobody knows what the file holds; it must not be written any more.
        case broken(JournalError)
    }

    /// Writes bytes at the file's end; they are durable when the call returns.
    func append(_ bytes: [UInt8], at end: Int64) throws(WriteFailure) {
        try checkSize(end)
        try write(bytes, at: end)
    }

    /// Writes bytes where a file's content ends; they are durable when the call returns.
    ///
    /// A file that grows is filled up with NUL bytes to a whole page. What is written into the rest
    /// of the page later changes nothing but the page, so that a sync has less to do.
    ///
    /// - Parameters:
    ///   - bytes: What is written.
    ///   - tail: Where the content ends.
    /// - Returns: Where it ends then.
    /// - Throws: ``WriteFailure``; after `undone` the file ends where its content does.
    func append(_ bytes: [UInt8], at tail: JournalTail) throws(WriteFailure) -> JournalTail {
        let end = tail.end + Int64(bytes.count)
        let isRoomy = end <= tail.size
        // Before the file is looked for, so that what changes meanwhile is seen the next time.
        let folderTime = try? JournalSystem.status(folder).changeTime
        // Looking up the file's own status has the system note the exact time of the next write,
        // which costs the sync as much as a longer file.
        let isKnown = isRoomy && folderTime != nil && folderTime == tail.folderTime
        if !isKnown || (try? JournalSystem.length(file)) != tail.size { try checkSize(tail.size) }
        let size = isRoomy ? tail.size : (end + disk.page - 1) / disk.page * disk.page
        let padding = isRoomy ? 0 : Int(size - end)
        let padded = padding == 0 ? bytes : bytes + [UInt8](repeating: 0, count: padding)
        try write(padded, at: tail.end)
        return JournalTail(end: end, size: size, folderTime: folderTime)
    }

    /// Cuts what the file was filled up with, unless somebody else changed it.
    func cutPadding(_ tail: JournalTail) {
        guard tail.size > tail.end, isInPlace, (try? size()) == tail.size else { return }
        // A tail of NUL bytes is no damage, so that this need not succeed, nor reach the medium.
        try? disk.truncate(file, tail.end)
    }

    private func write(_ bytes: [UInt8], at end: Int64) throws(WriteFailure) {
        do throws(SystemError) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = try disk.write(file, rest, end + Int64(bytes.count - rest.count))
                guard count > 0 else { throw SystemError.inputOutput }
                rest = rest.dropFirst(count)
            }
        } catch {
            throw undo(to: end, after: error)
        }
        do {
            try disk.sync(file)
        } catch {
            // A system may forget what it failed to write and call the next sync a success.
            try? disk.truncate(file, end)
            throw .broken(
                JournalError(
                    """
                    \(path): what was written may not have reached the medium: \(error); \
                    nothing more will be written, open the journal again
                    """
                )
            )
        }
    }

    /// Cuts the file; the cut is durable when the call returns.
    func truncate(to end: Int64) throws(SystemError) {
        try disk.truncate(file, end)
        try disk.sync(file)
    }

    /// Removes a file beside this one, whose name is this one's with something behind it.
    func removeNeighbour(_ suffix: String) {
        JournalSystem.remove(in: folder, name + suffix)
    }

    /// Puts a file from beside this one in its place, in one step.
    func replace(with suffix: String) throws(JournalError) {
        guard isInPlace else {
            throw JournalError("\(path): was replaced while it was open; nothing was changed")
        }
        // From the renaming on the place is whoever's locks it first, and so is the note.
        holder.remove()
        do throws(SystemError) {
            try JournalSystem.rename(in: folder, name + suffix, to: name)
            try disk.sync(folder)
        } catch {
            throw JournalError("\(path): cannot be replaced: \(error)")
        }
    }

    /// Has the file's name reach the medium.
    func syncFolder() throws(SystemError) { try disk.sync(folder) }

    private func undo(to end: Int64, after error: SystemError) -> WriteFailure {
        do {
            try truncate(to: end)
        } catch let second {
            return .broken(
                JournalError(
                    """
                    \(path): cannot be written: \(error); what was written in part could not be \
                    taken back: \(second); nothing more will be written, open the journal again
                    """
                )
            )
        }
        return .undone(JournalError("\(path): cannot be written: \(error); nothing was recorded"))
    }

    private func checkSize(_ expected: Int64) throws(WriteFailure) {
        let problem: String
        if !isInPlace {
            problem = "was moved, deleted or replaced"
        } else if let size = try? JournalSystem.status(file).size, size != expected {
            problem = "has \(size) bytes in place of \(expected)"
        } else {
            return
        }
        throw .broken(
            JournalError(
                """
                \(path): \(problem) while it was in use; nothing more will be written, \
                find out who changed it and open the journal again
                """
            )
        )
    }
}

/// Where the content of a journal's file ends, and what stands behind it.
struct JournalTail: Hashable, Sendable {
    /// Where the next line belongs.
    var end: Int64
    /// How long the file is; NUL bytes stand behind its content.
    var size: Int64
    /// When a name in the file's folder was last changed, before the file was seen in its place.
    var folderTime: JournalSystem.Time?

    /// The end of a file that holds nothing else.
    init(end: Int64) { self.init(end: end, size: end, folderTime: nil) }

    fileprivate init(end: Int64, size: Int64, folderTime: JournalSystem.Time?) {
        self.end = end
        self.size = size
        self.folderTime = folderTime
    }
}
