/// What always holds at a reader, whatever is done to it.
public enum ReaderInvariant: String, Hashable, Sendable, CaseIterable {
    /// Each call that runs at the reader ends exactly once, unless its process did.
    case callsEndOnce = "I-1"
    /// A read has at most one terminal event, and only the end of its sheet after it.
    case oneTerminalEvent = "I-2"
    /// A cancel that was answered yes left no result; a read that the app cancelled has such a yes.
    case cancelIsTrue = "I-3"
    /// A payload is given out at most once.
    case onePayload = "I-4"
    /// Never do two operations run at once.
    case oneOperation = "I-5"
    /// A session from before the background reads nothing after it.
    case sessionEndsInBackground = "I-6"
    /// Progress never falls within one preparation.
    case progressRises = "I-10"
    /// Time does not run backwards.
    case timeRises = "I-11"

    /// What a broken one is told as; nil when it holds.
    public func violation(in audit: ReaderAudit) -> String? {
        let problem =
            switch self {
            case .callsEndOnce: Self.calls(audit)
            case .oneTerminalEvent: Self.terminals(audit)
            case .cancelIsTrue: Self.cancels(audit)
            case .onePayload: Self.payloads(audit)
            case .oneOperation: Self.operations(audit)
            case .sessionEndsInBackground: Self.sessions(audit)
            case .progressRises: Self.progress(audit)
            case .timeRises: Self.time(audit)
            }
        return problem.map { "\(rawValue) \($0)" }
    }
}

extension ReaderInvariant {
    private static func calls(_ audit: ReaderAudit) -> String? {
        var open: [Int: (name: String, process: Int)] = [:]
        var known: [Int: Int] = [:]
        for line in audit.lines {
            switch line.entry {
            case .called(let name, let id, let process):
                open[id] = (name, process)
                known[id] = process
            case .returned(let id, _):
                guard open.removeValue(forKey: id) == nil, known[id] != nil else { continue }
                return "call \(id) ended twice"
            case .processEnded(let process):
                open = open.filter { $0.value.process != process }
                known = known.filter { $0.value != process }
            default: break
            }
        }
        return open.min { $0.key < $1.key }.map { "\($0.value.name) has not ended" }
    }

    private static func terminals(_ audit: ReaderAudit) -> String? {
        var ended: Set<Int> = []
        for case .event(let event, let operation?, _) in audit.lines.map(\.entry) {
            if ended.contains(operation), event != .uiDismissed, !event.isAboutSession {
                return "\(event.traceName) after the terminal event of call \(operation)"
            }
            if event.isTerminal { ended.insert(operation) }
        }
        return nil
    }

    private static func cancels(_ audit: ReaderAudit) -> String? {
        var cancelled: Set<Int> = []
        var wasClosed = false
        var ends: [Int: ReaderAudit.End] = [:]
        for line in audit.lines {
            switch line.entry {
            case .cancelAnswered(let ended?): cancelled.insert(ended)
            case .closeAsked: wasClosed = true
            case .returned(let id, let end): ends[id] = end
            default: break
            }
        }
        for id in cancelled.sorted() {
            if case .succeeded = ends[id] { return "call \(id) was cancelled and has a result" }
        }
        for (id, end) in ends.sorted(by: { $0.key < $1.key }) where !wasClosed {
            guard end == .failed(.readCancelled(by: .app)), !cancelled.contains(id) else {
                continue
            }
            return "call \(id) was cancelled by the app, whose cancel was answered no"
        }
        return nil
    }

    private static func payloads(_ audit: ReaderAudit) -> String? {
        var reads: Set<Int> = []
        var given: Set<String> = []
        for line in audit.lines {
            switch line.entry {
            case .called("read", let id, _): reads.insert(id)
            case .returned(let id, .succeeded(let read?)) where reads.contains(id):
                if !given.insert(read).inserted { return "\(read) was given out twice" }
            default: break
            }
        }
        return nil
    }

    private static func operations(_ audit: ReaderAudit) -> String? {
        var running: Int?
        for case .operation(let operation) in audit.lines.map(\.entry) {
            if let running, let operation { return "\(operation) began while \(running) ran" }
            running = operation
        }
        return nil
    }

    private static func sessions(_ audit: ReaderAudit) -> String? {
        var reads: [Int: Bool] = [:]
        var isGood = false
        for line in audit.lines {
            switch line.entry {
            case .event(.sessionReady, _, _): isGood = true
            case .state(let state) where !state.hasSession: isGood = false
            case .called("read", let id, _): reads[id] = isGood
            case .returned(let id, .succeeded) where reads[id] == false:
                return "call \(id) read on a session from before the background"
            default: break
            }
        }
        return nil
    }

    private static func progress(_ audit: ReaderAudit) -> String? {
        var highest: [Int: Int] = [:]
        for case .event(.preparationProgress(let percent), let id?, _) in audit.lines.map(\.entry) {
            guard 1...100 ~= percent, percent >= highest[id] ?? 0 else {
                return "progress \(percent) after \(highest[id] ?? 0)"
            }
            highest[id] = percent
        }
        return nil
    }

    private static func time(_ audit: ReaderAudit) -> String? {
        for (earlier, later) in zip(audit.lines, audit.lines.dropFirst())
        where later.at < earlier.at {
            return "\(later.at) after \(earlier.at)"
        }
        return nil
    }
}

extension ReaderEvent {
    /// Whether it tells about the session and not about what runs.
    var isAboutSession: Bool {
        switch self {
        case .sessionReady, .sessionEnded: true
        default: false
        }
    }
}
