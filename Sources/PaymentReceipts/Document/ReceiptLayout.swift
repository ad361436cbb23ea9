import PaymentCore

/// A document in one language: what every rendering shows, in order.
struct ReceiptLayout {
    /// The first line where no real money is involved.
    let notice: String?
    /// The notice in the receipt's language, where that is not English.
    let translatedNotice: String?
    let merchantName: String?
    let copy: String
    /// What was done and how it ended.
    let title: String
    /// What a screen would say about a decline or error.
    let message: String?
    let sections: [[Row]]
    let notes: [String]
    let code: QRCode?

    /// One label and its value.
    struct Row: Hashable {
        let label: String
        let value: String
        var isStrong = false
        var content = Content.text

        /// What a value is, for formats that can tell.
        enum Content: Hashable {
            case text
            case amount
            case moment(String)
            case page(String)
        }
    }

    /// Whether an address may be followed: a page that a browser asks for safely.
    static func isLink(_ address: String) -> Bool { address.lowercased().hasPrefix("https://") }

    init(_ document: ReceiptDocument, _ style: ReceiptStyle) {
        let language = style.language
        let writer = RowWriter(document: document, style: style)
        notice = document.isSimulated ? ReceiptDocument.simulatedNotice : nil
        translatedNotice =
            document.isSimulated && language.table.code != "en" ? language.text(.simulated) : nil
        merchantName = document.subject.merchantName.map { OutsideText.plain($0) }
            .flatMap { $0.isEmpty ? nil : $0 }
        copy = language.text(style.copy == .customer ? .customerCopy : .merchantCopy)
        title = "\(language.text(document.kindLabel)) - \(language.text(document.statusLabel))"
        message =
            document.status == .declined || document.status == .failed
            ? document.message.map(language.text(for:)) : nil
        sections = [
            writer.order, writer.amounts, writer.card, writer.chip, writer.identifiers,
        ].filter { !$0.isEmpty }
        notes = document.noteLabels.map { language.text($0) }
        code =
            style.showsCode
            ? document.url.flatMap { url in
                let address = url.absoluteString
                return Self.isLink(address) ? try? QRCode(address) : nil
            } : nil
    }
}

extension ReceiptDocument {
    /// What was done.
    var kindLabel: ReceiptLabel {
        switch subject.kind {
        case .sale: .sale
        case .authorization: .hold
        case .capture: .capture
        case .void: .release
        case .refund, .refundToCard: .refund
        }
    }

    /// How it ended.
    var statusLabel: ReceiptLabel {
        switch status {
        case .approved: .approved
        case .partlyApproved: .partlyApproved
        case .held: .held
        case .captured: .captured
        case .released: .released
        case .refunded: .refunded
        case .pending: .pending
        case .declined: .declined
        case .cancelled: .cancelled
        case .failed: .failed
        case .unresolved: .unresolved
        }
    }

    /// What the reader of the receipt should know about the end.
    var noteLabels: [ReceiptLabel] {
        switch status {
        case .held: [.noteHeld]
        case .pending: [.notePending]
        // A refund that was not made says nothing about the charge that it was for.
        case .declined, .cancelled, .failed: subject.kind == .refund ? [] : [.noteNothingCharged]
        case .unresolved: [.noteUnresolved]
        case .approved, .partlyApproved, .captured, .refunded:
            approved == nil ? [.noteAmountUnknown] : []
        case .released: []
        }
    }
}
