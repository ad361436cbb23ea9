import Foundation

/// A folder of its own for files that a benchmark writes; removed at the end.
struct ScratchFolder: ~Copyable {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("bench-\(UInt64.random(in: 0 ..< .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A file that is appended to and synced, as the reference for a journal.
struct SyncedFile: ~Copyable {
    private let file: Int32
    private let line = [UInt8](repeating: 0x61, count: 400)

    init(_ path: String) throws {
        file = open(path, O_RDWR | O_CREAT | O_APPEND, 0o600)
        guard file >= 0 else { throw Absence("no file at \(path)") }
    }

    deinit { _ = close(file) }

    func append() throws {
        let count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == line.count else { throw Unexpected("a short write") }
        #if canImport(Darwin)
            guard fcntl(file, F_FULLFSYNC) == 0 else { throw Unexpected("no sync") }
        #else
            guard fdatasync(file) == 0 else { throw Unexpected("no sync") }
        #endif
    }
}

/// What the system says about this process.
enum ProcessMemory {
    /// The bytes that are resident now.
    static var resident: Double {
        get throws {
            guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
                let pages = text.split(separator: " ").dropFirst().first.flatMap({ Double($0) })
            else { throw Absence("this system does not tell a process its memory") }
            return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
        }
    }

    /// The bytes that are resident once the allocator has given back whatever nobody uses.
    ///
    /// The allocator takes memory in large pieces and keeps what was freed for the next who asks, so
    /// that what is resident says more about the past than about what is kept. On a system whose
    /// allocator cannot be asked for it this is what is resident.
    static var kept: Double {
        get throws {
            #if canImport(Glibc)
                typealias Trim = @convention(c) (Int) -> Int32
                // The module of the C library does not name it.
                if let trim = dlsym(nil, "malloc_trim") {
                    _ = unsafeBitCast(trim, to: Trim.self)(0)
                }
            #endif
            return try resident
        }
    }

    /// The nanoseconds that the calling thread has computed.
    static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
