/// A QR code by ISO/IEC 18004, in byte mode: any text as UTF-8, up to 2,953 bytes.
public struct QRCode: Hashable, Sendable {
    /// The symbol's version, from 1 (21 modules a side) to 40 (177 modules).
    public let version: Int
    /// How much of the symbol may be damaged.
    public let level: Level
    /// The mask that was used, from 0 to 7.
    public let mask: Int
    private let matrix: QRMatrix

    /// How many modules a side has, without the quiet zone.
    public var size: Int { matrix.size }

    /// How many light modules the standard wants on every side.
    public static let quietZone = 4

    /// How much of the symbol may be damaged and still be read.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// About 7 %.
        case low = "L"
        /// About 15 %.
        case medium = "M"
        /// About 25 %.
        case quartile = "Q"
        /// About 30 %.
        case high = "H"
    }

    /// Encodes a text in the smallest version that holds it, with the mask that the standard prefers.
    ///
    /// - Parameters:
    ///   - text: The text, which becomes UTF-8.
    ///   - level: How much may be damaged.
    /// - Throws: ``QRCodeError`` with `doesNotFit`, which says by how much.
    public init(_ text: String, level: Level = .medium) throws(QRCodeError) {
        try self.init(bytes: Array(text.utf8), level: level)
    }

    /// Encodes bytes.
    ///
    /// - Parameters:
    ///   - bytes: The payload.
    ///   - level: How much may be damaged.
    ///   - version: The version, from 1 to 40; the smallest that holds the bytes when nil.
    ///   - mask: The mask, from 0 to 7; the one with the least penalty when nil.
    /// - Throws: ``QRCodeError`` when the bytes do not fit, or version or mask is none.
    public init(
        bytes: [UInt8],
        level: Level = .medium,
        version: Int? = nil,
        mask: Int? = nil
    ) throws(QRCodeError) {
        if let version, !(1...40).contains(version) { throw .noSuchVersion(version) }
        if let mask, !(0...7).contains(mask) { throw .noSuchMask(mask) }
        let largest = version ?? 40
        let capacity = QRSpace(version: largest, level: level).byteCapacity
        guard bytes.count <= capacity else {
            throw .doesNotFit(bytes: bytes.count, capacity: capacity)
        }
        let smallest = (1...40).first {
            QRSpace(version: $0, level: level).byteCapacity >= bytes.count
        }
        let space = QRSpace(version: version ?? smallest ?? 40, level: level)
        self.init(data: QRBits.codewords(of: bytes, in: space), space: space, mask: mask)
    }

    /// Draws a symbol from its data codewords, as many as the space has.
    init(data: [UInt8], space: QRSpace, mask: Int?) {
        var blank = QRMatrix(version: space.version)
        blank.place(QRReedSolomon.interleaved(data, in: space))
        let masks = mask.map { [$0] } ?? Array(0...7)
        var best = (penalty: Int.max, mask: 0, matrix: blank)
        for candidate in masks {
            let drawn = blank.masked(candidate, level: space.level)
            let penalty = masks.count == 1 ? 0 : drawn.penalty
            if penalty < best.penalty { best = (penalty, candidate, drawn) }
        }
        version = space.version
        level = space.level
        self.mask = best.mask
        matrix = best.matrix
    }

    /// Whether a module is dark; outside of the symbol all are light.
    ///
    /// - Parameters:
    ///   - x: The column, from the left.
    ///   - y: The row, from the top.
    public subscript(x: Int, y: Int) -> Bool {
        guard 0..<size ~= x, 0..<size ~= y else { return false }
        return matrix[x, y]
    }
}

/// Why there is no QR code.
public enum QRCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// There are more bytes than the symbol holds.
    case doesNotFit(bytes: Int, capacity: Int)
    /// The version is none of 1 to 40.
    case noSuchVersion(Int)
    /// The mask is none of 0 to 7.
    case noSuchMask(Int)

    /// How many bytes are too many; zero for the other errors.
    public var excess: Int {
        if case .doesNotFit(let bytes, let capacity) = self { bytes - capacity } else { 0 }
    }

    /// What was wrong and what is accepted.
    public var description: String {
        switch self {
        case .doesNotFit(let bytes, let capacity):
            "\(bytes) bytes do not fit: \(excess) too many, at most \(capacity) are accepted"
        case .noSuchVersion(let version): "version \(version): accepted is 1 to 40"
        case .noSuchMask(let mask): "mask \(mask): accepted is 0 to 7"
        }
    }
}
