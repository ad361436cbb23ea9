import PaymentCore

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// SHA-256 and what is built on it: the system's where there is one, else our own.
package enum Digest {
    /// The SHA-256 digest of some bytes, 32 bytes long.
    package static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        #if canImport(CryptoKit)
            Array(SHA256.hash(data: Data(bytes)))
        #else
            PlainSHA256.digest(bytes)
        #endif
    }

    /// The HMAC-SHA-256 of some bytes under a key of any length, 32 bytes long.
    package static func hmacSHA256(
        _ bytes: some Sequence<UInt8>,
        key: some Sequence<UInt8>
    ) -> [UInt8] {
        #if canImport(CryptoKit)
            let key = SymmetricKey(data: Data(key))
            return Array(HMAC<SHA256>.authenticationCode(for: Data(bytes), using: key))
        #else
            PlainSHA256.authenticationCode(bytes, key: key)
        #endif
    }

    /// Whether two texts of bytes are equal, in a time that depends on their lengths alone.
    ///
    /// - Parameters:
    ///   - expected: What it should be; the time follows from this one's length.
    ///   - found: What it is.
    /// - Returns: Whether both have the same length and the same bytes.
    package static func areEqual(_ expected: [UInt8], _ found: [UInt8]) -> Bool {
        var difference = UInt64(truncatingIfNeeded: expected.count ^ found.count)
        for index in expected.indices {
            // Reading in turns keeps the work the same when the other text is shorter.
            let other = found.isEmpty ? ~expected[index] : found[index % found.count]
            difference |= UInt64(expected[index] ^ other)
        }
        return difference == 0
    }
}
