import Foundation

/// The files of this checkout.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The paths of files, without what is built.
    static func files(where isWanted: (String) -> Bool) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return paths.sorted().filter { path in
            !path.hasPrefix(".build") && !path.hasPrefix(".git/") && isWanted(path)
        }
    }
}
