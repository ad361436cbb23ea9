/// One thing that a person or the world does in a scenario.
public struct ScenarioStep: Hashable, Sendable {
    /// What is done.
    public enum Kind: Hashable, Sendable {
        /// A customer holds cards near the sheet; more than one is a collision.
        case present([SimulatedCard], hold: Duration?)
        /// The card is taken away.
        case remove
        /// The customer does something with the keypad.
        case pin(ReaderControl.PINAnswer)
        /// Somebody does something with the sheet of terms.
        case terms(ReaderControl.TermsAnswer)
        /// The customer closes the sheet.
        case customerCancels
        /// The merchant cancels.
        case merchantCancels
        /// The app leaves the screen.
        case background
        /// The app returns to the screen.
        case foreground
        /// The app is not in front for a moment.
        case inactive
        /// Somebody calls.
        case call
        /// The call is over.
        case endCall
        /// The screen is locked.
        case lock
        /// The screen is unlocked.
        case unlock
        /// The network changes.
        case network(ReaderControl.Network)
        /// The network goes and comes back so often.
        case flap(Int)
        /// Every token so far ages out.
        case expireToken
        /// The session ages out.
        case expireSession
        /// The acceptance of the terms is undone.
        case revokeLink
        /// The device becomes another one.
        case setDevice(DeviceTraits)
        /// The app's process ends.
        case crash
        /// The app is launched again.
        case relaunch
        /// The device restarts.
        case restartDevice
        /// Time passes.
        case advance(Duration)
        /// The issuer or the acquirer does something with the next submission.
        case issuer(Issuer)
        /// Nothing is done until an event was heard so often, counted from the `waitFor`
        /// before it.
        case waitFor(String, times: Int)
    }

    /// What the issuer and the acquirer do with a submission.
    public struct Issuer: Hashable, Sendable {
        /// The answer.
        public enum Answer: Hashable, Sendable {
            /// Yes.
            case approve
            /// No.
            case decline(IssuerRefusal)
            /// Undecided for ten minutes.
            case pending(thenApproves: Bool)
            /// An error, before anything was done.
            case errorBefore
            /// An error, after everything was done.
            case errorAfter
            /// A refusal with a number of HTTP, once.
            case refuse(Int)
            /// Yes, and taken back later.
            case reverse
            /// No, and a notice later that says yes.
            case contradict
        }

        /// The answer; the card and the amount decide when nil.
        public var answer: Answer?
        /// Whether a PIN is asked for first.
        public var requestsPIN = false
        /// So many minor units are approved at most.
        public var partial: Int64?
        /// How much longer the answer takes.
        public var delay = Duration.zero
        /// Whether the request is lost.
        public var losesRequest = false
        /// Whether the answer is lost.
        public var losesReply = false
        /// Whether the answer comes twice.
        public var duplicatesReply = false

        /// Creates an issuer that does nothing special.
        public init() {}
    }

    /// What is done.
    public var kind: Kind
    /// How long after what it follows: the sheet, the keypad, or the step before.
    public var after: Duration?
    /// Whether it may be left undone.
    public var isOptional: Bool

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - kind: What is done.
    ///   - after: How long after what it follows.
    ///   - isOptional: Whether it may be left undone.
    public init(_ kind: Kind, after: Duration? = nil, isOptional: Bool = false) {
        self.kind = kind
        self.after = after
        self.isOptional = isOptional
    }

    /// The names that files use.
    static let names = [
        "present", "presentMany", "remove", "pin", "terms", "customerCancels", "merchantCancels",
        "background", "foreground", "inactive", "call", "endCall", "lock", "unlock", "network",
        "expireToken", "expireSession", "revokeLink", "setDevice", "crash", "relaunch",
        "restartDevice", "advance", "issuer", "waitFor", "repeat",
    ]

    /// The events that a step can wait for and an expectation can name.
    static let events = [
        "notReady", "readyForTap", "cardDetected", "removeCard", "retry", "pinRequested",
        "pinCompleted", "readCompleted", "readNotCompleted", "readCancelled", "uiDismissed",
        "linkSheetShown", "termsAccepted", "sessionReady",
    ]
}

extension ScenarioStep.Kind {
    /// How a trace names it.
    public var name: String {
        switch self {
        case .present(let cards, _): "present " + cards.map(\.id).joined(separator: "+")
        case .remove: "remove"
        case .pin(let answer): "pin \(answer.rawValue)"
        case .terms(let answer): "terms \(answer.rawValue)"
        case .customerCancels: "customerCancels"
        case .merchantCancels: "merchantCancels"
        case .background: "background"
        case .foreground: "foreground"
        case .inactive: "inactive"
        case .call: "call"
        case .endCall: "endCall"
        case .lock: "lock"
        case .unlock: "unlock"
        case .network(let network): "network \(network.rawValue)"
        case .flap(let times): "network flap(\(times))"
        case .expireToken: "expireToken"
        case .expireSession: "expireSession"
        case .revokeLink: "revokeLink"
        case .setDevice: "setDevice"
        case .crash: "crash"
        case .relaunch: "relaunch"
        case .restartDevice: "restartDevice"
        case .advance(let duration): "advance \(ScenarioDuration.text(duration))"
        case .issuer: "issuer"
        case .waitFor(let event, _): "waitFor \(event)"
        }
    }
}
