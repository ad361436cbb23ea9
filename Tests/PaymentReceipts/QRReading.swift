@testable import PaymentReceipts

/// Reads an undamaged symbol back, written apart from the encoder save for its
/// table of blocks: by the standard's pictures of
/// where things are, with the field's arithmetic done by shifting.
struct QRReading {
    let level: QRCode.Level?
    let mask: Int
    /// Whether each block's syndromes are zero.
    let isWithoutErrors: Bool
    let bytes: [UInt8]

    init(_ code: QRCode) {
        let format = Self.format(code)
        level = [1: .low, 0: .medium, 3: .quartile, 2: .high][format >> 3]
        mask = format & 7
        let words = Self.words(code, mask: mask)
        let space = QRSpace(version: code.version, level: code.level)
        let blocks = Self.blocks(words, space)
        isWithoutErrors = blocks.allSatisfy { block in
            (0..<space.correctionPerBlock).allSatisfy { root in
                let point = (0..<root).reduce(UInt8(1)) { value, _ in Self.multiply(value, 2) }
                return block.reduce(UInt8(0)) { Self.multiply($0, point) ^ $1 } == 0
            }
        }
        bytes = Self.payload(
            blocks.flatMap { $0.dropLast(space.correctionPerBlock) },
            countBytes: code.version < 10 ? 1 : 2
        )
    }

    /// Level and mask from the copy around the upper left finder, which must be a valid word.
    private static func format(_ code: QRCode) -> Int {
        let places =
            (0...5).map { (8, $0) } + [(8, 7), (8, 8), (7, 8)]
            + (9...14).map { (14 - $0, 8) }
        let bits = places.enumerated().reduce(0) { sum, place in
            sum | (code[place.element.0, place.element.1] ? 1 : 0) << place.offset
        }
        let word = bits ^ 0b101_0100_0001_0010
        return remainder(word, 0x537, bits: 15) == 0 ? word >> 10 : -1
    }

    /// The version that both corners tell; nil when they differ or are no valid word.
    static func version(_ code: QRCode) -> Int? {
        let words = [true, false].map { isRight in
            (0..<18).reduce(0) { sum, bit in
                let (near, far) = (bit / 3, code.size - 11 + bit % 3)
                return sum | (code[isRight ? far : near, isRight ? near : far] ? 1 : 0) << bit
            }
        }
        guard words[0] == words[1], remainder(words[0], 0x1F25, bits: 18) == 0 else { return nil }
        return words[0] >> 12
    }

    private static func remainder(_ word: Int, _ divisor: Int, bits: Int) -> Int {
        let degree = Int.bitWidth - 1 - divisor.leadingZeroBitCount
        return (0..<bits - degree).reversed().reduce(word) { rest, shift in
            rest >> (shift + degree) & 1 == 1 ? rest ^ divisor << shift : rest
        }
    }

    /// The standard's conditions for row i and column j.
    private static func inverts(_ mask: Int, _ j: Int, _ i: Int) -> Bool {
        switch mask {
        case 0: (i + j) % 2 == 0
        case 1: i % 2 == 0
        case 2: j % 3 == 0
        case 3: (i + j) % 3 == 0
        case 4: (i / 2 + j / 3) % 2 == 0
        case 5: i * j % 2 + i * j % 3 == 0
        case 6: (i * j % 2 + i * j % 3) % 2 == 0
        default: ((i + j) % 2 + i * j % 3) % 2 == 0
        }
    }

    private static func isFunction(_ x: Int, _ y: Int, _ code: QRCode) -> Bool {
        let size = code.size
        if x == 6 || y == 6 { return true }
        if x < 9, y < 9 { return true }
        if x >= size - 8, y < 9 { return true }
        if x < 9, y >= size - 8 { return true }
        if code.version >= 7 {
            if x < 6, y >= size - 11 { return true }
            if y < 6, x >= size - 11 { return true }
        }
        let centres = alignment[code.version] ?? []
        for centreX in centres {
            for centreY in centres {
                let last = size - 7
                if (centreX, centreY) == (6, 6) || (centreX, centreY) == (6, last)
                    || (centreX, centreY) == (last, 6)
                {
                    continue
                }
                if abs(x - centreX) <= 2, abs(y - centreY) <= 2 { return true }
            }
        }
        return false
    }

