#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Reads small files whole, and nothing that is large or no file; writes files in one step.
package enum BoundedFile {
    /// Why a file cannot be read; names neither the file nor anything in it.
    package enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        case missing
        case notPermitted
        case notAFile
        case tooLarge(limit: Int)
        case system(Int32)

        package var description: String {
            switch self {
            case .missing: "does not exist"
            case .notPermitted: "may not be read"
            case .notAFile: "is no regular file"
            case .tooLarge(let limit): "is too large; accepted are at most \(limit) bytes"
            case .system(let number): "cannot be read (system error \(number))"
            }
        }

        fileprivate init(_ number: Int32) {
            switch number {
            case ENOENT, ENOTDIR: self = .missing
            case EACCES, EPERM: self = .notPermitted
            case EISDIR: self = .notAFile
            default: self = .system(number)
            }
        }
    }

    /// Writes a file in one step; a device, a pipe or a link is written to, and not replaced.
    package static func write(_ data: Data, to path: String) throws {
        var status = stat()
        let isReplaced = lstat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
        try data.write(to: URL(filePath: path), options: isReplaced ? .atomic : [])
    }

    /// The bytes of a regular file.
    package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        // Not waiting matters for a pipe, which would otherwise hold the caller for ever.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure(errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard status.st_size <= limit else { throw .tooLarge(limit: limit) }

        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = readSome(file, &chunk)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw Failure(errno)
            }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        }
    }

    /// A variable of the process's environment.
    static func environmentVariable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The folder that a file stands in.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

// Outside the enum, whose own `read` would hide the system's.
private func readSome(_ file: Int32, _ chunk: inout [UInt8]) -> Int {
    chunk.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
}
