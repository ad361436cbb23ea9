import PaymentTransport
import ProviderContractKit

extension FinixHarness {
    /// What a request to Finix means.
    static func step(of request: HTTPRequest) -> ContractStep? {
        let text = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return switch (request.method, request.path) {
        case (.get, "/tap_to_pay_token"): .token
        case (.post, "/card_reader/transfers"): .payment
        case (.post, _): .refund
        case (.put, _): text.contains("void_me") ? .void : .capture
        default: .lookUp
        }
    }
}
