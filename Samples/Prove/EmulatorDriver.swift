import FinixPayments
import PaymentCore
import PaymentTransport

/// A driver without an SDK: it taps at an emulator over loopback, and submits as the SDK would.
struct EmulatorDriver: FinixDriver {
    let origin: String
    let merchant: String
    let device: String
    let credentials: String
    /// Carries taps, which are nobody's request to an acquirer.
    let reader: any HTTPTransport
    let transport: any HTTPTransport

    private struct Tap: Decodable {
        let base64: String
    }

    private struct Answer: Decodable {
        let id: String
        let state: String
    }

    private struct TapBody: Encodable {
        let card = "visa-credit"
        let amount: Int64
        let currency: String
    }

    private struct PaymentBody: Encodable {
        let transaction_type = "SALE"
        let amount: Int64
        let currency: String
        let merchant_id: String
        let device_id: String
        let tap_to_pay_card_data: String
    }

    var isSupported: Bool { true }
    func isAccountLinked() async -> Bool { true }
    func forceRefreshLinkStatus() async -> Bool { true }
    func linkAccount() async throws(FinixDriverError) {}
    func prepareReader() async throws(FinixDriverError) {}
    func refreshConfiguration() async {}
    func cancelTransaction() async {}
    func setLanguage(_ tag: String?) async {}

    func startTransaction(
        _ transaction: FinixTransaction,
        report: @escaping @Sendable (FinixPhase) -> Void
    ) async -> FinixTransactionEnd {
        var phases: [FinixPhase] = []
        func reach(_ phase: FinixPhase) {
            phases.append(phase)
            report(phase)
        }
        reach(.preparingTransaction)
        reach(.readingCard)
        let body = TapBody(amount: transaction.amount, currency: transaction.currency)
        guard let tap: Tap = await ask(reader, "/_emu/tap", body) else {
            let error = FinixDriverError(code: "transactionCancelled")
            return FinixTransactionEnd(phases: phases, answer: .failure(error))
        }
        reach(.cardRead)
        reach(.processing)
        let payment = PaymentBody(
            amount: transaction.amount,
            currency: transaction.currency,
            merchant_id: merchant,
            device_id: device,
            tap_to_pay_card_data: tap.base64
        )
        guard let answer: Answer = await ask(transport, "/card_reader/transfers", payment),
            answer.state == "SUCCEEDED"
        else {
            let error = FinixDriverError(code: "transactionFailed")
            return FinixTransactionEnd(phases: phases, answer: .failure(error))
        }
        var result = FinixTransactionResult(
            amount: transaction.amount,
            currency: transaction.currency
        )
        result.transferID = answer.id
        result.transferState = answer.state
        return FinixTransactionEnd(phases: phases, answer: .success(result))
    }

    private func ask<Body: Encodable, Answer: Decodable>(
        _ transport: any HTTPTransport,
        _ path: String,
        _ body: Body
    ) async -> Answer? {
        var request = HTTPRequest(.post, origin, path)
        request.headers["Authorization"] = credentials
        request.headers["Content-Type"] = "application/json"
        request.body = try? JSONBody.encode(body)
        guard let response = try? await transport.send(request), response.isSuccess else {
            return nil
        }
        return try? JSONBody.decode(Answer.self, from: response.body)
    }
}
