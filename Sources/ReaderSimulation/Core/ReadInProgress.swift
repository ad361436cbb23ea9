import Simulation

/// A read that has not ended; it belongs to one core, which looks at it often and copies it never.
final class ReadInProgress {
    /// How far it got.
    enum Stage: Comparable, Sendable {
        case asked
        case starting
        case waiting
        case detected
        case pin
        case completed
        case returned
    }

    let request: ReadRequest
    let continuation: ReaderCore.Answer<ReadResult>
    var stage = Stage.asked
    /// When the sheet gives up; the wait of another tap is its own.
    var deadline: VirtualClock.Instant?
    /// The card in the field, or the last one that was.
    var card: SimulatedCard?
    /// When it was detected.
    var detectedAt: VirtualClock.Instant?
    /// Whether its data is complete, so that taking it away changes nothing.
    var isDataComplete = false
    /// How many taps came to nothing.
    var retries = 0
    var application: CardApplication?
    var pin = SimulatedPayload.PIN.none
    var isRefusedByCard = false
    var result: ReadResult?
    /// Whether the result is on its way to the caller, however long that takes.
    var isDelivering = false
    /// Whether the sheet has closed.
    var isSheetGone = false

    init(request: ReadRequest, continuation: ReaderCore.Answer<ReadResult>) {
        self.request = request
        self.continuation = continuation
    }
}

/// A PIN that is asked for after its read.
struct CaptureInProgress: Sendable {
    let read: FinishedRead
    let continuation: ReaderCore.Answer<ReadResult>
}

/// A read that has given out its result, as long as a PIN can be added to it.
struct FinishedRead: Sendable {
    let request: ReadRequest
    let result: ReadResult
    let content: SimulatedPayload
    let at: VirtualClock.Instant
}
