/// Error correction over the field of 256 elements that the standard names.
enum QRReedSolomon {
    /// Powers of two modulo x⁸ + x⁴ + x³ + x² + 1, and their logarithms.
    private static let tables: (powers: [UInt8], logarithms: [Int]) = {
        var powers = [UInt8](repeating: 1, count: 255)
        var logarithms = [Int](repeating: 0, count: 256)
        var value = 1
        for exponent in 0..<255 {
            powers[exponent] = UInt8(value)
            logarithms[value] = exponent
            value <<= 1
            if value > 255 { value ^= 0x11D }
        }
        return (powers, logarithms)
    }()

    /// The product of two elements.
    private static func multiply(_ one: UInt8, _ other: UInt8) -> UInt8 {
        guard one != 0, other != 0 else { return 0 }
        return tables.powers[
            (tables.logarithms[Int(one)] + tables.logarithms[Int(other)]) % 255
        ]
    }

    /// Two to a power.
    private static func power(_ exponent: Int) -> UInt8 { tables.powers[exponent % 255] }

    /// The generator polynomial without its leading one, the highest power first.
    private static func generator(_ degree: Int) -> [UInt8] {
        var polynomial = [UInt8](repeating: 0, count: degree)
        polynomial[degree - 1] = 1
        for root in 0..<degree {
            for index in 0..<degree {
                polynomial[index] = multiply(polynomial[index], power(root))
                if index + 1 < degree { polynomial[index] ^= polynomial[index + 1] }
            }
        }
        return polynomial
    }

    /// The correction codewords of one block.
    private static func correction(of data: ArraySlice<UInt8>, generator: [UInt8]) -> [UInt8] {
        var remainder = [UInt8](repeating: 0, count: generator.count)
        for word in data {
            let factor = word ^ remainder.removeFirst()
            remainder.append(0)
            for index in generator.indices {
                remainder[index] ^= multiply(generator[index], factor)
            }
        }
        return remainder
    }

    /// The codewords in the order of the symbol: blocks side by side, then their corrections.
    static func interleaved(_ data: [UInt8], in space: QRSpace) -> [UInt8] {
        let generator = generator(space.correctionPerBlock)
        let short = space.dataCodewords / space.blocks
        let longBlocks = space.dataCodewords % space.blocks
        var blocks: [ArraySlice<UInt8>] = []
        var rest = data[...]
        for index in 0..<space.blocks {
            let length = short + (index < space.blocks - longBlocks ? 0 : 1)
            blocks.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        let corrections = blocks.map { correction(of: $0, generator: generator) }
        var words: [UInt8] = []
        words.reserveCapacity(space.totalCodewords)
        for index in 0...short {
            for block in blocks where index < block.count {
                words.append(block[block.startIndex + index])
            }
        }
        for index in 0..<space.correctionPerBlock {
            for correction in corrections { words.append(correction[index]) }
        }
        return words
    }
}
