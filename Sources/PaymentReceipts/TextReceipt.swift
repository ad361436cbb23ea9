public import PaymentCore

/// Renders a receipt as plain text.
public struct TextReceipt: Sendable {
    /// How many columns a line has.
    public let columns: Int

    /// Creates a renderer for lines of a width.
    public init(columns: Int = 42) { self.columns = max(columns, 24) }

    /// The receipt's lines; the first says so when no money moved but a simulated one.
    public func render(_ receipt: Receipt) -> String {
        var lines: [String] = []
        if receipt.isSimulated { lines.append("SIMULATED - NO MONEY MOVED") }
        if let name = receipt.merchantName { lines.append(Self.visible(name)) }
        lines.append(Self.title(of: receipt))
        lines.append(row("Order", receipt.order.description))
        lines += amounts(of: receipt)
        if let card = receipt.card, !card.description.isEmpty {
            lines.append(row("Card", card.description))
        }
        switch receipt.method {
        case .tap: lines.append(row("Read", "contactless"))
        case .qr: lines.append(row("Paid by", "QR code"))
        case .unknown: break
        }
        if let code = receipt.approvalCode { lines.append(row("Approval code", code)) }
        lines.append(row("Time", Self.time(receipt.time)))
        if let reference = receipt.references.first {
            lines.append(row("Reference", reference.value))
        }
        lines.append(row("Attempt", receipt.attempt.description))
        if let url = receipt.url { lines.append(row("Receipt", url.absoluteString)) }
        return lines.joined(separator: "\n")
    }

    private func amounts(of receipt: Receipt) -> [String] {
        var lines: [String] = []
        let extras = [receipt.tip, receipt.surcharge].compactMap(\.self)
        if !extras.isEmpty,
            let base = try? extras.reduce(receipt.asked, { try $0.subtracting($1) })
        {
            lines.append(row("Amount", base.description))
            if let tip = receipt.tip { lines.append(row("Tip", tip.description)) }
            if let surcharge = receipt.surcharge {
                lines.append(row("Surcharge", surcharge.description))
            }
        }
        let label = receipt.kind == .authorization ? "Amount held" : "Total"
        switch receipt.approved {
        case .confirmed(let money), .reported(let money):
            if money != receipt.asked { lines.append(row("Asked for", receipt.asked.description)) }
            lines.append(row(label, money.description))
        case .unknown: lines.append(row("Asked for", receipt.asked.description))
        }
        return lines
    }

    private static func title(of receipt: Receipt) -> String {
        switch receipt.kind {
        case .sale where receipt.approved.money.map({ $0 != receipt.asked }) ?? false:
            "SALE - APPROVED IN PART"
        case .sale: "SALE - APPROVED"
        case .authorization: "HOLD - NOT PAID YET"
        case .capture: "CAPTURE"
        case .void: "HOLD RELEASED"
        case .refund, .refundToCard: "REFUND"
        }
    }

    /// Label and value at both ends of a line; on two lines when one is too narrow.
    private func row(_ label: String, _ value: String) -> String {
        let value = Self.visible(value)
        let gap = columns - label.count - value.count
        return gap > 0 ? label + String(repeating: " ", count: gap) + value : "\(label)\n  \(value)"
    }

    /// A text from outside on one line: nothing in it can forge a line or turn the direction.
    private static func visible(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: " "
                    default: scalar
                    }
                }
            )
        )
    }

    private static func time(_ date: Date) -> String {
        let text = Date.ISO8601FormatStyle().format(date)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8)) UTC"
    }
}
