public import PaymentCore

/// Renders a receipt as one JSON object for programs, by the schema that ``schema`` publishes.
///
/// The first member says so when no real money moved. Amounts are whole minor units and come with
/// the text that a person was shown.
public struct JSONReceipt: Sendable {
    /// The language, the copy and what else is wanted.
    public let style: ReceiptStyle

    /// Creates a renderer.
    public init(style: ReceiptStyle = ReceiptStyle()) { self.style = style }

    /// The receipt as one object.
    public func render(_ receipt: Receipt) -> String { render(ReceiptDocument(receipt)) }

    /// The document as one object.
    public func render(_ document: ReceiptDocument) -> String {
        let layout = ReceiptLayout(document, style)
        let subject = document.subject
        let isForMerchant = style.copy == .merchant
        let members: [(String, OrderedJSON?)] = [
            ("simulated", layout.notice.map { .text($0) }),
            ("schema", .text(Self.schemaName)),
            ("status", .text(document.status.rawValue)),
            ("kind", .text(subject.kind.rawValue)),
            ("copy", .text(style.copy.rawValue)),
            ("language", .text(style.language.tag)),
            ("title", .text(layout.title)),
            ("message", layout.message.map { .text($0) }),
            ("notes", layout.notes.isEmpty ? nil : .list(layout.notes.map { .text($0) })),
            ("merchantName", layout.merchantName.map { .text($0) }),
            ("account", isForMerchant ? account(subject.account) : nil),
            ("order", .text(subject.order.description)),
            ("attempt", subject.attempt.map { plain($0.description) }),
            ("time", moment(subject.time)),
            ("asked", subject.asked.ifKnown.map(amount)),
            ("tip", subject.tip.map(amount)),
            ("surcharge", subject.surcharge.map(amount)),
            ("approved", document.status.isWithoutMoney ? nil : document.approved.map(amount)),
            ("remaining", document.remaining.map(amount)),
            ("validUntil", document.expiresAt.map(moment)),
            ("card", card(document.card)),
            ("method", .text(document.method.rawValue)),
            (
                "approvalCode",
                document.status.isWithoutMoney ? nil : document.approvalCode.map(plain)
            ),
            (
                "application",
                document.emv.map { application($0, isDeclined: document.status == .declined) }
            ),
            ("references", references(document.references)),
            ("url", document.url.map { .text($0.absoluteString) }),
        ]
        return OrderedJSON.object(members).written() + "\n"
    }

    private func plain(_ text: String) -> OrderedJSON { .text(OutsideText.plain(text)) }

    private func moment(_ date: Date) -> OrderedJSON {
        .object([
            ("at", .text(LocalFormats(style).machineMoment(date))),
            ("text", .text(LocalFormats(style).moment(date))),
        ])
    }

    private func amount(_ money: Money) -> OrderedJSON {
        .object([
            ("minorUnits", .whole(money.minorUnits)),
            ("currency", .text(money.currency.code)),
            ("minorUnitDigits", .whole(Int64(money.currency.minorUnitDigits))),
            ("text", .text(LocalFormats(style).amount(money))),
        ])
    }

    private func account(_ account: Account) -> OrderedJSON {
        .object([
            ("acquirer", plain(account.provider)),
            ("merchant", plain(account.merchant)),
            ("environment", .text(account.environment.rawValue)),
            ("location", account.location.map(plain)),
        ])
    }

    private func card(_ card: CardSummary?) -> OrderedJSON? {
        guard let card, card.brand != nil || card.lastFour != nil else { return nil }
        return .object([
            ("brand", card.brand.map(plain)),
            ("lastFour", card.lastFour.map { .text($0) }),
            ("funding", card.funding.map(plain)),
        ])
    }

    private func application(_ emv: EMVData, isDeclined: Bool) -> OrderedJSON {
        let isForMerchant = style.copy == .merchant
        return .object([
            ("name", emv.applicationName.map { .text($0) }),
            ("identifier", emv.applicationIdentifier.map { .text($0) }),
            ("verification", emv.verification.map { .text($0.rawValue) }),
            ("accountType", emv.accountType.map { .text($0) }),
            (
                "responseCode",
                isForMerchant && !isDeclined ? emv.responseCode.map { .text($0) } : nil
            ),
            ("cryptogram", isForMerchant ? emv.cryptogram.map { .text($0) } : nil),
            ("tvr", isForMerchant ? emv.verificationResults.map { .text($0) } : nil),
            ("tsi", isForMerchant ? emv.statusInformation.map { .text($0) } : nil),
        ])
    }

    private func references(_ references: [AcquirerReference]) -> OrderedJSON? {
        let shown = style.copy == .merchant ? references : Array(references.prefix(1))
        guard !shown.isEmpty else { return nil }
        return .list(
            shown.map { .object([("kind", plain($0.kind)), ("value", plain($0.value))]) }
        )
    }
}
