import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation

/// The kit's way to the service that issues reader tokens and takes taps.
struct FinixReaderService: Sendable {
    let transport: any HTTPTransport
    let configuration: TapToPayConfiguration
    let time: SimulatedTime

    struct Payment {
        let amount: Int64
        let currency: String
        let type: TransactionType
        var tip: Int64 = 0
        var surcharge: Int64 = 0
        var signature: Bool?
        var identity: String?
        /// The processor's number of the merchant.
        var number = ""
        var identifier = ""
    }

    private struct MerchantAnswer: Decodable {
        let mid: String?
    }

    private struct TokenAnswer: Decodable {
        let tap_to_pay_token: String
    }

    private struct PaymentAnswer: Decodable {
        let id: String
        let state: String
        let brand: String?
        let masked_account_number: String?
        let approval_code: String?
        let trace_id: String?
        let failure_message: String?
    }

    private struct PaymentBody: Encodable {
        let transaction_type: String
        let amount: Int64
        let currency: String
        let tip_amount: Int64
        let surcharge_amount: Int64
        let input = "CARD_CONTACTLESS"
        let tap_to_pay_card_data: String
        let device_id: String
        let gateway = "FINIX_V1"
        let merchant_id: String
        let mid: String
        let signature_pending: Bool?
        let buyer_identity: String?
        let idempotency_id: String
        let tags: [String: String]
    }

    func token() async throws(TapToPayError) -> ReaderToken {
        var request = HTTPRequest(
            .get,
            FinixEmulator.origin,
            FinixRoute.token,
            query: [("device_id", configuration.deviceId)]
        )
        sign(&request)
        guard let response = try? await transport.send(request) else {
            throw .tokenFetchFailed("no answer")
        }
        guard response.isSuccess,
            let answer = try? JSONBody.decode(TokenAnswer.self, from: response.body)
        else { throw .tokenFetchFailed(message(in: response)) }
        return FinixReaderToken.read(
            answer.tap_to_pay_token,
            merchant: configuration.merchant.merchantId,
            clock: time.clock,
            now: time.wallTime
        )
    }

    /// The processor's number of the merchant; nil when it could not be had.
    func number() async -> String? {
        let path = "/merchants/\(configuration.merchant.merchantId)"
        var request = HTTPRequest(.get, FinixEmulator.origin, path)
        sign(&request)
        guard let response = try? await transport.send(request), response.isSuccess else {
            return nil
        }
        return (try? JSONBody.decode(MerchantAnswer.self, from: response.body))?.mid
    }

    func pay(
        _ payment: Payment,
        _ payload: CardPayload,
        at time: Date
    ) async throws(TapToPayError) -> TapToPayTransactionResult {
        let body = PaymentBody(
            transaction_type: payment.type.rawValue,
            amount: payment.amount,
            currency: payment.currency,
            tip_amount: payment.tip,
            surcharge_amount: payment.surcharge,
            tap_to_pay_card_data: Data(payload.reveal().utf8).base64EncodedString(),
            device_id: configuration.deviceId,
            merchant_id: configuration.merchant.merchantId,
            mid: payment.number,
            signature_pending: payment.signature,
            buyer_identity: payment.identity,
            idempotency_id: "TTP_\(payment.identifier)",
            tags: [
                "source": "tap_to_pay", "transaction_id": payment.identifier,
                "reader_id": Self.readerIdentifier,
            ]
        )
        var request = HTTPRequest(.post, FinixEmulator.origin, FinixRoute.payment)
        sign(&request)
        request.headers["Content-Type"] = "application/json"
        request.headers["X-Finix-Referrer-Source"] = configuration.referrerSource
        request.body = try? JSONBody.encode(body)
        guard let response = try? await transport.send(request) else {
            throw .transactionFailed("the request timed out")
        }
        guard response.isSuccess,
            let answer = try? JSONBody.decode(PaymentAnswer.self, from: response.body)
        else { throw .transactionFailed(message(in: response)) }
        guard answer.state == "SUCCEEDED" else {
            throw .transactionFailed(answer.failure_message ?? "state \(answer.state)")
        }
        return TapToPayTransactionResult(
            amount: Int(payment.amount),
            currency: payment.currency,
            cardBrand: answer.brand,
            last4: answer.masked_account_number.map { String($0.suffix(4)) },
            maskedCardNumber: answer.masked_account_number,
            cardType: nil,
            emvData: nil,
            timestamp: time,
            readerIdentifier: Self.readerIdentifier,
            transactionIdentifier: payment.identifier,
            transferId: answer.id,
            transferState: answer.state,
            approvalCode: answer.approval_code,
            traceId: answer.trace_id
        )
    }

    static let readerIdentifier = "reader-simulated"

    private func sign(_ request: inout HTTPRequest) {
        request.headers["Authorization"] = configuration.credentials.basic
        request.headers["Finix-Version"] = "2022-02-01"
    }

    private func message(in response: HTTPResponse) -> String {
        let errors = JSONTree.members(of: response.body)?["_embedded"]?.members?["errors"]
        if case .list(let entries) = errors, let text = entries.first?.members?["message"]?.text {
            return text
        }
        return "HTTP \(response.status)"
    }
}