    /// The standard's own table of alignment centres (Annex E).
    private static let alignment: [Int: [Int]] = [
        2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38],
        8: [6, 24, 42], 9: [6, 26, 46], 10: [6, 28, 50], 11: [6, 30, 54], 12: [6, 32, 58],
        13: [6, 34, 62], 14: [6, 26, 46, 66], 15: [6, 26, 48, 70], 16: [6, 26, 50, 74],
        17: [6, 30, 54, 78], 18: [6, 30, 56, 82], 19: [6, 30, 58, 86], 20: [6, 34, 62, 90],
        21: [6, 28, 50, 72, 94], 22: [6, 26, 50, 74, 98], 23: [6, 30, 54, 78, 102],
        24: [6, 28, 54, 80, 106], 25: [6, 32, 58, 84, 110], 26: [6, 30, 58, 86, 114],
        27: [6, 34, 62, 90, 118], 28: [6, 26, 50, 74, 98, 122], 29: [6, 30, 54, 78, 102, 126],
        30: [6, 26, 52, 78, 104, 130], 31: [6, 30, 56, 82, 108, 134],
        32: [6, 34, 60, 86, 112, 138], 33: [6, 30, 58, 86, 114, 142],
        34: [6, 34, 62, 90, 118, 146], 35: [6, 30, 54, 78, 102, 126, 150],
        36: [6, 24, 50, 76, 102, 128, 154], 37: [6, 28, 54, 80, 106, 132, 158],
        38: [6, 32, 58, 84, 110, 136, 162], 39: [6, 26, 54, 82, 110, 138, 166],
        40: [6, 30, 58, 86, 114, 142, 170],
    ]

    private static func words(_ code: QRCode, mask: Int) -> [UInt8] {
        var bits: [Bool] = []
        var isUpward = true
        for pair in stride(from: code.size - 1, to: 0, by: -2) {
            // The column of the timing pattern is left out.
            let right = pair <= 6 ? pair - 1 : pair
            let rows = Array(0..<code.size)
            for y in isUpward ? rows.reversed() : rows {
                for x in [right, right - 1] where !isFunction(x, y, code) {
                    bits.append(code[x, y] != inverts(mask, x, y))
                }
            }
            isUpward.toggle()
        }
        return stride(from: 0, to: bits.count / 8 * 8, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    private static func blocks(_ words: [UInt8], _ space: QRSpace) -> [[UInt8]] {
        let short = space.dataCodewords / space.blocks
        let shortBlocks = space.blocks - space.dataCodewords % space.blocks
        var blocks = Array(repeating: [UInt8](), count: space.blocks)
        var rest = words[...]
        for round in 0...short {
            for block in blocks.indices where round < short || block >= shortBlocks {
                if let word = rest.popFirst() { blocks[block].append(word) }
            }
        }
        for _ in 0..<space.correctionPerBlock {
            for block in blocks.indices {
                if let word = rest.popFirst() { blocks[block].append(word) }
            }
        }
        return blocks
    }

    private static func payload(_ data: [UInt8], countBytes: Int) -> [UInt8] {
        // Byte mode: four bits of mode, then everything is half a byte further.
        let halves = data.flatMap { [$0 >> 4, $0 & 15] }
        guard halves.first == 0b0100 else { return [] }
        let shifted = stride(from: 1, to: halves.count - 1, by: 2).map { index in
            halves[index] << 4 | halves[index + 1]
        }
        let count = shifted.prefix(countBytes).reduce(0) { $0 << 8 | Int($1) }
        return Array(shifted.dropFirst(countBytes).prefix(count))
    }

    private static func multiply(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (product, factor, rest) = (0, Int(one), Int(other))
        while rest > 0 {
            if rest & 1 == 1 { product ^= factor }
            factor <<= 1
            if factor > 255 { factor ^= 0x11D }
            rest >>= 1
        }
        return UInt8(product)
    }
}

/// The standard's penalty, written with text patterns.
enum QRPenalty {
    static func of(_ code: QRCode) -> Int {
        let rows = (0..<code.size).map { y in
            (0..<code.size).map { x in code[x, y] ? "1" : "0" }.joined()
        }
        let columns = (0..<code.size).map { x in
            (0..<code.size).map { y in code[x, y] ? "1" : "0" }.joined()
        }
        var sum = 0
        for line in rows + columns {
            for run in line.matches(of: /0{5,}|1{5,}/) { sum += run.output.count - 2 }
            for pattern in ["10111010000", "00001011101"] {
                for start in line.indices where line[start...].hasPrefix(pattern) { sum += 40 }
            }
        }
        for y in 1..<code.size {
            for x in 1..<code.size {
                let square = [code[x, y], code[x - 1, y], code[x, y - 1], code[x - 1, y - 1]]
                if Set(square).count == 1 { sum += 3 }
            }
        }
        let dark = rows.joined().count { $0 == "1" }
        let percentTimesTotal = abs(dark * 100 - code.size * code.size * 50)
        return sum + percentTimesTotal / (code.size * code.size * 5) * 10
    }
}
