/// Reads what is piped in, or typed until the end of input.
public enum StandardInput {
    /// Every byte, up to a limit.
    ///
    /// - Parameter limit: The most bytes that are taken.
    /// - Returns: The bytes; nil when there are more.
    public static func bytes(limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(0, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= limit else { return nil }
        }
    }
}
