/// Both clocks at one moment: the one that a person may set, and the one that only goes on.
struct ClockMark: Sendable {
    /// The time of day.
    let at: Date
    /// How far the time of day was set since then.
    let jump: @Sendable () -> Duration

    init(_ environment: PaymentEnvironment) {
        let (at, wallTime) = (environment.wallTime(), environment.wallTime)
        let elapsed = environment.clock.stopwatch()
        self.at = at
        jump = {
            let jump = Duration.seconds(wallTime().timeIntervalSince(at)) - elapsed()
            // The two are never read at quite the same instant.
            return jump < .seconds(1) && jump > .seconds(-1) ? .zero : jump
        }
    }
}
