/// Which names are known, or seem to be: a few bits for each.
///
/// A name that it does not know is certainly not known; of others few are not known either.
struct NameFilter: Sendable {
    private var words: [UInt64]
    private let mask: UInt64

    /// A filter for the names in a journal of so many bytes; no record has less than a hundred.
    init(forBytes size: Int64) {
        var count = 1_024
        while count < size / 400 { count *= 2 }
        words = [UInt64](repeating: 0, count: count)
        mask = UInt64(count - 1)
    }

    func contains(_ name: UInt64) -> Bool {
        let bits = Self.bits(name)
        return word(of: name) & bits == bits
    }

    /// Where the bits of a name are, among those of others.
    func word(of name: UInt64) -> UInt64 { words[Int(name & mask)] }

    mutating func insert(_ name: UInt64) { words[Int(name & mask)] |= Self.bits(name) }

    private static func bits(_ name: UInt64) -> UInt64 {
        1 << (name >> 46 & 63) | 1 << (name >> 52 & 63) | 1 << (name >> 58 & 63)
    }
}
