import PaymentCore
import Synchronization

/// Keeps identifiers of Devices from launch to launch; an app may put its own store behind it.
///
/// What it loses is found again at Finix, so it reports no failure.
public protocol FinixDeviceStore: Sendable {
    /// The text under a key, if there is one.
    func value(for key: String) async -> String?
    /// Puts a text under a key, or takes it away.
    func set(_ value: String?, for key: String) async
}

/// Keeps identifiers of Devices as long as the process lives.
public final class MemoryFinixDeviceStore: FinixDeviceStore {
    private let values = Mutex<[String: String]>([:])

    /// Creates an empty store.
    public init() {}

    /// The text under a key.
    public func value(for key: String) -> String? { values.withLock { $0[key] } }

    /// Puts a text under a key, or takes it away.
    public func set(_ value: String?, for key: String) { values.withLock { $0[key] = value } }
}

/// Keeps identifiers of Devices in a JSON file; the file holds no secret.
///
/// A file that is missing, damaged or not writable counts as empty: then Finix is asked again.
public actor FileFinixDeviceStore: FinixDeviceStore {
    private let path: String
    private var values: [String: String]?

    /// Creates a store.
    ///
    /// - Parameter path: The file; its folder must exist.
    public init(path: String) { self.path = path }

    /// The text under a key.
    public func value(for key: String) -> String? { read()[key] }

    /// Puts a text under a key, or takes it away; other processes see the old file or the new.
    public func set(_ value: String?, for key: String) {
        var values = read()
        values[key] = value
        self.values = values
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(Content(devices: values)) else { return }
        try? BoundedFile.write(data, to: path)
    }

    private struct Content: Codable {
        var version = 1
        let devices: [String: String]
    }

    private func read() -> [String: String] {
        if let values { return values }
        let bytes = (try? BoundedFile.read(path, limit: 1 << 20)) ?? []
        let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        let read = content?.version == 1 ? content?.devices ?? [:] : [:]
        values = read
        return read
    }
}
