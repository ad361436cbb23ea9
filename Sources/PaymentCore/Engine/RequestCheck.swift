/// Checks a request before anything is written or sent.
struct RequestCheck: Sendable {
    let acquirers: [Acquirer]

    /// Checks a request for an acquirer.
    ///
    /// - Returns: The total that would move.
    /// - Throws: ``PaymentRefusal`` that says what is wrong or missing.
    func check(
        _ request: PaymentRequest,
        for acquirer: Acquirer
    ) throws(PaymentRefusal) -> Money {
        let total = try total(of: request)
        let capabilities = acquirer.provider.capabilities
        if let missing = capabilities.missing(for: request, total: total) {
            let able = acquirers.filter {
                $0.provider.capabilities.missing(for: request, total: total) == nil
            }
            throw .missingCapability(
                missing,
                provider: acquirer.account.provider,
                available: able.map(\.account.provider)
            )
        }
        if let problem = capabilities.invalid(in: request, total: total) {
            throw .invalidRequest(problem)
        }
        try checkTexts(of: request)
        return total
    }

    private func total(of request: PaymentRequest) throws(PaymentRefusal) -> Money {
        guard !request.amount.isZero else {
            throw .invalidRequest(.init(field: "amount", problem: "zero cannot be charged"))
        }
        do {
            return try request.total()
        } catch {
            let problem =
                error.code == .currencyMismatch
                ? "tip and surcharge must be in \(request.amount.currency)"
                : "amount, tip and surcharge together are too large"
            throw .invalidRequest(.init(field: "amount", problem: problem))
        }
    }

    private func checkTexts(of request: PaymentRequest) throws(PaymentRefusal) {
        let texts = [
            ("description", request.description), ("merchantName", request.merchantName),
            ("customerReference", request.customerReference), ("language", request.language),
        ]
        for (field, text) in texts {
            guard let text else { continue }
            guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw .invalidRequest(
                    .init(field: field, problem: "contains a control character")
                )
            }
        }
    }
}
