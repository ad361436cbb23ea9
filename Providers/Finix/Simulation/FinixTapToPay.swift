import AcquirerSimulation
public import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// The simulated kit: the documented surface of Finix's SDK, over the simulated reader.
///
/// It reads and submits inside one call, as the vendor's does, and hides what the vendor's hides.
public final class FinixTapToPay: Sendable {
    let configuration: TapToPayConfiguration
    let phone: FinixPhone?
    let events = FinixEventHub()
    let state = Mutex(State())
    private let subscriptions: Mutex<(reader: ReaderSubscription?, foreground: Int?)>

    struct State {
        var session = Session.none
        var isRunning = false
        /// The processor's number of the merchant.
        var number: String?
        var language: Locale.Language?
    }

    enum Session {
        case none
        case standing
        /// The system took it while the app was in the background.
        case lostInBackground
    }

    /// Whether this device can read cards; false outside of a simulated phone.
    public static func isSupported() -> Bool { FinixPhone.current?.isSupported ?? false }

    /// Creates the kit on the simulated phone that the code runs on; asks nobody anything.
    public convenience init(configuration: TapToPayConfiguration) {
        self.init(configuration: configuration, phone: FinixPhone.current)
    }

    /// Creates the kit on a simulated phone, or on a device that cannot read cards.
    init(configuration: TapToPayConfiguration, phone: FinixPhone?) {
        self.configuration = configuration
        self.phone = phone
        subscriptions = Mutex((nil, nil))
        let reader = phone?.world.reader.subscribe { [weak self] event in
            if case .sessionEnded(let reason) = event { self?.lostSession(reason) }
        }
        let foreground = phone?.onForeground { [weak self] in self?.returnedToForeground() }
        subscriptions.withLock { $0 = (reader, foreground) }
    }

    deinit {
        let (reader, foreground) = subscriptions.withLock { $0 }
        reader?.cancel()
        if let foreground { phone?.endForeground(foreground) }
    }

    /// Hears each event from now on, and at once the latest one, on the thread that sends it.
    ///
    /// - Returns: What ends it.
    func observe(
        _ handler: @escaping @Sendable (TapToPayTransactionEvent) -> Void
    ) -> @Sendable () -> Void {
        events.add(handler)
    }

    /// Sets the language of the buyer's screens from now on; nil for the phone's.
    public func setUserInterfaceLanguage(_ language: Locale.Language?) {
        state.withLock { $0.language = language }
    }

    /// Gives the session up, so that what changed at Finix counts; prepare afterwards.
    public func refreshConfiguration() { state.withLock { $0.session = .none } }

    /// Forgets the link's answer for this merchant, the reader and its session; unlinks nothing.
    public func clearAllCaches() {
        clearLinkStatus()
        state.withLock { $0.session = .none }
    }

    private func lostSession(_ reason: SessionEnd) {
        state.withLock { state in
            guard state.session != .none else { return }
            state.session = reason == .background ? .lostInBackground : .none
        }
    }

    func service(on phone: FinixPhone) -> FinixReaderService {
        FinixReaderService(
            transport: phone.emulator.host,
            configuration: configuration,
            time: phone.world.time
        )
    }
}
