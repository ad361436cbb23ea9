import Simulation

/// A read that has not ended.
struct ReadInProgress: Sendable {
    /// How far it got.
    enum Stage: Comparable, Sendable {
        case starting
        case waiting
        case detected
        case completed
        case returned
    }

    let request: ReadRequest
    let continuation: ReaderCore.Answer<ReadResult>
    var stage = Stage.starting
    /// Since when the sheet waits for a card.
    var waitsSince: VirtualClock.Instant?
    var result: ReadResult?
}
