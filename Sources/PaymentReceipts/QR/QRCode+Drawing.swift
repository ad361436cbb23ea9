extension QRCode {
    /// The code for a terminal or a receipt printer, two modules a character.
    ///
    /// - Parameters:
    ///   - isInverted: True where text is light on a dark ground, as in most terminals.
    ///   - quietZone: How many light modules there are on every side.
    /// - Returns: One text a line, all of the same width.
    public func textLines(isInverted: Bool = false, quietZone: Int = Self.quietZone) -> [String] {
        let quiet = max(quietZone, 0)
        let range = -quiet..<size + quiet
        return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { y in
            String(
                range.map { x -> Character in
                    // Below an odd number of rows nothing is drawn, light or dark.
                    let upper = self[x, y] != isInverted
                    let lower = y + 1 < range.upperBound && self[x, y + 1] != isInverted
                    return switch (upper, lower) {
                    case (true, true): "\u{2588}"
                    case (true, false): "\u{2580}"
                    case (false, true): "\u{2584}"
                    case (false, false): " "
                    }
                }
            )
        }
    }

    /// The code as an SVG image: dark on white in any theme, one module a unit.
    ///
    /// - Parameters:
    ///   - title: What a screen reader says.
    ///   - quietZone: How many light modules there are on every side.
    /// - Returns: One `svg` element, without an XML declaration.
    public func svg(title: String, quietZone: Int = Self.quietZone) -> String {
        let quiet = max(quietZone, 0)
        let side = size + 2 * quiet
        let name = Markup.escaped(OutsideText.plain(title, longest: 200))
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" \
            aria-label="\(name)" shape-rendering="crispEdges"><title>\(name)</title>\
            <rect width="\(side)" height="\(side)" fill="#fff"/>\
            <path fill="#000" d="\(path(quiet))"/></svg>
            """
    }

    /// One rectangle for each run of dark modules in a row.
    private func path(_ quiet: Int) -> String {
        var path = ""
        for y in 0..<size {
            var x = 0
            while x < size {
                let start = x
                while self[x, y] { x += 1 }
                if x > start {
                    path += "M\(start + quiet) \(y + quiet)h\(x - start)v1H\(start + quiet)z"
                }
                x += 1
            }
        }
        return path
    }
}
