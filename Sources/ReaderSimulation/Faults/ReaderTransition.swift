/// The steps of a payment at which a simulation can be made to go another way.
public enum ReaderTransition: String, Hashable, Sendable, CaseIterable {
    // Account

    /// Whether cards can be read was asked.
    case supportAsked
    /// Linking was asked for.
    case linkAsked
    /// The terms are on the screen.
    case linkSheetShown
    /// The terms are accepted.
    case linkAccepted

    // Preparation

    /// A preparation begins.
    case prepareStarted
    /// A token is asked for.
    case tokenRequested
    /// A token has come.
    case tokenReceived
    /// The device proves that it is genuine.
    case attestation
    /// Some more of the configuration is done.
    case configuration
    /// A session is made.
    case sessionIssued
    /// A preparation returns.
    case prepareReturned

    // Read

    /// A read begins.
    case readStarted
    /// The sheet of a read shows.
    case sheetShown
    /// A card is detected.
    case cardDetected
    /// An application of the card is chosen.
    case applicationSelected
    /// The card's data is complete.
    case cardDataRead
    /// It is decided how the customer is verified.
    case cvmDecided
    /// The keypad shows.
    case pinShown
    /// A PIN was typed.
    case pinDone
    /// The read completes.
    case readCompleted
    /// The result is given out.
    case resultDelivered
    /// The sheet is gone.
    case uiDismissed

    // Cancel

    /// A cancel is asked for.
    case cancelRequested
    /// A cancel is answered.
    case cancelAnswered

    // Submission

    /// A payload is about to be sent.
    case submitStarted
    /// The acquirer has the payload.
    case submitReceived
    /// The issuer has decided.
    case issuerDecided
    /// The answer is on its way.
    case replySent
    /// The answer has come.
    case replyReceived

    // Lifecycle

    /// The app leaves the screen.
    case background
    /// The app returns to the screen.
    case foreground
    /// The app's process ends.
    case processEnd
    /// The app is launched again.
    case relaunch
    /// A token ages out.
    case tokenExpiry
    /// A session ages out.
    case sessionExpiry

    /// Steps of storing and forwarding, which this simulation does not have.
    static let offline = ["stored", "batchFetched", "batchSent", "batchResolved"]
}
