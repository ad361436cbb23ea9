/// The checksum of a journal's lines: CRC-32 as in IEEE 802.3, zip and PNG.
enum CRC32 {
    /// The checksum of some bytes; `cbf43926` for the digits from 1 to 9.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        if let sum = bytes.withContiguousStorageIfAvailable(sliced) { return sum }
        let table = table
        return ~bytes.reduce(~0) { sum, byte in
            sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
        }
    }

    /// The same of bytes that lie side by side, eight at a time.
    private static func sliced(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let raw = UnsafeRawBufferPointer(bytes)
        let whole = raw.count & ~7
        return tables.withUnsafeBufferPointer { table in
            var sum = ~UInt32(0)
            for start in stride(from: 0, to: whole, by: 8) {
                let word = raw.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                let next = UInt64(littleEndian: word) ^ UInt64(sum)
                sum = 0
                for place in 0..<8 {
                    sum ^= table[(7 - place) << 8 | Int(next >> UInt64(place * 8) & 255)]
                }
            }
            for byte in raw[whole...] {
                sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
            }
            return ~sum
        }
    }

    /// The checksum as eight lower-case hexadecimal digits.
    static func digits(_ checksum: UInt32) -> [UInt8] {
        stride(from: 28, through: 0, by: -4).map { shift in
            alphabet[Int(checksum >> UInt32(shift) & 15)]
        }
    }

    /// Reads eight lower-case hexadecimal digits.
    static func parse(_ digits: some Collection<UInt8>) -> UInt32? {
        guard digits.count == 8 else { return nil }
        var checksum: UInt32 = 0
        for digit in digits {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            checksum = checksum << 4 | UInt32(value)
        }
        return checksum
    }

    private static let alphabet = Array("0123456789abcdef".utf8)

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in
            sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320
        }
    }

    /// For each byte, what it still does to the checksum when so many more have followed it.
    private static let tables: [UInt32] = (1..<8).reduce(into: table) { tables, place in
        for byte in 0..<256 {
            let before = tables[(place - 1) << 8 | byte]
            tables.append(before >> 8 ^ table[Int(before & 255)])
        }
    }
}
