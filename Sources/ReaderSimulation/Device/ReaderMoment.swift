/// Moments at which a simulated reader can be made to fail.
public enum ReaderMoment: String, Hashable, Sendable, CaseIterable {
    /// The status of the link was asked.
    case statusAsked
    /// Linking was asked for.
    case linkAsked
    /// The terms are on the screen.
    case linkSheetShown
    /// A preparation was asked for.
    case prepareStarted
    /// A preparation has run half of its way.
    case configuration
    /// A session is about to be given out.
    case sessionIssued
    /// A read was asked for.
    case readStarted
    /// The sheet of a read is about to show.
    case sheetShown
    /// A card was detected.
    case cardDetected
    /// The card's data is complete.
    case cardDataRead
    /// The read has completed, and its result is about to be given out.
    case resultDelivered
    /// The reader was asked for its name.
    case identifierAsked
}
