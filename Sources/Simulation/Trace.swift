import PaymentCore
import Synchronization

/// What happened in a simulation, in order; equal runs give equal text.
public final class Trace: Sendable {
    /// One thing that happened.
    public struct Line: Hashable, Sendable {
        /// When, in milliseconds since the start.
        public let milliseconds: Int64
        /// Who says it, such as `reader`.
        public let origin: String
        /// What happened.
        public let text: String

        /// Creates a line.
        public init(milliseconds: Int64, origin: String, text: String) {
            self.milliseconds = milliseconds
            self.origin = origin
            self.text = text
        }
    }

    private struct State {
        var lines: [Line] = []
        var isKept = true
    }

    private let state = Mutex(State())
    private let clock: VirtualClock

    init(clock: VirtualClock) { self.clock = clock }

    /// Whether lines are kept; a simulation that runs for very long does without.
    public var isKept: Bool {
        get { state.withLock { $0.isKept } }
        set { state.withLock { $0.isKept = newValue } }
    }

    /// Adds a line with the virtual time.
    ///
    /// - Parameters:
    ///   - origin: Who says it, such as `reader`.
    ///   - text: What happened; nothing that may not be shown. Not made when lines are not kept.
    public func add(_ origin: String, _ text: @autoclosure () -> String) {
        guard isKept else { return }
        let offset = clock.now.offset.components
        let line = Line(
            milliseconds: offset.seconds * 1_000 + offset.attoseconds / 1_000_000_000_000_000,
            origin: origin,
            text: text()
        )
        state.withLock { $0.lines.append(line) }
    }

    /// Every line, in order.
    public var lines: [Line] { state.withLock { $0.lines } }

    /// Every line, as text.
    public var text: String { lines.map(\.description).joined(separator: "\n") }
}

extension Trace.Line: CustomStringConvertible {
    /// Time, origin and text.
    public var description: String { "\(milliseconds)ms \(origin): \(text)" }
}

extension Trace.Line: Codable {
    private enum CodingKeys: String, CodingKey {
        case milliseconds = "ms"
        case origin = "from"
        case text = "what"
    }
}

extension Trace {
    /// Lines as JSON, one object a line.
    public static func jsonLines(_ lines: [Line]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return lines.compactMap { line in
            (try? encoder.encode(line)).map { String(decoding: $0, as: UTF8.self) + "\n" }
        }.joined()
    }

    /// Reads one line of JSON; nil when it is no line of a trace.
    public static func line(json: some StringProtocol) -> Line? {
        try? JSONDecoder().decode(Line.self, from: Data(json.utf8))
    }

    /// Where two runs part.
    public struct Difference: Hashable, Sendable, CustomStringConvertible {
        /// The line, counted from one.
        public let number: Int
        /// What the first has there; nil past its end.
        public let first: Line?
        /// What the second has there; nil past its end.
        public let second: Line?

        /// Both lines.
        public var description: String {
            let shown = [first, second].map { $0?.description ?? "(nothing)" }
            return "line \(number)\n  was: \(shown[0])\n  now: \(shown[1])"
        }
    }

    /// The first difference between two runs; nil when they are equal.
    public static func difference(_ first: [Line], _ second: [Line]) -> Difference? {
        for index in 0..<max(first.count, second.count) {
            let one = index < first.count ? first[index] : nil
            let other = index < second.count ? second[index] : nil
            if one != other { return Difference(number: index + 1, first: one, second: other) }
        }
        return nil
    }
}
