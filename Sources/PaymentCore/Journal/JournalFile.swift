#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file under a journal: locked, appended to and synced, never overwritten.
struct JournalFile: ~Copyable, Sendable {
    let path: String
    private let descriptor: Int32
    private let lock: Int32
    private let device: UInt64
    private let inode: UInt64
    /// Where the whole records end.
    private var end: Int

    /// Opens or creates a file and locks it.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``JournalError`` that says why it cannot be used.
    init(path: String) throws(JournalError) {
        let lock = try Self.lock(path)
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
        guard descriptor >= 0 else {
            let problem = Self.problem(errno)
            close(lock)
            throw JournalError("\(path): \(problem)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            close(lock)
            throw JournalError("\(path): not a regular file; name another one")
        }
        self.path = path
        self.lock = lock
        self.descriptor = descriptor
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        end = 0
    }

    deinit {
        close(descriptor)
        close(lock)
    }

    /// Reads the whole file.
    func readAll() throws(JournalError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw JournalError("\(path): \(Self.problem(errno))")
            }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Takes the whole file as records.
    mutating func keep(_ end: Int) { self.end = end }

    /// Writes the first line, and makes the file's name durable too.
    mutating func create(_ header: [UInt8]) throws(JournalError) {
        try append(header)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Takes away what a crash left behind the last whole record.
    mutating func cut(at end: Int) throws(JournalError) {
        self.end = end
        guard ftruncate(descriptor, off_t(end)) == 0, Self.sync(descriptor) else {
            throw JournalError("\(path): \(Self.problem(errno))")
        }
    }

    /// Appends bytes and waits until they are on the disk; leaves the file as it was on failure.
    mutating func append(_ bytes: [UInt8]) throws(JournalError) {
        try checkUntouched()
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw undo("\(Self.problem(errno))") }
            written += count
        }
        guard Self.sync(descriptor) else { throw undo(Self.problem(errno)) }
        end += bytes.count
    }

    private func undo(_ problem: String) -> JournalError {
        let isUndone = ftruncate(descriptor, off_t(end)) == 0
        return JournalError(
            isUndone ? "\(path): \(problem)" : "\(path): \(problem), and part of a record is left"
        )
    }

    /// Whether the file is still the one that was opened, and as long as it was left.
    private func checkUntouched() throws(JournalError) {
        var status = stat()
        guard stat(path, &status) == 0, UInt64(status.st_dev) == device,
            UInt64(status.st_ino) == inode, Int(status.st_size) == end
        else {
            throw JournalError("\(path): changed by somebody else while it was in use")
        }
    }

    // MARK: Places

    /// Where a program's journal stands when nobody says: the system's folder for state.
    ///
    /// - Parameter program: Names the folder.
    /// - Returns: The file.
    /// - Throws: ``JournalError`` when the folder cannot be made.
    static func defaultPath(program: String) throws(JournalError) -> String {
        #if canImport(Darwin)
            let state = variable("HOME").map { $0 + "/Library/Application Support" }
        #else
            let state = variable("XDG_STATE_HOME") ?? variable("HOME").map { $0 + "/.local/state" }
        #endif
        guard let state else {
            throw JournalError("there is no home folder for a journal; name a file")
        }
        var folder = ""
        for part in (state + "/" + program).split(separator: "/") {
            folder += "/" + part
            guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
                throw JournalError("\(folder): \(problem(errno))")
            }
        }
        return folder + "/till.journal"
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    // MARK: Locking

    /// Locks a file of its own beside the journal; the lock ends with the process that holds it.
    private static func lock(_ path: String) throws(JournalError) -> Int32 {
        let place = path + ".lock"
        let lock = open(place, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw JournalError("\(path): \(problem(errno))") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = max(pread(lock, &buffer, buffer.count, 0), 0)
            let holder = String(decoding: buffer.prefix(count).prefix { $0 != 0x0A }, as: UTF8.self)
            close(lock)
            throw JournalError(
                "\(path): in use by \(holder.isEmpty ? "another process" : holder); end it first"
            )
        }
        let note = Array("process \(getpid())\n".utf8)
        _ = ftruncate(lock, 0)
        _ = note.withUnsafeBytes { pwrite(lock, $0.baseAddress, $0.count, 0) }
        return lock
    }

    private static func sync(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        #else
            fdatasync(descriptor) == 0
        #endif
    }

    private static func problem(_ code: Int32) -> String {
        switch code {
        case ENOENT: "its folder does not exist"
        case EACCES, EPERM: "no permission to write here"
        case EROFS: "the file system is read-only"
        case ENOSPC, EDQUOT: "the disk is full"
        case EISDIR: "a folder is in its place; name a file"
        case ENOTDIR: "part of its path is not a folder"
        case EFBIG: "the file is as large as it may be"
        default: "cannot be used (system error \(code))"
        }
    }
}
