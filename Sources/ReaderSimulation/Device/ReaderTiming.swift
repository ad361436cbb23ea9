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
        dismissal: .milliseconds(2)
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
        idleSession: Duration? = nil
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
    }
}
