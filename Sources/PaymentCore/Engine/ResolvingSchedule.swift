/// Decides which open payments are due to be asked about: each often at first, and hourly at last.
///
/// Every payment has pauses of its own, so that one which stays open delays no other.
struct ResolvingSchedule {
    private struct Look {
        var due: Duration
        var pause: Duration
    }

    private var looks: [AttemptID: Look] = [:]

    /// What is to be asked about now; each counts as asked, and what is not open is forgotten.
    ///
    /// - Parameters:
    ///   - open: The open payments, in the order in which they are asked about.
    ///   - now: The time since any fixed moment.
    /// - Returns: Those whose pause is over, and those that were not open before.
    mutating func due(_ open: [AttemptID], at now: Duration) -> [AttemptID] {
        let before = looks
        looks = [:]
        var due: [AttemptID] = []
        for attempt in open {
            var look = before[attempt] ?? Look(due: now, pause: Self.firstPause)
            if look.due <= now {
                due.append(attempt)
                look = Look(due: now + look.pause, pause: min(look.pause * 2, Self.longestPause))
            }
            looks[attempt] = look
        }
        return due
    }

    /// How often it is looked whether something is due.
    static let beat = Duration.seconds(30)
    private static let firstPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(3_600)
}
