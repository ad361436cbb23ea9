/// Bits in the order in which a symbol carries them.
struct QRBits {
    private(set) var bits: [Bool] = []

    /// Adds the lowest bits of a number, the highest of them first.
    mutating func append(_ value: Int, bits count: Int) {
        for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
    }

    /// The bits as data codewords: ended, filled to whole bytes, then padded to the space.
    func codewords(in space: QRSpace) -> [UInt8] {
        var bits = bits
        let room = space.dataCodewords * 8
        bits += Array(repeating: false, count: min(4, max(room - bits.count, 0)))
        bits += Array(repeating: false, count: (8 - bits.count % 8) % 8)
        var words = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
        }
        let padding: [UInt8] = [0xEC, 0x11]
        let filled = words.count
        while words.count < space.dataCodewords {
            words.append(padding[(words.count - filled) % 2])
        }
        return words
    }

    /// The data codewords of bytes that fit.
    static func codewords(of bytes: [UInt8], in space: QRSpace) -> [UInt8] {
        var bits = QRBits()
        bits.append(0b0100, bits: 4)
        bits.append(bytes.count, bits: space.countBits)
        for byte in bytes { bits.append(Int(byte), bits: 8) }
        return bits.codewords(in: space)
    }
}
