import PaymentCore
import PaymentTransport

/// What a phone and its back end say to each other about Devices: JSON, version 1.
enum FinixDeviceMessage {
    static let version = 1
    static let path = "/finix/devices"

    /// What a phone asks: `provision`, or `check` with the Device that it kept.
    struct Question: Codable {
        var version = FinixDeviceMessage.version
        let action: Action
        let environment: String
        let merchant: String
        let reader: String
        let bundle: String
        let name: String
        let note: String?
        let device: String?

        init(_ action: Action, _ request: FinixDeviceRequest, device: String? = nil) {
            self.action = action
            environment = request.environment.rawValue
            merchant = request.merchant
            reader = request.reader
            bundle = request.bundle
            name = request.name
            note = request.note
            self.device = device
        }

        /// The request in it, checked as if it had been made here.
        func request() throws(PaymentError) -> FinixDeviceRequest {
            guard let environment = Account.Environment(rawValue: environment) else {
                let accepted = Account.Environment.allCases.map(\.rawValue)
                throw PaymentError(
                    .requestRejected,
                    detail: "environment: accepted are \(accepted.joined(separator: ", "))"
                )
            }
            return try FinixDeviceRequest(
                environment: environment,
                merchant: merchant,
                reader: reader,
                bundle: bundle,
                name: name,
                note: note
            )
        }
    }

    enum Action: String, Codable {
        case provision, check
    }

    struct Answer: Codable {
        var version = FinixDeviceMessage.version
        let device: String
        let enabled: Bool
    }

    /// Why there is no answer; the code is the neutral one.
    struct Refusal: Codable {
        var version = FinixDeviceMessage.version
        let error: String
        var vendorCode: String?
        var detail: String?
        var supportIdentifiers: [String: String]?

        init(_ error: PaymentError) {
            self.error = error.code.description
            vendorCode = error.vendorCode
            detail = error.detail
            supportIdentifiers = error.supportIdentifiers
        }

        /// The error, if its code is one that this version knows.
        var paymentError: PaymentError? {
            guard let code = PaymentError.Code.allKnown.first(where: { $0.description == error })
            else { return nil }
            return PaymentError(
                code,
                vendorCode: vendorCode,
                detail: detail,
                supportIdentifiers: supportIdentifiers ?? [:]
            )
        }
    }
}
