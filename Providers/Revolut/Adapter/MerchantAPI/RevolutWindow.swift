import PaymentCore

/// The span of time that is still to be listed, where a list has a limit and no pages.
struct RevolutWindow {
    var from: Date?
    var to: Date?

    init(_ span: ClosedRange<Date>?) {
        from = span?.lowerBound
        // Times are written in whole milliseconds: the end is not to be cut off.
        to = span.map { $0.upperBound + Self.step }
    }

    /// Leaves out what a full page showed; false when its order shows no direction.
    ///
    /// Nothing says which way round the list is, so the page itself has to. One step of overlap
    /// keeps the orders of the border, whichever side the end belongs to.
    mutating func narrow(after times: [Date]) -> Bool {
        guard let first = times.first, let last = times.last else { return false }
        let pairs = zip(times, times.dropFirst())
        if last < first, pairs.allSatisfy({ $0 >= $1 }) {
            to = last + Self.step
        } else if first < last, pairs.allSatisfy({ $0 <= $1 }) {
            from = last - Self.step
        } else {
            return false
        }
        return true
    }

    private static let step: TimeInterval = 0.001
}
