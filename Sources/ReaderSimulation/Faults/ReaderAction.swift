/// What can be done at a step of a payment.
public enum ReaderAction: Hashable, Sendable {
    /// The call that runs fails.
    case fail(ReaderError)
    /// It goes on after a while.
    case delay(Duration)
    /// It does not go on by itself.
    case hang
    /// The next event is not told.
    case dropEvent
    /// The next event is told twice.
    case duplicateEvent
    /// The next event is told after the one that follows it.
    case swapWithNext
    /// The app leaves the screen for a while.
    case background
    /// The app is not in front for a moment.
    case inactive
    /// Somebody calls.
    case call
    /// The screen is locked for a while.
    case lock
    /// The app's process ends, and is launched again after a while.
    case crash
    /// The network is gone.
    case networkDown
    /// The network is there.
    case networkUp
    /// The network comes and goes so often.
    case networkFlap(Int)
    /// Every token so far ages out.
    case expireToken
    /// The session ages out.
    case expireSession
    /// The acceptance of the terms is undone.
    case revokeLink
    /// The card is taken away.
    case removeCard
    /// Another card comes near too.
    case secondCard(SimulatedCard)
    /// The merchant cancels.
    case cancel
    /// The same card comes near again.
    case tapAgain
    /// The time of day is set forward or back.
    case clockJump(Duration)

    /// One of each, as a sweep tries them.
    public static let samples: [ReaderAction] = [
        .fail(ReaderError(.serviceUnavailable)), .delay(.seconds(5)), .hang, .dropEvent,
        .duplicateEvent, .swapWithNext, .background, .inactive, .call, .lock, .crash,
        .networkDown, .networkUp, .networkFlap(3), .expireToken, .expireSession, .revokeLink,
        .removeCard, .secondCard(.catalogue[1]), .cancel, .tapAgain, .clockJump(.seconds(3_600)),
    ]
}

extension ReaderAction: CustomStringConvertible {
    /// How a scenario writes it.
    public var description: String {
        switch self {
        case .fail(let error):
            error.number.map { "throw(\(error.code), \($0))" } ?? "throw(\(error.code))"
        case .delay(let duration): "delay(\(ScenarioDuration.text(duration)))"
        case .hang: "hang"
        case .dropEvent: "dropEvent"
        case .duplicateEvent: "duplicateEvent"
        case .swapWithNext: "swapWithNext"
        case .background: "background"
        case .inactive: "inactive"
        case .call: "call"
        case .lock: "lock"
        case .crash: "crash"
        case .networkDown: "networkDown"
        case .networkUp: "networkUp"
        case .networkFlap(let times): "networkFlap(\(times))"
        case .expireToken: "expireToken"
        case .expireSession: "expireSession"
        case .revokeLink: "revokeLink"
        case .removeCard: "removeCard"
        case .secondCard(let card): "secondCard(\(card.id))"
        case .cancel: "cancel"
        case .tapAgain: "tapAgain"
        case .clockJump(let duration): "clockJump(\(ScenarioDuration.text(duration)))"
        }
    }
}
