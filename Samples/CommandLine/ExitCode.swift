/// How a program of this package ends; the same for every sample.
public enum ExitCode: Int32, Sendable {
    /// Approved or authorized, or a follow-up that is done or accepted.
    case success = 0
    /// Something that a check looks for did not hold, or nothing was checked.
    case checkFailed = 1
    /// Declined.
    case declined = 10
    /// Cancelled.
    case cancelled = 11
    /// Failed, provably without money.
    case failed = 12
    /// Refused; it did not start.
    case refused = 13
    /// Approved in part.
    case partlyApproved = 14
    /// Nobody knows yet.
    case unresolved = 20
    /// The command line cannot be carried out.
    case usage = 64
    /// A script is wrong.
    case badScript = 65
    /// Something that the program needs cannot be had, such as a port.
    case unavailable = 69
    /// A fault of the program itself.
    case software = 70
    /// The journal, or another file that matters, cannot be written.
    case cannotRecord = 73
    /// All was done, and the output cannot be written.
    case outputLost = 74
    /// The configuration is wrong.
    case configuration = 78
}
