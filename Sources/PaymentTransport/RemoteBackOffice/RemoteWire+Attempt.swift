import PaymentCore

extension RemoteWire {
    /// A record to close.
    struct Closing: Codable, Sendable {
        let reference: AcquirerReference
    }

    /// One try, under the question's account.
    struct Attempt: Codable, Sendable {
        let id: AttemptID
        let operation: String
        let startedAt: Date
        let amount: Money
        var request: Request?
        var authorization: Authorization?
        var receipt: Receipt?

        init(_ attempt: PaymentAttempt) {
            id = attempt.id
            startedAt = attempt.startedAt
            amount = attempt.amount
            switch attempt.operation {
            case .take(let request):
                operation = "take"
                self.request = Request(request)
            case .capture(let authorization):
                operation = "capture"
                self.authorization = authorization
            case .void(let authorization):
                operation = "void"
                self.authorization = authorization
            case .refund(let receipt):
                operation = "refund"
                self.receipt = receipt
            }
        }

        /// The try; nil when its operation is not known here, or lacks what belongs to it.
        func attempt(of account: Account) -> PaymentAttempt? {
            operationValue.map { operation in
                PaymentAttempt(
                    id: id,
                    account: account,
                    operation: operation,
                    startedAt: startedAt,
                    amount: amount
                )
            }
        }

        private var operationValue: PaymentAttempt.Operation? {
            switch (operation, request, authorization, receipt) {
            case ("take", let request?, nil, nil): .take(request.request)
            case ("capture", nil, let authorization?, nil): .capture(authorization)
            case ("void", nil, let authorization?, nil): .void(authorization)
            case ("refund", nil, nil, let receipt?): .refund(receipt)
            default: nil
            }
        }

        /// Whether the payment that a follow-up names is the same account's.
        func belongs(to account: Account) -> Bool {
            guard let named = receipt ?? authorization?.receipt else { return true }
            return named.account == account
        }
    }

    /// What the app asked for.
    struct Request: Codable, Sendable {
        let kind: PaymentRequest.Kind
        let amount: Money
        let order: Order
        let tip: Money?
        let surcharge: Money?
        let description: String?
        let merchantName: String?
        let customerReference: String?
        let language: String?

        init(_ request: PaymentRequest) {
            kind = request.kind
            amount = request.amount
            order = request.order
            tip = request.tip
            surcharge = request.surcharge
            description = request.description
            merchantName = request.merchantName
            customerReference = request.customerReference
            language = request.language
        }

        var request: PaymentRequest {
            PaymentRequest(
                kind,
                amount,
                for: order,
                tip: tip,
                surcharge: surcharge,
                description: description,
                merchantName: merchantName,
                customerReference: customerReference,
                language: language
            )
        }
    }
}
