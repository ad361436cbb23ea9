import AcquirerSimulation
import FinixSimulation
import PaymentCore
import RevolutSimulation

/// The simulated world as it stands between two commands, kept beside the journal.
struct SavedWorld: Codable {
    var version = 1
    let time: Date
    let ledger: [Ledger.Entry]
    let finix: FinixEmulator.Snapshot?
    let revolut: RevolutEmulator.Snapshot?
    /// What the back end of the shop's own app keeps.
    var partner: ShopBackEnd.Kept?
    /// Whether a kit has introduced itself on the shop's phone.
    var isIntroduced: Bool?

    /// Reads a world; nil when there is none yet.
    static func read(_ path: String) throws(SavedWorldError) -> SavedWorld? {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, limit: 256 << 20)
        } catch {
            if error == .missing { return nil }
            throw SavedWorldError("\(path): the simulated world \(error)")
        }
        guard let world = try? JSONDecoder().decode(SavedWorld.self, from: Data(bytes)),
            world.version == 1
        else {
            throw SavedWorldError(
                """
                \(path): not a simulated world of this version; move it away, and with it the \
                journal that it belongs to
                """
            )
        }
        return world
    }

    /// Writes the world in one step; returns what went wrong, if something did.
    func write(_ path: String) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        do {
            let data = try encoder.encode(self)
            try BoundedFile.write(data, to: path)
            return nil
        } catch {
            return "\(path): the simulated world could not be kept"
        }
    }
}

/// Why a simulated world cannot be gone on with.
public struct SavedWorldError: Error, CustomStringConvertible {
    /// What went wrong, and what to do.
    public let description: String

    init(_ description: String) { self.description = description }
}
