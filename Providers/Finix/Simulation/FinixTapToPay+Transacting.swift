import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

extension FinixTapToPay {
    /// Takes one payment: reads a card and submits it.
    ///
    /// - Parameters:
    ///   - amount: The base amount in minor units.
    ///   - currency: The ISO 4217 code.
    ///   - type: What the transaction does.
    ///   - identityId: The payer's identity at Finix.
    ///   - surchargeAmount: A surcharge in minor units; the sheet does not show it.
    ///   - tipAmount: A tip in minor units; the sheet shows it in the total.
    ///   - promptForSignature: Whether a signature follows.
    /// - Returns: The result of an approved payment.
    /// - Throws: ``TapToPayError`` for everything else, whatever became of the money.
    public func startTransaction(
        amount: Int,
        currency: String,
        type: TransactionType = .sale,
        identityId: String? = nil,
        surchargeAmount: Int? = nil,
        tipAmount: Int? = nil,
        promptForSignature: Bool? = nil
    ) async throws(TapToPayError) -> TapToPayTransactionResult {
        let phone = try begin()
        defer { state.withLock { $0.isRunning = false } }
        var payment = FinixReaderService.Payment(
            amount: Int64(amount),
            currency: currency,
            type: type
        )
        payment.tip = Int64(tipAmount ?? 0)
        payment.surcharge = Int64(surchargeAmount ?? 0)
        payment.signature = promptForSignature
        payment.identity = identityId
        events.send(.preparingTransaction)
        do throws(TapToPayError) {
            let result = try await run(payment, on: phone)
            events.send(.success(result))
            return result
        } catch {
            tell(error, on: phone)
            throw error
        }
    }

    /// Cancels the read that is running; no effect otherwise.
    ///
    /// - Throws: Nothing; the vendor's call may.
    public func cancelTransaction() async throws(TapToPayError) {
        guard let phone else { return }
        if phone.quirks.forgetsEventOnCancel { events.forget() }
        _ = await phone.world.reader.cancelRead()
    }

    private func begin() throws(TapToPayError) -> FinixPhone {
        guard let phone else { throw .notSupported }
        guard configuration.isComplete else { throw .readerPreparationFailed(nil) }
        guard phone.isForeground else { throw .backgroundRequestNotAllowed }
        let problem = state.withLock { state -> TapToPayError? in
            if state.isRunning { return .transactionFailed("a transaction is running") }
            guard state.session == .standing else { return .readerPreparationFailed(nil) }
            state.isRunning = true
            return nil
        }
        if let problem { throw problem }
        return phone
    }

    private func run(
        _ wanted: FinixReaderService.Payment,
        on phone: FinixPhone
    ) async throws(TapToPayError) -> TapToPayTransactionResult {
        var payment = wanted
        payment.number = try await number(on: phone)
        events.send(.readingCard)
        let read = try await read(payment, on: phone)
        events.send(.cardRead)
        events.send(.processing)
        payment.identifier = nextIdentifier(on: phone)
        phone.world.time.trace.add("kit", "submit \(payment.identifier)")
        return try await service(on: phone)
            .pay(payment, read.payload, at: phone.world.time.wallTime)
    }

    /// The processor's number, looked up anew if preparing did not find it.
    private func number(on phone: FinixPhone) async throws(TapToPayError) -> String {
        if let number = state.withLock({ $0.number }) { return number }
        guard let number = await service(on: phone).number() else {
            throw .midResolutionFailed("the merchant \(merchant) could not be read")
        }
        state.withLock { $0.number = number }
        return number
    }

    private func read(
        _ payment: FinixReaderService.Payment,
        on phone: FinixPhone
    ) async throws(TapToPayError) -> ReadResult {
        let (shown, overflows) = payment.amount.addingReportingOverflow(payment.tip)
        guard !overflows else { throw .transactionFailed("the amount is too large") }
        if let language = state.withLock({ $0.language }) {
            phone.world.time.trace.add("kit", "sheet in \(FinixLanguage.tag(of: language))")
        }
        let request = ReadRequest(
            kind: payment.type == .refund ? .refund : .purchase,
            minorUnits: shown,
            currency: payment.currency
        )
        do throws(ReaderError) {
            return try await phone.world.reader.read(request)
        } catch {
            throw FinixReaderErrors.read(error)
        }
    }

    private func tell(_ error: TapToPayError, on phone: FinixPhone) {
        let quirks = phone.quirks
        if quirks.omitsCancelEvent, error == .transactionCancelled { return }
        events.send(.failure(error))
        if quirks.repeatsFailure, case .transactionFailed = error { events.send(.failure(error)) }
    }

    private func nextIdentifier(on phone: FinixPhone) -> String {
        let count = phone.nextTap()
        let milliseconds = phone.world.time.wallTime.timeIntervalSince1970 * 1_000
        return "tx-\(FinixRow.letters(Int(milliseconds)))-\(FinixRow.letters(count))"
    }
}
