/// The checksum of a journal's lines: CRC-32 as in IEEE 802.3, zip and PNG.
enum CRC32 {
    /// The checksum of some bytes; `cbf43926` for the digits from 1 to 9.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        return ~bytes.reduce(~0) { sum, byte in
            sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
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
}
