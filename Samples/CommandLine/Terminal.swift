import PaymentCore

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
        if isJSON {
            Self.write(Self.json(report.object), to: 1)
        } else {
            for line in report.lines { Self.write(line, to: 1) }
        }
        return report.exitCode
    }

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
    public static func write(_ line: String, to descriptor: Int32) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes { posixWrite(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}

private func posixWrite(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, start, count)
}
