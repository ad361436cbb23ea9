import CommandLineSupport

/// Ends the process in the middle of a payment, for tests of what comes after.
public enum KillSwitch: String {
    /// Once the attempt is in the journal, before a card is presented.
    case beforeTap = "before-tap"
    /// Once the acquirer has booked the payment, before its answer is here.
    case afterTap = "after-tap"

    static var wanted: KillSwitch? {
        getenv("CHECKOUT_TEST_KILL").flatMap { KillSwitch(rawValue: String(cString: $0)) }
    }

    /// Ends the process as a crash would.
    public static func kill() { _ = raise(SIGKILL) }
}
