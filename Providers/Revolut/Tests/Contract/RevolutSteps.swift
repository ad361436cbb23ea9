import PaymentTransport
import ProviderContractKit

extension RevolutHarness {
    /// What a request to Revolut means.
    static func step(of request: HTTPRequest) -> ContractStep? {
        let path = request.path
        return switch request.method {
        case .post where path.hasSuffix("/tap"): .payment
        case .post where path.hasSuffix("/cancel"): .close
        case .post where path.hasSuffix("/refund"): .refund
        case .post: path.hasPrefix("/_emu") ? .create : .link
        default: path.hasPrefix("/_emu") ? nil : .lookUp
        }
    }
}
