/// Reads what is piped in, or typed until the end of input.
public enum StandardInput {
    /// Every byte, up to a limit.
    ///
    /// - Parameter limit: The most bytes that are taken.
    /// - Returns: The bytes.
    /// - Throws: ``UsageError`` when there are more, or when they cannot be read.
    public static func bytes(limit: Int) throws(UsageError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let problem = String(cString: strerror(errno))
                throw UsageError("the standard input cannot be read: \(problem)")
            }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else {
                throw UsageError("the standard input is larger than \(limit) bytes")
            }
        }
    }
}

extension StandardInput {
    /// Whether a person types at a terminal.
    public static var isTerminal: Bool { isatty(0) == 1 }

    /// One line as a person types it.
    ///
    /// - Parameter isInterrupted: Asked a few times a second; once true, nobody waits any more.
    /// - Returns: The line without its end; nil at the end of input, or when it was given up.
    public static func line(unless isInterrupted: () -> Bool) -> String? {
        var line: [UInt8] = []
        while true {
            guard !isInterrupted() else { return nil }
            var source = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
            let ready = poll(&source, 1, 200)
            if ready == 0 || ready < 0 && errno == EINTR { continue }
            var byte: UInt8 = 0
            let count = read(0, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }
            if byte == 10 { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
            guard line.count <= 1_000 else { return String(decoding: line, as: UTF8.self) }
        }
    }
}
