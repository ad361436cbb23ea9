/// SHA-256 as FIPS 180-4 describes it, and HMAC as RFC 2104 does, for systems without either.
enum PlainSHA256 {
    static func digest(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let message = padded(Array(bytes))
        var hash = start
        for offset in stride(from: 0, to: message.count, by: blockSize) {
            compress(message[offset..<offset + blockSize], into: &hash)
        }
        return hash.flatMap(bigEndian)
    }

    static func authenticationCode(
        _ bytes: some Sequence<UInt8>,
        key: some Sequence<UInt8>
    ) -> [UInt8] {
        var key = Array(key)
        if key.count > blockSize { key = digest(key) }
        key += [UInt8](repeating: 0, count: blockSize - key.count)
        let inner = digest(key.map { $0 ^ 0x36 } + bytes)
        return digest(key.map { $0 ^ 0x5C } + inner)
    }

    private static let blockSize = 64

    /// The message, a one bit, zeros, and the length in bits as the last eight bytes of a block.
    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        let length = UInt64(bytes.count) << 3
        let zeros = (2 * blockSize - 9 - bytes.count % blockSize) % blockSize
        return bytes + [0x80] + [UInt8](repeating: 0, count: zeros) + bigEndian(length)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
        let words = schedule(block)
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        for round in 0..<blockSize {
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum(e, 6, 11, 25) &+ choice &+ constants[round] &+ words[round]
            let second = sum(a, 2, 13, 22) &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { hash[index] &+= value }
    }

    /// The block's sixteen words, and the 48 that follow from them.
    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(blockSize)
        for offset in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for index in 16..<blockSize {
            let (late, early) = (words[index - 2], words[index - 15])
            let mixedLate = turn(late, 17) ^ turn(late, 19) ^ (late >> 10)
            let mixedEarly = turn(early, 7) ^ turn(early, 18) ^ (early >> 3)
            words.append(mixedLate &+ words[index - 7] &+ mixedEarly &+ words[index - 16])
        }
        return words
    }

    private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word >> count | word << (32 - count)
    }

    private static func sum(_ word: UInt32, _ one: UInt32, _ two: UInt32, _ three: UInt32) -> UInt32
    {
        turn(word, one) ^ turn(word, two) ^ turn(word, three)
    }

    /// The first 32 bits of the fractions of the square roots of the first eight primes.
    private static let start: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
        0x5BE0_CD19,
    ]

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
        0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
        0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
        0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
        0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
        0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
        0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
        0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
        0xC671_78F2,
    ]
}
