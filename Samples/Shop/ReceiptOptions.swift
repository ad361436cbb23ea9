public import CommandLineSupport
public import PaymentCore
public import PaymentReceipts

/// How receipts are printed, and in which language a command speaks.
public struct ReceiptOptions: Sendable {
    /// The format.
    public let format: Format
    /// How wide the lines of a receipt in text are.
    public let width: TextWidth
    /// The language, the copy and the code.
    public let style: ReceiptStyle
    /// The language that was asked for, where there is wording for it.
    public let requestedLanguage: String?
    /// What could not be done as asked, whatever the receipt.
    public let notes: [String]

    /// The formats of receipts.
    public enum Format: String, Sendable, CaseIterable {
        /// Lines of text.
        case text
        /// One HTML file.
        case html
        /// One JSON object.
        case json
    }

    /// What the options are.
    ///
    /// - Parameter name: What the option for the format is called.
    /// - Returns: Their syntax.
    public static func syntax(format name: String) -> [OptionSyntax] {
        [
            OptionSyntax(name, "FORMAT", help: "print the receipt as text, html or json"),
            OptionSyntax("language", "TAG", help: "the language, such as de or pt-BR (default en)"),
            OptionSyntax("columns", "N", help: "the receipt's width, 26 to 400, or free"),
            OptionSyntax("copy", "WHOSE", help: "customer or merchant (default customer)"),
            OptionSyntax("qr", help: "show the receipt's page as a QR code too"),
            groundOption,
        ] + (name == "receipt" ? [OptionSyntax("quiet", help: "print the receipt alone")] : [])
    }

    /// The option that says what codes are drawn on.
    public static let groundOption = OptionSyntax(
        "ground",
        "GROUND",
        help: "the terminal's, dark or light (default dark)"
    )

    /// Whether codes are drawn on a dark ground.
    public static func isDark(_ arguments: Arguments) throws(UsageError) -> Bool {
        try arguments.value("ground", accepted: "dark or light") {
            ["dark": true, "light": false][$0]
        } ?? true
    }

    /// Reads the options.
    ///
    /// - Parameters:
    ///   - arguments: The words of the command line.
    ///   - name: What the option for the format is called.
    /// - Throws: ``UsageError`` that names the option and what is accepted.
    public init(_ arguments: Arguments, format name: String) throws(UsageError) {
        let formats = Format.allCases.map(\.rawValue).joined(separator: ", ")
        let format = try arguments.value(name, accepted: "one of \(formats)") {
            Format(rawValue: $0)
        }
        self.format = format ?? .text
        try Self.refuseIdle(arguments, self.format, name)
        width = try Self.width(arguments)
        let copy = try arguments.value("copy", accepted: "customer or merchant") {
            ReceiptStyle.Copy(rawValue: $0)
        }
        let isDark = try Self.isDark(arguments)
        let asked = arguments["language"]
        let (language, isExact) = ReceiptLanguage.closest(to: asked ?? "en")
        requestedLanguage = isExact ? asked.map { _ in language.tag } : nil
        notes = isExact ? [] : [Self.note(asked ?? "")]
        style = ReceiptStyle(
            language: language,
            copy: copy ?? .customer,
            showsCode: arguments.has("qr"),
            codeIsInverted: isDark
        )
    }

    /// Refuses options that have no effect on what is printed.
    private static func refuseIdle(
        _ arguments: Arguments,
        _ format: Format,
        _ name: String
    ) throws(UsageError) {
        if let idle = ([name] + ofText + ["copy"]).first(where: arguments.has),
            arguments.has("json")
        {
            throw UsageError("--json prints one object in place of a receipt; leave --\(idle) out")
        }
        let drawn = format == .html ? ofText.filter { $0 != "qr" } : ofText
        if format != .text, let idle = drawn.first(where: arguments.has) {
            throw UsageError("--\(idle) has no effect on a receipt in \(format.rawValue)")
        }
    }

    private static let ofText = ["columns", "qr", "ground"]

    /// Refuses the options of a receipt, and says why none is printed.
    static func refuseAll(_ arguments: Arguments, _ reason: String) throws(UsageError) {
        let names = syntax(format: "receipt").map(\.name)
        if let idle = names.first(where: arguments.has) {
            throw UsageError("--\(idle) has no effect: \(reason)")
        }
    }

    private static func width(_ arguments: Arguments) throws(UsageError) -> TextWidth {
        let accepted = TextWidth.accepted
        return try arguments.value(
            "columns",
            accepted: "\(accepted.lowerBound) to \(accepted.upperBound), or free"
        ) { text in
            text == "free" ? .free : Int(text).flatMap { try? TextWidth(columns: $0) }
        } ?? .standard
    }

    private static func note(_ tag: String) -> String {
        let tags = ReceiptLanguage.all.map(\.tag).joined(separator: ", ")
        return "no wording for language \"\(tag.prefix(40))\"; English is used (there is \(tags))"
    }

    /// Whether standard output holds the receipt alone.
    public var isAlone: Bool { format != .text }

    /// The wording of a key in the language.
    public func text(_ key: MessageKey) -> String { key.text(in: style.language) }

    /// What could not be done as asked with a receipt.
    func notes(on document: ReceiptDocument) -> [String] {
        style.showsCode && document.url == nil
            ? ["the receipt has no page, so there is no code to show"] : []
    }

    /// A receipt in the format.
    public func render(_ document: ReceiptDocument) -> String {
        switch format {
        case .text: TextReceipt(width, style: style).render(document)
        case .html: Self.withoutBreak(HTMLReceipt(style: style).render(document))
        case .json: Self.withoutBreak(JSONReceipt(style: style).render(document))
        }
    }

    private static func withoutBreak(_ text: String) -> String {
        text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    /// The screen of a code that the customer may pay at.
    public func codeScreen(
        _ page: String,
        amount: Money?,
        expiresAt: Date? = nil
    ) -> [String] {
        let screen = CodeScreen(amount: amount, page: page, expiresAt: expiresAt, style: style)
        do throws(QRCodeError) {
            return try screen.lines()
        } catch {
            return ["no code can be drawn for \(page): \(error)"]
        }
    }
}
