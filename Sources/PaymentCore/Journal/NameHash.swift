/// One number for a name under which attempts are found: the same from a text and from its bytes.
///
/// Other names may have the same number; whoever finds something by it looks at the name itself. The
/// numbers are others in each process, so that nobody can choose names that share one.
enum NameHash {
    /// An attempt's identity, whose text has this number.
    static func attempt(_ text: UInt64) -> UInt64 { fold(text ^ 0x9e37_79b9_7f4a_7c15) }

    /// An order's id, whose text has this number.
    static func order(_ text: UInt64) -> UInt64 { fold(text ^ 0xc2b2_ae3d_27d4_eb4f) }

    /// An acquirer's reference, whose two texts have these numbers.
    static func reference(kind: UInt64, value: UInt64) -> UInt64 {
        fold(fold(kind ^ 0x1656_67b1_9e37_79f9) ^ value)
    }

    static func of(_ id: AttemptID) -> UInt64 { attempt(text(id.description)) }

    static func of(_ reference: AcquirerReference) -> UInt64 {
        Self.reference(kind: text(reference.kind), value: text(reference.value))
    }

    /// The number of a text; texts that are equal have the same, however they are encoded.
    static func text(_ text: String) -> UInt64 {
        withASCII(of: text, Self.text(_:)) ?? UInt64(bitPattern: Int64(text.hashValue))
    }

    /// Calls something with a text of ASCII that is equal to another; nil when there is none.
    static func withASCII<Value>(
        of text: String,
        _ body: (UnsafeRawBufferPointer) -> Value
    ) -> Value? {
        var text = text
        let value = text.withUTF8 { bytes in
            bytes.allSatisfy { $0 < 0x80 } ? body(.init(bytes)) : nil
        }
        if let value { return value }
        // Three characters are equal to one of ASCII; no other text outside of it is.
        let scalars = text.unicodeScalars.map { equals[$0] ?? $0 }
        guard scalars.allSatisfy(\.isASCII) else { return nil }
        return scalars.map { UInt8($0.value) }.withUnsafeBytes(body)
    }

    private static let equals: [Unicode.Scalar: Unicode.Scalar] = [
        "\u{212A}": "K", "\u{037E}": ";", "\u{1FEF}": "`",
    ]

    /// The number of a text of ASCII.
    static func text(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = seed ^ UInt64(bytes.count)
        guard bytes.count >= 8 else {
            return fold(hash ^ bytes.reduce(0) { $0 << 8 | UInt64($1) })
        }
        for index in stride(from: 0, to: bytes.count - 8, by: 8) {
            hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        }
        // The last eight bytes, of which some may have been taken in already.
        return fold(
            hash ^ bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        )
    }

    private static let seed = UInt64(bitPattern: Int64(Hasher().finalize()))

    private static func fold(_ number: UInt64) -> UInt64 {
        let product = number.multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        return product.high ^ product.low
    }
}
