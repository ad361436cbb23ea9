import AcquirerSimulation
import CommandLineSupport
import FinixSimulation
import PaymentCore
import RevolutSimulation

/// Everything that the emulated acquirers know, as it is kept in a file.
struct KeptWorld: Codable {
    var version = 1
    let time: Date
    let ledger: [Ledger.Entry]
    let finix: FinixEmulator.Snapshot
    let revolut: RevolutEmulator.Snapshot

    /// Keeps every other emulator from the file.
    static func lock(_ path: String) throws(KeptWorldError) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock(path)
        } catch {
            throw KeptWorldError(
                error == .taken
                    ? "\(path): another emulator keeps its ledger there"
                    : "\(path): the ledger cannot be written"
            )
        }
    }

    /// Reads a file; nil when there is none yet.
    static func read(_ path: String) throws(KeptWorldError) -> KeptWorld? {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, limit: 256 << 20)
        } catch {
            if error == .missing { return nil }
            throw KeptWorldError("\(path): the ledger \(error)")
        }
        guard let world = try? JSONDecoder().decode(KeptWorld.self, from: Data(bytes)),
            world.version == 1
        else {
            throw KeptWorldError("\(path): no ledger of this version; move it away to begin anew")
        }
        return world
    }

    /// Writes the file in one step.
    func write(_ path: String) throws(KeptWorldError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            try BoundedFile.write(encoder.encode(self), to: path)
        } catch {
            throw KeptWorldError("\(path): the ledger cannot be written")
        }
    }
}

/// Why a ledger cannot be kept.
struct KeptWorldError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
