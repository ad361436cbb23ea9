/// What a reader tells while it works; for screens and accessibility, never about money.
public enum ReaderEvent: Hashable, Sendable {
    /// So much of the configuration is done, 1 to 100.
    case preparationProgress(Int)
    /// The reader cannot perform transactions for now; information only.
    case notReady
    /// The sheet is up and waits for a card.
    case readyForTap
    /// A card is near; from here on nothing can be cancelled.
    case cardDetected
    /// The customer may take the card away.
    case removeCard
    /// The sheet asks for another try.
    case retry(reason: String?)
    /// The keypad is shown.
    case pinRequested
    /// A PIN was typed, which says nothing about its being right.
    case pinCompleted
    /// The read finished; terminal.
    case readCompleted
    /// The read did not finish, and an error follows; terminal.
    case readNotCompleted
    /// The read was cancelled; terminal.
    case readCancelled
    /// The sheet is gone.
    case uiDismissed
    /// The sheet with the terms is shown.
    case linkSheetShown
    /// The terms were accepted just now.
    case termsAccepted
    /// A session can be used.
    case sessionReady
    /// The session was lost.
    case sessionEnded(SessionEnd)
    /// An event of a later version, to be ignored.
    case unknown(String)

    /// Whether the event ends a read.
    public var isTerminal: Bool {
        self == .readCompleted || self == .readNotCompleted || self == .readCancelled
    }

    /// How a scenario names it.
    public var scenarioName: String { traceName }

    /// How a trace names it; text that came from elsewhere is left out.
    var traceName: String {
        switch self {
        case .sessionEnded(let reason): "sessionEnded(\(reason.rawValue))"
        case .retry: "retry"
        case .unknown: "unknown"
        case .preparationProgress(let percent): "preparationProgress(\(percent))"
        case .notReady: "notReady"
        case .readyForTap: "readyForTap"
        case .cardDetected: "cardDetected"
        case .removeCard: "removeCard"
        case .pinRequested: "pinRequested"
        case .pinCompleted: "pinCompleted"
        case .readCompleted: "readCompleted"
        case .readNotCompleted: "readNotCompleted"
        case .readCancelled: "readCancelled"
        case .uiDismissed: "uiDismissed"
        case .linkSheetShown: "linkSheetShown"
        case .termsAccepted: "termsAccepted"
        case .sessionReady: "sessionReady"
        }
    }
}

/// Why a session was lost.
public enum SessionEnd: String, Hashable, Sendable, CaseIterable {
    /// The app left the foreground.
    case background
    /// The session aged out.
    case expired
    /// The token it was made from aged out.
    case tokenExpired
    /// The merchant is no longer linked.
    case revoked
    /// The reader was closed.
    case closed
}

/// A place among those who hear a reader's events; lasts until it is cancelled.
public struct ReaderSubscription: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a subscription from what ends it.
    public init(_ end: @escaping @Sendable () -> Void) { self.end = end }

    /// Hears no more.
    public func cancel() { end() }
}
