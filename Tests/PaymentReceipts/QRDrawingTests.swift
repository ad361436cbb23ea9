import PaymentCore
import PaymentReceipts
import Testing

@Suite struct QRDrawingTests {
    private static let address = "https://checkout.example.com/payment-link/7a1c"

    /// The modules that lines of half blocks show; filled ones are true.
    private func modules(_ lines: [String]) -> [[Bool]] {
        lines.flatMap { line in
            [
                line.map { $0 == "\u{2588}" || $0 == "\u{2580}" },
                line.map { $0 == "\u{2588}" || $0 == "\u{2584}" },
            ]
        }
    }

    @Test(arguments: [true, false], [0, 1, 4])
    func `R-176 half blocks show every module and the quiet zone`(
        isInverted: Bool,
        quiet: Int
    ) throws {
        let code = try QRCode(Self.address)
        let rows = modules(code.textLines(isInverted: isInverted, quietZone: quiet))
        let side = code.size + 2 * quiet
        #expect(rows.allSatisfy { $0.count == side })
        #expect(rows.count == side + side % 2)
        for y in 0..<side {
            for x in 0..<side {
                #expect(rows[y][x] == (code[x - quiet, y - quiet] != isInverted))
            }
        }
    }

    @Test func `R-176 a negative quiet zone is none`() throws {
        let code = try QRCode("a")
        #expect(code.textLines(quietZone: -3) == code.textLines(quietZone: 0))
    }

    @Test func `R-176 the image has a rectangle for each run of dark modules`() throws {
        let code = try QRCode(Self.address)
        let image = code.svg(title: "Pay <now>")
        #expect(image.contains("aria-label=\"Pay &lt;now&gt;\""))
        #expect(image.contains("viewBox=\"0 0 \(code.size + 8) \(code.size + 8)\""))
        var drawn: Set<[Int]> = []
        for run in image.matches(of: /M(\d+) (\d+)h(\d+)v1H(\d+)z/) {
            let (x, y, count) = (Int(run.1) ?? -1, Int(run.2) ?? -1, Int(run.3) ?? 0)
            #expect(Int(run.4) == x)
            for column in x..<x + count { drawn.insert([column - 4, y - 4]) }
        }
        for y in 0..<code.size {
            for x in 0..<code.size { #expect(drawn.contains([x, y]) == code[x, y]) }
        }
    }

    @Test func `the screen of a code has amount, code, address, state and what closing does`()
        throws
    {
        let screen = CodeScreen(
            amount: try ReceiptSamples.money(123_450),
            page: Self.address,
            expiresAt: Date(timeIntervalSince1970: 1_784_567_890),
            style: ReceiptStyle(language: try ReceiptSamples.language("de"))
        )
        let lines = try screen.lines()
        #expect(lines.first == "Scannen, um 1.234,50\u{A0}EUR zu zahlen")
        #expect(
            Array(lines.suffix(4).prefix(3)) == [
                Self.address, "Warten auf die Zahlung", "Gültig bis 20. Juli 2026, 17:18:10 UTC",
            ]
        )
        let code = try QRCode(Self.address).textLines()
        #expect(Array(lines.dropFirst().prefix(code.count)) == code)
    }

    @Test func `an address that fits no code is an error`() throws {
        let screen = CodeScreen(
            amount: nil,
            page: String(repeating: "a", count: 2_400),
            style: ReceiptStyle()
        )
        #expect(throws: QRCodeError.doesNotFit(bytes: 2_400, capacity: 2_331)) {
            try screen.lines()
        }
    }

    @Test func `a receipt's page is shown as a code, or how many columns it needs`() throws {
        let style = ReceiptStyle(showsCode: true)
        let document = try ReceiptSamples.document("approved")
        let wide = TextReceipt(.standard, style: style).render(document)
        #expect(wide.contains("Scan for the receipt"))
        #expect(wide.contains("\u{2588}\u{2580}"))
        let narrow = TextReceipt(.narrow, style: style).render(document)
        #expect(narrow.hasSuffix("The code needs 33 columns."))
        #expect(!TextReceipt(.wide).render(document).contains("\u{2588}"))
    }
}
