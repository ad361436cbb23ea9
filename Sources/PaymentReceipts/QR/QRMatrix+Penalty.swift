extension QRMatrix {
    /// How hard the symbol is to read, by the standard's four rules; the least is best.
    var penalty: Int {
        var sum = blockPenalty + balancePenalty
        for index in 0..<size {
            sum += Self.linePenalty((0..<size).map { self[$0, index] })
            sum += Self.linePenalty((0..<size).map { self[index, $0] })
        }
        return sum
    }

    /// Runs of five or more of one colour, and patterns that look like a finder.
    private static func linePenalty(_ line: [Bool]) -> Int {
        var sum = 0
        var run = 0
        var window = 0
        for (index, isDark) in line.enumerated() {
            run = index > 0 && line[index - 1] == isDark ? run + 1 : 1
            if run == 5 { sum += 3 } else if run > 5 { sum += 1 }
            window = (window << 1 | (isDark ? 1 : 0)) & 0x7FF
            if index >= 10, window == 0b101_1101_0000 || window == 0b000_0101_1101 { sum += 40 }
        }
        return sum
    }

    /// Squares of two by two of one colour.
    private var blockPenalty: Int {
        var sum = 0
        for y in 0..<size - 1 {
            for x in 0..<size - 1 {
                let colour = self[x, y]
                if self[x + 1, y] == colour, self[x, y + 1] == colour,
                    self[x + 1, y + 1] == colour
                {
                    sum += 3
                }
            }
        }
        return sum
    }

    /// How far the share of dark modules is from a half, in steps of five per cent.
    private var balancePenalty: Int {
        let total = size * size
        var dark = 0
        for y in 0..<size { for x in 0..<size where self[x, y] { dark += 1 } }
        return abs(dark * 2 - total) * 10 / total * 10
    }
}
