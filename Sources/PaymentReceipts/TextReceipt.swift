public import PaymentCore

/// Renders a receipt as plain text, for a terminal or a receipt printer.
///
/// Columns are measured as they are shown. A receipt in a language that is written from right to
/// left is in the order in which it is read, with marks that make a device which knows both
/// directions put labels at the right and values at the left.
public struct TextReceipt: Sendable {
    /// How wide the lines are.
    public let width: TextWidth
    /// The language, the copy and what else is wanted.
    public let style: ReceiptStyle

    /// Creates a renderer.
    public init(_ width: TextWidth = .standard, style: ReceiptStyle = ReceiptStyle()) {
        self.width = width
        self.style = style
    }

    /// The receipt's lines; the first says so when no money moved but a simulated one.
    public func render(_ receipt: Receipt) -> String { render(ReceiptDocument(receipt)) }

    /// The document's lines; the first says so when no money moved but a simulated one.
    public func render(_ document: ReceiptDocument) -> String {
        let layout = ReceiptLayout(document, style)
        var lines: [String] = []
        if let notice = layout.notice { lines.append(notice) }
        if let notice = layout.translatedNotice { lines += paragraph(notice) }
        if let name = layout.merchantName { lines += centred(name, isOutside: true) }
        lines += centred(LocalFormats(style).capitals(layout.title))
        if let message = layout.message { lines += centred(message) }
        for section in layout.sections {
            lines.append("")
            lines += section.flatMap(row)
        }
        for note in layout.notes { lines += [""] + paragraph(note) }
        lines += [""] + centred(layout.copy)
        if let code = layout.code { lines += [""] + self.code(code) }
        return lines.joined(separator: "\n")
    }

    // MARK: Lines

    /// Tells a device which way the line is read.
    private var direction: String { style.language.isRightToLeft ? "\u{200F}" : "" }

    private func paragraph(_ text: String) -> [String] {
        guard let columns = width.columns else { return [direction + text] }
        return LineFilling.lines(text, columns: columns).map { direction + $0 }
    }

    /// Lines in the middle; outside text is never at the edge, where a row would be.
    private func centred(_ text: String, isOutside: Bool = false) -> [String] {
        guard let columns = width.columns else {
            return [direction + (isOutside ? "  " : "") + isolated(text)]
        }
        let room = isOutside ? columns - 2 : columns
        return LineFilling.lines(text, columns: room).map { line in
            let gap = (columns - DisplayWidth.of(line)) / 2
            return direction + String(repeating: " ", count: max(gap, isOutside ? 1 : 0))
                + isolated(line)
        }
    }

    /// Label and value at both ends of a line; on lines of their own when one is too narrow.
    private func row(_ row: ReceiptLayout.Row) -> [String] {
        let value = Self.withPlainBlanks(row.value)
        guard let columns = width.columns else {
            return ["\(direction)\(row.label): \(isolated(value))"]
        }
        let gap = columns - DisplayWidth.of(row.label) - DisplayWidth.of(value)
        if gap >= 2 {
            return [direction + row.label + String(repeating: " ", count: gap) + isolated(value)]
        }
        return LineFilling.lines(row.label, columns: columns).map { direction + $0 }
            + LineFilling.lines(value, columns: columns - 2).map { direction + "  " + isolated($0) }
    }

    /// The code in the middle; where it does not fit, how many columns it needs.
    private func code(_ code: QRCode) -> [String] {
        let side = code.size + 2 * QRCode.quietZone
        if let columns = width.columns, columns < side {
            return paragraph(
                style.language.text(.codeTooWide, ["columns": LocalFormats(style).count(side)])
            )
        }
        let gap = String(repeating: " ", count: width.columns.map { ($0 - side) / 2 } ?? 0)
        return centred(style.language.text(.codeForReceipt))
            + code.textLines(isInverted: style.codeIsInverted).map { gap + $0 }
    }

    // MARK: Characters

    /// A text that keeps its own direction among text of the other one.
    private func isolated(_ text: String) -> String {
        let needsIt =
            style.language.isRightToLeft || text.unicodeScalars.contains(where: isRightToLeft)
        return needsIt ? "\u{2068}\(text)\u{2069}" : text
    }

    private func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF,
            0x1E800...0x1EFFF:
            true
        default: false
        }
    }

    /// Printers know one kind of blank.
    private static func withPlainBlanks(_ text: String) -> String {
        text.replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }
}
