/// How long everything takes at a simulated reader, in virtual time.
public struct ReaderTiming: Hashable, Sendable {
    /// The answer to a small question, such as the status of the link.
    public var answer: Duration
    /// How long a person looks at the sheet with the terms.
    public var terms: Duration
    /// A preparation that has everything to configure.
    public var firstPreparation: Duration
    /// A preparation with nothing to configure.
    public var laterPreparation: Duration
    /// From the call of a read to its sheet.
    public var sheet: Duration
    /// From the sheet to the card that is presented by default.
    public var tap: Duration
    /// From the detection of a card to the end of its data.
    public var cardData: Duration
    /// From there to the end of the read.
    public var completion: Duration
    /// The closing of the sheet.
    public var dismissal: Duration
    /// How long a read waits for a card.
    public var tapTimeout: Duration
    /// How long a payload is worth anything.
    public var payloadLifetime: Duration
    /// How long an unused session lasts; for ever without.
    public var idleSession: Duration?
    /// How long a customer needs to type a PIN.
    public var pin: Duration
    /// How long the keypad waits for one.
    public var pinTimeout: Duration
    /// How long after a read a PIN can be added to it.
    public var pinWindow: Duration
    /// After so long the system ends a read that is stuck.
    public var watchdog: Duration
    /// By how much every time may differ, in hundredths of itself; drawn from the seed.
    public var jitter: Int

    /// The presets by their names.
    public static let presets: [String: ReaderTiming] = [
        "instant": .instant, "typical": .typical, "slow": .slow, "hostile": .hostile,
    ]

    /// The times of a device and a customer in real life.
    public static let typical = ReaderTiming(
        answer: .milliseconds(300),
        terms: .seconds(8),
        firstPreparation: .seconds(95),
        laterPreparation: .seconds(3),
        sheet: .milliseconds(400),
        tap: .seconds(1),
        cardData: .milliseconds(500),
        completion: .milliseconds(250),
        dismissal: .milliseconds(700)
    )

    /// Next to no time, yet enough for something to fall in between.
    public static let instant = ReaderTiming(
        answer: .milliseconds(1),
        terms: .milliseconds(5),
        firstPreparation: .milliseconds(40),
        laterPreparation: .milliseconds(5),
        sheet: .milliseconds(2),
        tap: .milliseconds(10),
        cardData: .milliseconds(2),
        completion: .milliseconds(2),
        dismissal: .milliseconds(2),
        pin: .milliseconds(10)
    )

    /// An old device, a bad network and a customer in thought.
    public static let slow = ReaderTiming(
        answer: .seconds(2),
        terms: .seconds(40),
        firstPreparation: .seconds(120),
        laterPreparation: .seconds(7),
        sheet: .milliseconds(1_500),
        tap: .seconds(8),
        cardData: .milliseconds(1_200),
        completion: .milliseconds(900),
        dismissal: .milliseconds(1_500),
        pin: .seconds(15),
        jitter: 10
    )

    /// Times that differ widely from one to the next, for finding races.
    public static let hostile = ReaderTiming(
        answer: .milliseconds(700),
        terms: .seconds(10),
        firstPreparation: .seconds(60),
        laterPreparation: .seconds(4),
        sheet: .milliseconds(700),
        tap: .seconds(2),
        cardData: .milliseconds(700),
        completion: .milliseconds(500),
        dismissal: .milliseconds(900),
        jitter: 90
    )

    /// Creates a timing; what is left out has the default of a real device.
    public init(
        answer: Duration,
        terms: Duration,
        firstPreparation: Duration,
        laterPreparation: Duration,
        sheet: Duration,
        tap: Duration,
        cardData: Duration,
        completion: Duration,
        dismissal: Duration,
        tapTimeout: Duration = .seconds(60),
        payloadLifetime: Duration = .seconds(60),
        idleSession: Duration? = nil,
        pin: Duration = .seconds(3),
        pinTimeout: Duration = .seconds(60),
        pinWindow: Duration = .seconds(55),
        watchdog: Duration = .seconds(120),
        jitter: Int = 0
    ) {
        self.answer = answer
        self.terms = terms
        self.firstPreparation = firstPreparation
        self.laterPreparation = laterPreparation
        self.sheet = sheet
        self.tap = tap
        self.cardData = cardData
        self.completion = completion
        self.dismissal = dismissal
        self.tapTimeout = tapTimeout
        self.payloadLifetime = payloadLifetime
        self.idleSession = idleSession
        self.pin = pin
        self.pinTimeout = pinTimeout
        self.pinWindow = pinWindow
        self.watchdog = watchdog
        self.jitter = jitter
    }
}
