/// How the codewords of one version and level are divided.
struct QRSpace {
    let version: Int
    let level: QRCode.Level

    /// All codewords: what the function patterns leave, in whole bytes.
    var totalCodewords: Int {
        var modules = (16 * version + 128) * version + 64
        if version >= 2 {
            let alignments = version / 7 + 2
            modules -= (25 * alignments - 10) * alignments - 55
            if version >= 7 { modules -= 36 }
        }
        return modules / 8
    }

    /// How many error-correction codewords each block has.
    var correctionPerBlock: Int { Int(Self.corrections(level)[version - 1]) }

    /// How many blocks there are.
    var blocks: Int { Int(Self.blockCounts(level)[version - 1]) }

    /// The codewords for data.
    var dataCodewords: Int { totalCodewords - correctionPerBlock * blocks }

    /// How many bits the count of bytes has.
    var countBits: Int { version < 10 ? 8 : 16 }

    /// The most bytes in byte mode.
    var byteCapacity: Int { (dataCodewords * 8 - 4 - countBits) / 8 }

    /// The error-correction codewords of each block, by version.
    private static func corrections(_ level: QRCode.Level) -> [UInt8] {
        switch level {
        case .low: lowCorrections
        case .medium: mediumCorrections
        case .quartile: quartileCorrections
        case .high: highCorrections
        }
    }

    private static func blockCounts(_ level: QRCode.Level) -> [UInt8] {
        switch level {
        case .low: lowBlocks
        case .medium: mediumBlocks
        case .quartile: quartileBlocks
        case .high: highBlocks
        }
    }

    private static let lowCorrections: [UInt8] = [
        7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28,
        28, 28, 30, 30, 26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let mediumCorrections: [UInt8] = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
        26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]
    private static let quartileCorrections: [UInt8] = [
        13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30,
        28, 30, 30, 30, 30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let highCorrections: [UInt8] = [
        17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28,
        30, 24, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ]
    private static let lowBlocks: [UInt8] = [
        1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8,
        8, 9, 9, 10, 12, 12, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ]
    private static let mediumBlocks: [UInt8] = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
        17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]
    private static let quartileBlocks: [UInt8] = [
        1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20,
        23, 23, 25, 27, 29, 34, 34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ]
    private static let highBlocks: [UInt8] = [
        1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25,
        25, 34, 30, 32, 35, 37, 40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ]
}
