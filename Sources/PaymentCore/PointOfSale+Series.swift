extension PointOfSale {
    /// Takes payments one after another, whose amounts are typed on the vendor's own screen.
    ///
    /// Each payment is an attempt of its own, in the journal before its amount is typed. Nobody but
    /// the vendor's screen knows the amounts: an approval has none until ``identify(_:as:)``
    /// finds it in the books. The app's screen belongs to the vendor until the series is over, and
    /// what the vendor's screen does between a report and the next cannot be held up. It lasts as
    /// long as that screen does, with no deadline, and occupies the device until then.
    ///
    /// - Parameter request: What is the same for all payments.
    /// - Returns: The payments, each as it ends; a failure does not end the series.
    /// - Throws: ``PaymentRefusal`` when it did not start: nothing was sent.
    public func takeSeries(
        _ request: SeriesRequest
    ) async throws(PaymentRefusal) -> SeriesPayments {
        let (channel, needsPerson) = try await engine.startSeries(request)
        return SeriesPayments(needsPerson: needsPerson, channel: channel)
    }

    /// The records of the acquirer's books that could be a series' payment that nobody can name:
    /// of its currency and its time, and claimed by no other payment.
    ///
    /// - Parameter order: The order of the payment.
    /// - Returns: The records, for a person to choose from; oldest first.
    /// - Throws: ``PaymentError`` when there is no such payment, or the books could not be asked.
    public func candidates(for order: Order) async throws(PaymentError) -> [AcquirerRecord] {
        try await engine.candidates(for: order).records
    }

    /// Notes which record of the acquirer's books a series' payment is, as a person found out.
    ///
    /// The record has to be one of ``candidates(for:)``; its amount is the payment's from then on.
    ///
    /// - Parameters:
    ///   - order: The order of the payment.
    ///   - verdict: The record, with the person's name and reason.
    /// - Returns: How the payment ended, by that record.
    /// - Throws: ``PaymentRefusal`` when it cannot be that record, or it cannot be recorded.
    public func identify(
        _ order: Order,
        as verdict: PersonalVerdict
    ) async throws(PaymentRefusal) -> PaymentOutcome {
        try await engine.identify(order, as: verdict)
    }
}
