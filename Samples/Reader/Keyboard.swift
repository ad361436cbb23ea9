import CommandLineSupport
@preconcurrency import Dispatch
import Synchronization

/// Reads what a person types, or what is piped in, beside everything else.
final class Keyboard: Sendable {
    private struct State {
        var lines: [String] = []
        var isAtEnd = false
    }

    /// Whether a person types.
    let isTyped = isatty(0) == 1
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// Begins to read.
    ///
    /// - Throws: ``UsageError`` when what is piped in cannot be read.
    func start() throws(UsageError) {
        guard isTyped else {
            let bytes = try StandardInput.bytes(limit: 1 << 24)
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            state.withLock { $0 = State(lines: lines.map(String.init), isAtEnd: true) }
            return
        }
        DispatchQueue(label: "keyboard").async { [self] in
            while let line = readLine() {
                state.withLock { $0.lines.append(line) }
                wake.signal()
            }
            state.withLock { $0.isAtEnd = true }
            wake.signal()
        }
    }

    /// What was typed since the last time, and whether more may come.
    func take() -> (lines: [String], isAtEnd: Bool) {
        state.withLock { state in
            defer { state.lines = [] }
            return (state.lines, state.isAtEnd)
        }
    }

    /// Waits in real time; false when something was typed meanwhile.
    func wait(_ duration: Duration) -> Bool { wake.wait(for: duration) }
}
