/// Runs attempts one at a time: begin in the journal, act, settle, end in the journal.
actor PaymentEngine {
    let acquirers: [Acquirer]
    let journal: any AttemptJournal
    let settling: SettlingPolicy
    let failover: Failover
    let environment: PaymentEnvironment
    let shield: Shield
    /// Whom to ask for an order before an attempt begins.
    let claiming: OrderClaiming?
    let feed: StateFeed
    /// The clocks at the moments at which attempts were left without an end.
    var left: [AttemptID: ClockMark] = [:]
    var running: RunningPayment?
    /// How often there was a reason to prepare: a payment that ended, a return to the foreground.
    var occasions = 0
    /// The captures, voids and refunds that this process is sending.
    var sending: Set<AttemptID> = []
    /// Those of them whose call came back after its deadline.
    var cameLate: Set<AttemptID> = []
    /// The preparations that run.
    var preparations: [Account: OneShot<PaymentError?>] = [:]
    /// The acquirers whose reader's session may have gone while the app was off the screen.
    var doubtful: Set<Account> = []
    /// How often the open payments were looked up to be told.
    var tellings = 0
    /// Claims on orders that can be let go, and that the back end was not told of yet.
    var unreleased: [OrderClaim] = []
    /// Whether the back end was asked which claims of this till it still has.
    var hasCollectedClaims = false
    /// The end of what the back end is being told.
    var releasing: OneShot<Void>?

    /// The payment that occupies the device; of the engine alone.
    final class RunningPayment {
        var id: AttemptID
        var order: Order
        var acquirer: Acquirer
        var stage = Stage.beginning
        var cancelRequested = false
        /// What it waits for before the vendor is called.
        var waiting: OneShot<Void>?
        /// Whether the vendor's call has not come back.
        var isVendorRunning = false
        /// Whether the outcome was told.
        var isTold = false

        /// Whether the device is free again.
        var isOver: Bool { isTold && !isVendorRunning }

        init(id: AttemptID, order: Order, acquirer: Acquirer) {
            self.id = id
            self.order = order
            self.acquirer = acquirer
        }

        enum Stage {
            /// Nothing was given to the vendor yet.
            case beginning
            /// The vendor's call is running.
            case vendor
            /// The vendor has answered, or has not in time; the books are asked.
            case settling
        }
    }

    init(
        acquirers: [Acquirer],
        journal: any AttemptJournal,
        settling: SettlingPolicy,
        failover: Failover = Failover(),
        claiming: OrderClaiming? = nil,
        environment: PaymentEnvironment
    ) {
        self.acquirers = acquirers
        self.journal = journal
        self.settling = settling
        self.failover = failover
        self.claiming = claiming
        self.environment = environment
        shield = Shield(environment)
        feed = StateFeed()
    }

    /// The acquirer of new payments.
    var active: Acquirer { acquirers[0] }

    func acquirer(of account: Account) -> Acquirer? {
        acquirers.first { $0.account == account }
    }

    /// Changes the running payment, if it is this one, and lets go of the device once it is over.
    func update(_ id: AttemptID, _ change: (RunningPayment) -> Void) {
        guard let running, running.id == id else { return }
        change(running)
        if running.isOver { self.running = nil }
    }

    /// The identifier, or the next one that no attempt of the journal has.
    func unused(_ id: AttemptID) async -> AttemptID {
        var id = id
        while await journal.read({ [id] book in book[id] != nil }) {
            id = AttemptID(from: environment)
        }
        return id
    }

    /// The running attempt, as long as its outcome was not told.
    var runningUntold: AttemptID? { running.flatMap { $0.isTold ? nil : $0.id } }

    /// Whether an attempt occupies the device.
    func isRunning(_ id: AttemptID) -> Bool { running?.id == id }

    /// Whether the vendor's call for an attempt has not come back.
    func isAtVendor(_ id: AttemptID) -> Bool { isRunning(id) && running?.isVendorRunning == true }

    // MARK: Cancelling

    /// Asks for the cancellation of an order's running payment, and of no other.
    func cancel(_ order: Order) async -> Cancellation {
        guard let payment = running, payment.order == order else { return .nothingRunning }
        return await cancel(payment.id)
    }

    /// Asks for the cancellation of an attempt, if it is the running one.
    func cancel(_ id: AttemptID) async -> Cancellation {
        guard let payment = running, payment.id == id else { return .nothingRunning }
        switch payment.stage {
        case .beginning:
            running?.cancelRequested = true
            running?.waiting?.resolve(())
            return .asked
        case .vendor:
            guard payment.acquirer.provider.capabilities.cancelFromCode else { return .unsupported }
            let provider = payment.acquirer.provider
            let answer = await shield.run(deadline: Self.smallAnswer) { await provider.cancel(id) }
            return answer ?? .asked
        case .settling: return .tooLate
        }
    }
}
