/// What the world around a simulated device does: customers, networks, other apps, faults.
///
/// It acts at once. A test calls it before a run, between two, or from an observer of events.
public final class ReaderControl: Sendable {
    let machine: ReaderMachine

    init(_ machine: ReaderMachine) { self.machine = machine }

    /// What a person does with the sheet that shows the terms.
    public enum TermsAnswer: String, Hashable, Sendable, CaseIterable {
        /// Accepts them.
        case accepts
        /// Closes the sheet.
        case closes
        /// Accepts, but linking does not work with this account.
        case fails
    }

    /// What a customer does with the keypad.
    public enum PINAnswer: String, Hashable, Sendable, CaseIterable {
        /// Types the right PIN.
        case correct
        /// Types another one.
        case wrong
        /// Skips it.
        case bypass
        /// Closes the keypad.
        case cancel
        /// Types nothing.
        case none
    }

    /// How the network is.
    public enum Network: String, Hashable, Sendable, CaseIterable {
        /// It is there.
        case up
        /// It is gone, and that is found out at once.
        case down
        /// It is there, and everything takes longer.
        case slow
        /// It is gone, and that is found out only after 15 seconds.
        case silent
        /// It is there or not, by chance, at each use.
        case intermittent
        /// It lets nobody through who has not signed in on its own page.
        case captive
    }

    // MARK: - Looking

    /// Where the reader is.
    public var state: ReaderState { machine.act { $0.state } }

    /// Faults that were scripted and whose step has not been passed.
    public var unusedFaults: [ReaderFault] { machine.act { $0.faults.unused } }

    /// How many of the customers' taps and cancels have not happened.
    public var waitingCustomers: Int { machine.act { $0.customer.queue.count } }

    /// How many of the customers' PINs have not been asked for.
    public var waitingPINs: Int { machine.act { $0.customer.typings.count } }

    /// How many answers to terms have not been asked for.
    public var waitingTerms: Int { machine.act { $0.customer.terms.count } }

    /// The merchants who have accepted the terms.
    public var linkedMerchants: Set<String> { machine.act { $0.linked } }

    /// How much of the configuration is done, in percent.
    public var configured: Int { machine.act { $0.configured } }

    /// How many processes of the app have begun.
    public var launches: Int { machine.act { $0.launches } }

    /// Hears every event that the reader means to tell, whatever process of the app there is.
    public func watch(_ watcher: @escaping @Sendable (ReaderEvent) -> Void) {
        machine.act { $0.watchers.append(watcher) }
    }

    /// What is wanted of the app's process; for whoever runs the app.
    public var processHooks: ProcessHooks {
        get { machine.act { $0.hooks } }
        set { machine.act { $0.hooks = newValue } }
    }

    /// Everything that happened, where it is kept for a check; nil when it is not.
    public var audit: ReaderAudit? {
        get { machine.act { $0.audit } }
        set { machine.act { $0.audit = newValue } }
    }
}

/// What a simulated device asks of whoever runs the app on it; called between jobs.
public struct ProcessHooks: Sendable {
    /// The process has ended.
    public var ended: @Sendable () -> Void
    /// The app is to be launched again.
    public var relaunch: @Sendable () -> Void
    /// The merchant asks the app to cancel.
    public var merchantCancels: @Sendable () -> Void

    /// Creates hooks; what is left out does nothing.
    ///
    /// - Parameters:
    ///   - ended: The process has ended.
    ///   - relaunch: The app is to be launched again.
    ///   - merchantCancels: The merchant asks the app to cancel.
    public init(
        ended: @escaping @Sendable () -> Void = {},
        relaunch: @escaping @Sendable () -> Void = {},
        merchantCancels: @escaping @Sendable () -> Void = {}
    ) {
        self.ended = ended
        self.relaunch = relaunch
        self.merchantCancels = merchantCancels
    }
}
