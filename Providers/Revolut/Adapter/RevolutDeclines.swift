import PaymentCore

/// Revolut's decline reasons as neutral declines.
enum RevolutDeclines {
    /// The decline that a refused payment means.
    static func decline(_ payment: RevolutWire.Payment, order: String) -> Decline {
        let reason = payment.decline_reason ?? payment.payment_method?.failure_reason
        return Decline(
            reason.flatMap { categories[$0] } ?? .generic,
            code: reason,
            detail: payment.bank_message,
            references: [RevolutReference.order(order)],
            card: payment.card
        )
    }

    static let categories: [String: Decline.Category] = {
        let groups: [(Decline.Category, String)] = [
            (.insufficientFunds, "insufficient_funds withdrawal_limit_exceeded"),
            (
                .issuerRefused,
                "do_not_honour transaction_not_allowed_for_cardholder rejected_by_customer"
            ),
            (
                .cardProblem,
                "invalid_card invalid_expiry invalid_cvv unknown_card restricted_card"
            ),
            (.expiredCard, "expired_card"),
            (.security, "pick_up_card suspected_fraud high_risk"),
            (.pin, "invalid_pin"),
            (.otherInterface, "pin_data_required"),
            (.temporary, "issuer_not_available technical_error"),
            (
                .customerData,
                """
                3ds_challenge_abandoned 3ds_challenge_failed_manually \
                customer_challenge_abandoned customer_challenge_failed cardholder_name_missing \
                customer_name_mismatch invalid_address invalid_email invalid_phone invalid_country
                """
            ),
            (.merchantSetUp, "invalid_amount invalid_merchant"),
        ]
        var categories: [String: Decline.Category] = [:]
        for (category, codes) in groups {
            for code in codes.split(separator: " ") { categories[String(code)] = category }
        }
        return categories
    }()
}

/// What Revolut calls its records.
enum RevolutReference {
    static func order(_ id: String) -> AcquirerReference {
        AcquirerReference(kind: "order", value: id)
    }

    /// What the journal keeps of a kit's charge report; Revolut's books know nothing of it.
    static func report(
        _ report: RevolutChargeReport,
        of attempt: AttemptID
    ) -> AcquirerReference {
        let word = report.failure == nil ? "paid" : "failed"
        return AcquirerReference(kind: reportKind, value: "\(word) \(attempt)")
    }

    /// The references that Revolut's books can be asked for.
    static func known(_ references: [AcquirerReference]) -> [AcquirerReference] {
        references.filter { $0.kind != reportKind }
    }

    /// Whether the kit reported the payment as made, so that no listing may prove it absent.
    static func isReportedPaid(_ references: [AcquirerReference]) -> Bool {
        references.contains { $0.kind == reportKind && $0.value.hasPrefix("paid ") }
    }

    private static let reportKind = "chargeReport"
}

extension RevolutWire.Payment {
    var card: CardSummary? {
        payment_method.map { method in
            CardSummary(
                brand: method.card_brand,
                lastFour: method.card_last_four,
                funding: method.funding
            )
        }
    }
}
