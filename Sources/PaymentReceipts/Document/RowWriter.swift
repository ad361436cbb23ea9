import PaymentCore

/// Writes the rows of a receipt; what is absent leaves none behind (F-272).
struct RowWriter {
    let document: ReceiptDocument
    let style: ReceiptStyle
    private let formats: LocalFormats
    private typealias Row = ReceiptLayout.Row

    init(document: ReceiptDocument, style: ReceiptStyle) {
        self.document = document
        self.style = style
        formats = LocalFormats(style)
    }

    private var isForMerchant: Bool { style.copy == .merchant }

    private func text(_ label: ReceiptLabel) -> String { style.language.text(label) }

    private func row(_ label: ReceiptLabel, _ value: String?) -> [ReceiptLayout.Row] {
        guard let value = value.map({ OutsideText.plain($0) }), !value.isEmpty else { return [] }
        return [Row(label: text(label), value: value)]
    }

    private func row(
        _ label: ReceiptLabel,
        _ money: Money?,
        isStrong: Bool = false
    ) -> [ReceiptLayout.Row] {
        guard let money else { return [] }
        return [
            Row(
                label: text(label),
                value: formats.amount(money),
                isStrong: isStrong,
                content: .amount
            )
        ]
    }

    private func row(_ label: ReceiptLabel, _ moment: Date?) -> [ReceiptLayout.Row] {
        guard let moment else { return [] }
        return [
            Row(
                label: text(label),
                value: formats.moment(moment),
                content: .moment(formats.machineMoment(moment))
            )
        ]
    }

    /// When, and what for.
    var order: [ReceiptLayout.Row] {
        let order = document.subject.order
        let part = order.part.map { part in
            style.language.text(
                .part,
                ["number": formats.count(part.number), "count": formats.count(part.count)]
            )
        }
        return row(.time, document.subject.time)
            + row(.order, part.map { "\(order.id) (\($0))" } ?? order.id)
    }

    /// What was asked for and what came of it; the last amount is the one that counts.
    var amounts: [ReceiptLayout.Row] {
        let subject = document.subject
        var rows: [ReceiptLayout.Row] = []
        if let base = baseAmount {
            rows +=
                row(.amount, base) + row(.tip, subject.tip)
                + row(.surcharge, subject.surcharge)
        }
        guard let approved = document.approved, !document.status.isWithoutMoney else {
            let label: ReceiptLabel =
                document.status == .unresolved ? .amountInQuestion : .askedFor
            return rows + row(label, subject.asked.ifKnown, isStrong: true)
        }
        if approved != subject.asked { rows += row(.askedFor, subject.asked) }
        // What is pending may still fail: nothing was given back or taken yet.
        let isAskedAlone = document.status == .pending && approved == subject.asked
        rows += row(isAskedAlone ? .askedFor : approvedLabel, approved, isStrong: true)
        return rows + row(.stillToPay, document.remaining, isStrong: true)
    }

    private var approvedLabel: ReceiptLabel {
        switch document.subject.kind {
        case .authorization: .amountHeld
        case .void: .amountReleased
        case .refund, .refundToCard: .amountRefunded
        case .sale, .capture: .total
        }
    }

    /// The whole amount less tip and surcharge; nil without either, or when they do not add up.
    private var baseAmount: Money? {
        let subject = document.subject
        let extras = [subject.tip, subject.surcharge].compactMap(\.self)
        guard !extras.isEmpty else { return nil }
        return try? extras.reduce(wholeAmount) { try $0.subtracting($1) }
    }

    /// What the amount, the tip and the surcharge add up to: less than was asked where all was
    /// approved save a surcharge that the acquirer left out.
    private var wholeAmount: Money {
        let asked = document.subject.asked
        guard document.status == .approved, let approved = document.approved,
            approved.currency == asked.currency
        else { return asked }
        return approved.minorUnits < asked.minorUnits ? approved : asked
    }

    /// The card and how it was read.
    var card: [ReceiptLayout.Row] {
        let rows =
            row(.card, document.card?.description)
            + row(.accountType, document.emv?.accountType ?? document.card?.funding)
        return switch document.method {
        case .tap: rows + row(.read, text(.contactless)) + approvalCode
        case .qr: rows + row(.paidBy, text(.qrCode)) + approvalCode
        case .unknown: rows + approvalCode
        }
    }

    private var approvalCode: [ReceiptLayout.Row] {
        document.status.isWithoutMoney ? [] : row(.approvalCode, document.approvalCode)
    }

    /// What the card's application said; its diagnostics are for the merchant.
    var chip: [ReceiptLayout.Row] {
        guard let emv = document.emv else { return [] }
        var rows =
            row(.application, emv.applicationName)
            + row(.applicationID, emv.applicationIdentifier)
            + row(.verification, emv.verification.map { text(label(of: $0)) })
        guard isForMerchant else { return rows }
        // Why the issuer refused may not be shown, and its code says so.
        if document.status != .declined { rows += row(.responseCode, emv.responseCode) }
        rows += row(.cryptogram, emv.cryptogram)
        if let results = emv.verificationResults { rows.append(Row(label: "TVR", value: results)) }
        if let status = emv.statusInformation { rows.append(Row(label: "TSI", value: status)) }
        return rows
    }

    private func label(of verification: EMVData.Verification) -> ReceiptLabel {
        switch verification {
        case .none: .verificationNone
        case .pin: .verificationPIN
        case .device: .verificationDevice
        }
    }

    /// What to name when somebody asks about the payment.
    var identifiers: [ReceiptLayout.Row] {
        let account = document.subject.account
        var rows = row(.validUntil, document.expiresAt)
        if isForMerchant {
            rows +=
                row(.acquirer, account.provider) + row(.merchant, account.merchant)
                + row(.location, account.location)
            rows += document.references.flatMap { row(.reference, $0.description) }
        } else {
            rows += row(.reference, document.references.first?.value)
        }
        rows += row(.attempt, document.subject.attempt?.description)
        guard let url = document.url else { return rows }
        let address = OutsideText.plain(url.absoluteString, longest: 2_000)
        return rows + [
            Row(label: text(.receiptPage), value: address, content: .page(address))
        ]
    }
}
