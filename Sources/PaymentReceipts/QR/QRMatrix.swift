/// The modules of a symbol while it is drawn.
struct QRMatrix: Hashable, Sendable {
    let version: Int
    let size: Int
    private var dark: [Bool]
    private var isFunction: [Bool]

    /// A symbol with its function patterns alone.
    init(version: Int) {
        self.version = version
        size = version * 4 + 17
        dark = Array(repeating: false, count: size * size)
        isFunction = dark
        drawTiming()
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { drawFinder(x, y) }
        drawAlignments()
        drawFormat(0)
        drawVersion()
    }

    subscript(x: Int, y: Int) -> Bool { dark[y * size + x] }

    private mutating func setFunction(_ x: Int, _ y: Int, _ isDark: Bool) {
        dark[y * size + x] = isDark
        isFunction[y * size + x] = true
    }

    private mutating func drawTiming() {
        for index in 0..<size {
            setFunction(6, index, index % 2 == 0)
            setFunction(index, 6, index % 2 == 0)
        }
    }

    private mutating func drawFinder(_ centreX: Int, _ centreY: Int) {
        for y in -4...4 {
            for x in -4...4 where 0..<size ~= centreX + x && 0..<size ~= centreY + y {
                let ring = max(abs(x), abs(y))
                setFunction(centreX + x, centreY + y, ring != 2 && ring != 4)
            }
        }
    }

    /// Where the alignment patterns' centres are, in both directions.
    static func alignmentCentres(_ version: Int) -> [Int] {
        guard version > 1 else { return [] }
        let count = version / 7 + 2
        let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
        let last = version * 4 + 10
        return [6] + (0..<count - 1).reversed().map { last - $0 * step }
    }

    private mutating func drawAlignments() {
        let centres = Self.alignmentCentres(version)
        guard let last = centres.last else { return }
        for centreY in centres {
            for centreX in centres {
                let isAtFinder =
                    [(6, 6), (6, last), (last, 6)].contains { $0 == (centreX, centreY) }
                if isAtFinder { continue }
                for y in -2...2 {
                    for x in -2...2 {
                        setFunction(centreX + x, centreY + y, max(abs(x), abs(y)) != 1)
                    }
                }
            }
        }
    }

    /// Draws the fifteen bits of level and mask, twice, and the dark module.
    private mutating func drawFormat(_ bits: Int) {
        func bit(_ index: Int) -> Bool { bits >> index & 1 == 1 }
        for index in 0...5 { setFunction(8, index, bit(index)) }
        setFunction(8, 7, bit(6))
        setFunction(8, 8, bit(7))
        setFunction(7, 8, bit(8))
        for index in 9..<15 { setFunction(14 - index, 8, bit(index)) }
        for index in 0..<8 { setFunction(size - 1 - index, 8, bit(index)) }
        for index in 8..<15 { setFunction(8, size - 15 + index, bit(index)) }
        setFunction(8, size - 8, true)
    }

    /// The format bits of a level and a mask, with their correction.
    static func formatBits(_ level: QRCode.Level, mask: Int) -> Int {
        let number =
            switch level {
            case .low: 1
            case .medium: 0
            case .quartile: 3
            case .high: 2
            }
        let data = number << 3 | mask
        return (data << 10 | remainder(of: data, bits: 10, polynomial: 0x537)) ^ 0x5412
    }

    private mutating func drawVersion() {
        guard version >= 7 else { return }
        let bits = version << 12 | Self.remainder(of: version, bits: 12, polynomial: 0x1F25)
        for index in 0..<18 {
            let isDark = bits >> index & 1 == 1
            let (near, far) = (index / 3, size - 11 + index % 3)
            setFunction(far, near, isDark)
            setFunction(near, far, isDark)
        }
    }

    private static func remainder(of data: Int, bits: Int, polynomial: Int) -> Int {
        var rest = data
        for _ in 0..<bits { rest = rest << 1 ^ (rest >> (bits - 1)) * polynomial }
        return rest
    }

    /// Lays codewords along the zigzag, two columns at a time from the right.
    mutating func place(_ words: [UInt8]) {
        var index = 0
        for place in dataPlaces where index < words.count * 8 {
            dark[place] = words[index / 8] >> UInt8(7 - index % 8) & 1 == 1
            index += 1
        }
    }

    /// The places of data modules, in the order of the bits.
    var dataPlaces: [Int] {
        var places: [Int] = []
        var right = size - 1
        while right >= 1 {
            if right == 6 { right = 5 }
            let isUpward = (right + 1) & 2 == 0
            for step in 0..<size {
                let y = isUpward ? size - 1 - step : step
                for x in [right, right - 1] where !isFunction[y * size + x] {
                    places.append(y * size + x)
                }
            }
            right -= 2
        }
        return places
    }

    /// The symbol under a mask, with its format.
    func masked(_ mask: Int, level: QRCode.Level) -> QRMatrix {
        var drawn = self
        for y in 0..<size {
            for x in 0..<size where !isFunction[y * size + x] && Self.inverts(mask, x, y) {
                drawn.dark[y * size + x].toggle()
            }
        }
        drawn.drawFormat(Self.formatBits(level, mask: mask))
        return drawn
    }

    /// Whether a mask inverts the module of a column and a row.
    static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (x / 3 + y / 2) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }
}
