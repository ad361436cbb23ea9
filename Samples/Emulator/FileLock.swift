import CommandLineSupport

/// Keeps two programs from keeping their books in one file; ends with the process.
///
/// The lock is on a file beside it, since the file itself may be replaced each time.
final class FileLock: Sendable {
    private let file: Int32

    /// Why a file cannot be locked.
    enum Failure: Error {
        /// There can be no lock beside it.
        case notWritable
        /// Another program has it.
        case taken
    }

    /// Locks a file.
    init(_ path: String) throws(Failure) {
        file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .notWritable }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw .taken
        }
    }

    deinit { close(file) }
}
