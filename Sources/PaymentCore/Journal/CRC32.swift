/// The check of IEEE 802.3, which tells a record that is whole from one that is not.
enum CRC32 {
    /// The check of some bytes.
    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc = (crc >> 8) ^ table[Int((crc ^ UInt32(byte)) & 0xFF)]
        }
        return ~crc
    }

    /// The check as eight lower-case hexadecimal digits.
    static func hex(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        let crc = checksum(bytes)
        return (0..<8).map { digits[Int((crc >> (28 - 4 * UInt32($0))) & 0xF)] }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { crc, _ in
            crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1
        }
    }
}
