public import PaymentCore

/// Renders a receipt as one HTML file: no scripts, nothing from outside, fit for print and e-mail.
///
/// It follows the reader's dark or light theme, and a screen reader reads it row by row.
public struct HTMLReceipt: Sendable {
    /// The language, the copy and what else is wanted.
    public let style: ReceiptStyle

    /// Creates a renderer.
    public init(style: ReceiptStyle = ReceiptStyle()) { self.style = style }

    /// The receipt as a whole file.
    public func render(_ receipt: Receipt) -> String { render(ReceiptDocument(receipt)) }

    /// The document as a whole file; the first text in it says when no real money moved.
    public func render(_ document: ReceiptDocument) -> String {
        let layout = ReceiptLayout(document, style)
        let heading = style.language.text(.receipt)
        let names = [layout.notice, heading, layout.merchantName].compactMap(\.self)
        return """
            <!DOCTYPE html>
            <html lang="\(style.language.tag)" dir="\(style.language.isRightToLeft ? "rtl" : "ltr")">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
            style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
            <title>\(Markup.escaped(names.joined(separator: " - ")))</title>
            <style>
            \(Self.styleSheet)
            </style>
            </head>
            <body>
            <main>
            \(body(layout).joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private func body(_ layout: ReceiptLayout) -> [String] {
        var lines: [String] = []
        if let notice = layout.notice {
            lines.append(
                "<p class=\"notice\" lang=\"en\" dir=\"ltr\"><strong>\(notice)</strong></p>"
            )
        }
        if let notice = layout.translatedNotice {
            lines.append("<p class=\"notice\">\(Markup.escaped(notice))</p>")
        }
        lines.append("<header>")
        if let name = layout.merchantName {
            lines.append("<p class=\"merchant\"><bdi>\(Markup.escaped(name))</bdi></p>")
        }
        lines.append("<h1>\(Markup.escaped(layout.title))</h1>")
        if let message = layout.message { lines.append("<p>\(Markup.escaped(message))</p>") }
        lines.append("</header>")
        for section in layout.sections { lines += ["<dl>"] + section.map(row) + ["</dl>"] }
        lines += layout.notes.map { "<p class=\"note\">\(Markup.escaped($0))</p>" }
        if let code = layout.code {
            let title = style.language.text(.codeForReceipt)
            lines.append(
                "<figure>\(code.svg(title: title))"
                    + "<figcaption>\(Markup.escaped(title))</figcaption></figure>"
            )
        }
        lines.append("<footer><p>\(Markup.escaped(layout.copy))</p></footer>")
        return lines
    }

    private func row(_ row: ReceiptLayout.Row) -> String {
        let strong = row.isStrong ? " class=\"strong\"" : ""
        return "<div\(strong)><dt>\(Markup.escaped(row.label))</dt><dd>\(value(row))</dd></div>"
    }

    private func value(_ row: ReceiptLayout.Row) -> String {
        let text = "<bdi>\(Markup.escaped(row.value))</bdi>"
        switch row.content {
        case .text, .amount: return text
        case .moment(let moment): return "<time datetime=\"\(moment)\">\(text)</time>"
        case .page(let address):
            guard ReceiptLayout.isLink(address) else { return text }
            return "<a rel=\"noreferrer\" href=\"\(Markup.escaped(address))\">\(text)</a>"
        }
    }

    private static let styleSheet = """
        :root { color-scheme: light dark; --ink: #111; --ground: #fff; --line: #767676; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #f2f2f2; --ground: #141414; --line: #8c8c8c; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink);
          font: 1rem/1.5 system-ui, sans-serif; }
        main { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem; }
        header, footer, figure { text-align: center; }
        h1 { font-size: 1.25rem; margin: 0.25rem 0; }
        p { margin: 0.25rem 0; }
        .merchant { font-size: 1.125rem; font-weight: 600; overflow-wrap: anywhere; }
        .notice { border: 2px solid; padding: 0.5rem; text-align: center; }
        .note { margin: 0.75rem 0; }
        dl { margin: 0.75rem 0 0; padding-top: 0.75rem; border-top: 1px solid var(--line); }
        dl div { display: flex; justify-content: space-between; gap: 1rem; }
        dt { flex: none; max-width: 60%; }
        dd { margin: 0; text-align: end; overflow-wrap: anywhere;
          font-variant-numeric: tabular-nums; }
        .strong { font-weight: 700; font-size: 1.125rem; }
        a { color: inherit; }
        figure { margin: 1rem auto; }
        figure svg { width: 12rem; max-width: 100%; height: auto; }
        footer { margin-top: 1rem; }
        @media print {
          :root { color-scheme: light; --ink: #000; --ground: #fff; --line: #000; }
          main { max-width: none; padding: 0; }
          dl, figure, .notice { break-inside: avoid; }
        }
        """
}
