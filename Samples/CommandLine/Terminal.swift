import PaymentCore
import Synchronization

/// Where a program writes: results on standard output, diagnostics on standard error.
public struct Terminal: Sendable {
    /// Whether one JSON object is wanted in place of lines.
    public let isJSON: Bool
    /// Whether progress is not wanted.
    public let isQuiet: Bool

    /// Creates a terminal.
    public init(isJSON: Bool, isQuiet: Bool) {
        self.isJSON = isJSON
        self.isQuiet = isQuiet
    }

    /// Tells a person what happens.
    public func progress(_ line: String) {
        guard !isJSON, !isQuiet else { return }
        Self.write(line, to: 1)
    }

    /// Writes a report, and says how the program ends.
    public func finish(_ report: Report) -> ExitCode {
        for line in report.diagnostics { Self.write(line, to: 2) }
        let lines = isJSON ? [Self.json(report.object)] : report.lines
        return Self.finish(lines, report.exitCode, standsUnread: report.standsUnread)
    }

    /// Writes what the program has to say in the end, and says how it ends.
    ///
    /// - Parameters:
    ///   - lines: The lines, on standard output.
    ///   - exitCode: How it ends when they are written.
    ///   - standsUnread: Whether it ends so also when they cannot be.
    /// - Returns: How it ends.
    static func finish(
        _ lines: [String],
        _ exitCode: ExitCode,
        standsUnread: Bool = false
    ) -> ExitCode {
        for line in lines {
            guard write(line, to: 1) else { break }
        }
        guard let problem = lost.withLock({ $0 }) else { return exitCode }
        write("the output cannot be written: \(problem)", to: 2)
        return standsUnread || exitCode != .success ? exitCode : .outputLost
    }

    /// Why something on standard output could not be written, the first time that happened.
    private static let lost = Mutex<String?>(nil)

    /// An object as text, the same for equal objects.
    public static func json(_ object: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        guard let data = try? encoder.encode(object) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// Writes a line at once; a reader that has gone away changes nothing about a payment.
    ///
    /// - Parameters:
    ///   - line: The line, without its end.
    ///   - descriptor: Where it goes: 1 for results, 2 for diagnostics.
    /// - Returns: False when it was not written, though somebody would still read it.
    @discardableResult
    public static func write(_ line: String, to descriptor: Int32) -> Bool {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                guard errno != EPIPE else { return true }
                let problem = String(cString: strerror(errno))
                if descriptor == 1 { lost.withLock { $0 = $0 ?? problem } }
                return false
            }
            bytes = bytes.dropFirst(written)
        }
        return true
    }
}

private func posixWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, start, count)
}
