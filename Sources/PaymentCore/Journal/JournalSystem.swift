#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The system's calls that a journal makes; the one place where platforms differ.
enum JournalSystem {
    /// What is known about a file.
    struct Status: Sendable {
        let isRegular: Bool
        let isFolder: Bool
        let size: Int64
        let identity: Identity
        let changeTime: Time
    }

    /// When something was changed, as exactly as the system knows it.
    struct Time: Hashable, Sendable {
        let seconds: Int64
        let nanoseconds: Int64
    }

    /// Tells whether two names lead to the same file.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    static func openFolder(_ path: String) throws(SystemError) -> Int32 {
        try opened(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens a file for reading and writing; creates it if it is missing.
    static func openFile(in folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        // Not waiting matters for a pipe, which would otherwise hold the caller for ever.
        try opened(openat(folder, name, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o600))
    }

    static func openToRead(in folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try opened(openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    static func isFolder(_ path: String) throws(SystemError) -> Bool {
        var status = stat()
        try check(stat(path, &status))
        return Status(status).isFolder
    }

    static func status(_ file: Int32) throws(SystemError) -> Status {
        var status = stat()
        try check(fstat(file, &status))
        return Status(status)
    }

    /// How long a file is; leaves its times alone.
    static func length(_ file: Int32) throws(SystemError) -> Int64 {
        let length = lseek(file, 0, SEEK_END)
        guard length >= 0 else { throw SystemError(number: errno) }
        return Int64(length)
    }

    static func status(in folder: Int32, _ name: String) throws(SystemError) -> Status {
        var status = stat()
        try check(fstatat(folder, name, &status, 0))
        return Status(status)
    }

    /// Takes the exclusive lock on a file, which ends with the process; false if another has it.
    static func lock(_ file: Int32) throws(SystemError) -> Bool {
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
        return true
    }

    /// Gives the lock back.
    ///
    /// Closing alone would leave it with a process that is being started at this moment, until that
    /// has let go of the files that it inherited.
    static func unlock(_ file: Int32) { _ = flock(file, LOCK_UN) }

    /// Reads bytes at an offset; how many were there.
    static func read(
        _ file: Int32,
        into bytes: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(SystemError) -> Int {
        while true {
            let count = pread(file, bytes.baseAddress, bytes.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }

    /// Where a byte stands first among others; nil when it does not.
    static func index(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress,
            let found = memchr(start, Int32(byte), bytes.count)
        else { return nil }
        return UnsafeRawPointer(found) - start
    }

    /// Writes bytes at an offset; how many were written, which may be fewer.
    static func write(
        _ file: Int32,
        _ bytes: ArraySlice<UInt8>,
        at offset: Int64
    ) throws(SystemError) -> Int {
        while true {
            let count = bytes.withUnsafeBytes {
                pwrite(file, $0.baseAddress, $0.count, off_t(offset))
            }
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError(number: errno) }
        }
    }

    /// Has everything that was written to a file, or the names in a folder, reach the medium.
    static func sync(_ file: Int32) throws(SystemError) {
        #if canImport(Darwin)
            // Here fsync leaves the data in the drive's own cache; some file systems know no other.
            if fcntl(file, F_FULLFSYNC) == 0 { return }
            try check(fsync(file))
        #else
            try check(fdatasync(file))
        #endif
    }

    /// The bytes that a system writes at once, to which growing files are filled up; 1 where that
    /// brings nothing.
    static var page: Int64 {
        #if canImport(Darwin)
            // The file system here never writes where something stands.
            1
        #else
            4_096
        #endif
    }

    static func truncate(_ file: Int32, to size: Int64) throws(SystemError) {
        try check(ftruncate(file, off_t(size)))
    }

    /// Another descriptor of an open file; the lock is not given back with it.
    static func duplicate(_ file: Int32) throws(SystemError) -> Int32 {
        try check(fcntl(file, F_DUPFD_CLOEXEC, firstDescriptor))
    }

    static func closeFile(_ file: Int32) { close(file) }

    static var processID: Int32 { getpid() }

    /// Opens a small file that others may read, and empties it.
    static func openNote(in folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        try opened(
            openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        )
    }

    /// Creates a file for reading and writing that has no name and ends with its last descriptor.
    static func createUnnamed(in folder: Int32, _ name: String) throws(SystemError) -> Int32 {
        // A crash between the two calls below may have left one.
        remove(in: folder, name)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try opened(openat(folder, name, flags, 0o600))
        guard unlinkat(folder, name, 0) == 0 else {
            let error = SystemError(number: errno)
            closeFile(file)
            throw error
        }
        return file
    }

    /// Gives a file another name, in place of whatever has that name.
    static func rename(
        in folder: Int32,
        _ name: String,
        to other: String
    ) throws(SystemError) {
        _ = try check(renameat(folder, name, folder, other))
    }

    static func remove(in folder: Int32, _ name: String) { unlinkat(folder, name, 0) }

    /// Creates a folder that only its owner may enter; one that exists is left alone.
    static func createFolder(_ path: String) throws(SystemError) {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        throw SystemError(number: errno)
    }

    /// The folder for what programs keep from run to run.
    static var stateFolder: String {
        // Foundation asks the user database on Linux, where HOME decides by convention.
        let home =
            absolute("HOME")
            ?? FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        #if canImport(Darwin)
            return trimmed(home) + "/Library/Application Support"
        #else
            return absolute("XDG_STATE_HOME").map(trimmed) ?? trimmed(home) + "/.local/state"
        #endif
    }

    private static func absolute(_ variable: String) -> String? {
        BoundedFile.environmentVariable(variable).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func trimmed(_ folder: String) -> String {
        folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    }

    /// The descriptors before it are what a program reads from a person and tells one.
    private static let firstDescriptor: Int32 = 3

    /// A descriptor that was opened; never one that is written to as standard output or error, where
    /// a program was started without these.
    private static func opened(_ result: Int32) throws(SystemError) -> Int32 {
        let file = try check(result)
        guard file < firstDescriptor else { return file }
        defer { closeFile(file) }
        return try duplicate(file)
    }

    @discardableResult
    private static func check(_ result: Int32) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(number: errno) }
        return result
    }
}

extension JournalSystem.Status {
    fileprivate init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_ctimespec
        #else
            let time = status.st_ctim
        #endif
        changeTime = JournalSystem.Time(
            seconds: Int64(time.tv_sec),
            nanoseconds: Int64(time.tv_nsec)
        )
        identity = JournalSystem.Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }
}

/// A system call that failed.
struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    let number: Int32

    init(number: Int32) { self.number = number }

    static let noSpace = SystemError(number: ENOSPC)
    static let inputOutput = SystemError(number: EIO)

    var isMissing: Bool { number == ENOENT }
    var isFolder: Bool { number == EISDIR }

    var description: String {
        let text = String(cString: strerror(number))
        return "\(text.prefix(1).lowercased())\(text.dropFirst()) (system error \(number))"
    }
}

/// What a journal does to its medium, as a value so that every step can be made to fail.
struct JournalDisk: Sendable {
    /// Writes bytes at an offset and says how many were written.
    var write: @Sendable (Int32, ArraySlice<UInt8>, Int64) throws(SystemError) -> Int
    /// Returns once everything written has reached the medium.
    var sync: @Sendable (Int32) throws(SystemError) -> Void
    /// Cuts a file to a size.
    var truncate: @Sendable (Int32, Int64) throws(SystemError) -> Void
    /// Reads bytes at an offset of a file without a name and says how many were there.
    var read: @Sendable (Int32, UnsafeMutableRawBufferPointer, Int64) throws(SystemError) -> Int =
        { file, bytes, offset throws(SystemError) in
            try JournalSystem.read(file, into: bytes, at: offset)
        }
    /// Creates a file without a name in a folder, where a name is free for a moment.
    var createUnnamed: @Sendable (Int32, String) throws(SystemError) -> Int32 =
        { folder, name throws(SystemError) in
            try JournalSystem.createUnnamed(in: folder, name)
        }
    /// To how many bytes a file that grows is filled up.
    var page = JournalSystem.page

    /// The real one.
    static let system = JournalDisk(
        write: { file, bytes, offset throws(SystemError) in
            try JournalSystem.write(file, bytes, at: offset)
        },
        sync: { file throws(SystemError) in try JournalSystem.sync(file) },
        truncate: { file, size throws(SystemError) in
            try JournalSystem.truncate(file, to: size)
        }
    )
}
