/// The checksum of a journal's lines: CRC-32 as in IEEE 802.3, zip and PNG.
enum CRC32 {
    /// The checksum of some bytes; `cbf43926` for the digits from 1 to 9.
    static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        tables.withUnsafeBufferPointer { table in
            var sum = ~UInt32(0)
            var index = 0
            // Sixteen bytes at a time: what each does to the sum is looked up apart from the others.
            while index &+ 16 <= bytes.count {
                let first = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                let second = bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
                // What does not depend on the sum is there by the time that the sum is.
                let other =
                    effect(UInt64(littleEndian: second), before: 0, table)
                    ^ effect(UInt32(UInt64(littleEndian: first) >> 32), before: 8, table)
                let word = UInt32(truncatingIfNeeded: UInt64(littleEndian: first))
                sum = effect(word ^ sum, before: 12, table) ^ other
                index &+= 16
            }
            while index < bytes.count {
                let byte = UInt8(truncatingIfNeeded: sum) ^ bytes[index]
                sum = sum >> 8 ^ table[Int(byte)]
                index &+= 1
            }
            return ~sum
        }
    }

    /// What eight bytes do to the sum when so many more follow.
    @inline(__always)
    private static func effect(
        _ word: UInt64,
        before count: Int,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        effect(UInt32(truncatingIfNeeded: word), before: count &+ 4, table)
            ^ effect(UInt32(word >> 32), before: count, table)
    }

    /// What four bytes do to the sum when so many more follow.
    @inline(__always)
    private static func effect(
        _ word: UInt32,
        before count: Int,
        _ table: UnsafeBufferPointer<UInt32>
    ) -> UInt32 {
        let first = table[(count &+ 3) << 8 | Int(word & 255)]
        let second = table[(count &+ 2) << 8 | Int(word >> 8 & 255)]
        let third = table[(count &+ 1) << 8 | Int(word >> 16 & 255)]
        return first ^ second ^ (third ^ table[count << 8 | Int(word >> 24)])
    }

    /// The checksum as eight lower-case hexadecimal digits, in the order in which they are written.
    static func digits(_ checksum: UInt32) -> UInt64 {
        // Each digit's value in a byte of its own.
        var values = UInt64(checksum)
        values = (values << 16 | values) & 0x0000_ffff_0000_ffff
        values = (values << 8 | values) & 0x00ff_00ff_00ff_00ff
        values = (values << 4 | values) & 0x0f0f_0f0f_0f0f_0f0f
        // Adding six carries into the next half of a byte from ten on: there begin the letters.
        let letters = (values &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (values &+ 0x3030_3030_3030_3030 &+ letters &* 39).bigEndian
    }

    /// For each byte, what it does to the checksum when from none to fifteen more have followed it.
    private static let tables: [UInt32] = (1..<16).reduce(into: table) { tables, place in
        for byte in 0..<256 {
            let before = tables[(place - 1) << 8 | byte]
            tables.append(before >> 8 ^ table[Int(before & 255)])
        }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in
            sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320
        }
    }
}
