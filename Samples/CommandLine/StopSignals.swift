@preconcurrency import Dispatch

/// Has something done when the program is asked to end, by Ctrl-C or SIGTERM.
public struct StopSignals {
    private let sources: [any DispatchSourceSignal]

    /// Hears both signals from now on.
    public init(_ stop: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: stop)
            source.resume()
            return source
        }
    }

    /// Hears no signal any more.
    public func cancel() { for source in sources { source.cancel() } }
}
