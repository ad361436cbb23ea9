import CommandLineSupport

/// Keeps two emulators from keeping their books in one file; ends with the process.
///
/// The lock is on a file beside the ledger, since the ledger itself is replaced each time.
final class LedgerLock: Sendable {
    private let file: Int32

    init(_ path: String) throws(KeptWorldError) {
        file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw KeptWorldError("\(path): the ledger cannot be written") }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            throw KeptWorldError("\(path): another emulator keeps its ledger there")
        }
    }

    deinit { close(file) }
}
