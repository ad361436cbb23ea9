import Foundation
import Testing

@testable import PaymentReceipts

@Suite struct QRCodeTests {
    private static func lines(_ file: String) throws -> [String] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/qr")
        return try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            .split(whereSeparator: \.isNewline).map(String.init)
    }

    private func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { y in
            (0..<code.size).map { x in code[x, y] ? "1" : "0" }.joined()
        }
    }

    // The three symbols printed in the standard; two are in modes that only the test encodes.

    @Test func `R-176 draws the standard's byte-mode symbol`() throws {
        let code = try QRCode(bytes: Array("QR Code Symbol".utf8), level: .medium, mask: 5)
        #expect(code.version == 1)
        #expect(try rows(code) == Self.lines("iso-fig-1.txt"))
    }

    @Test func `R-176 draws the standard's numeric symbol`() throws {
        var bits = QRBits()
        bits.append(0b0001, bits: 4)
        bits.append(8, bits: 10)
        for (group, count) in [(12, 10), (345, 10), (67, 7)] { bits.append(group, bits: count) }
        let space = QRSpace(version: 1, level: .medium)
        let code = QRCode(data: bits.codewords(in: space), space: space, mask: 2)
        #expect(try rows(code) == Self.lines("iso-i2.txt"))
    }

    @Test func `R-176 draws the standard's alphanumeric symbol`() throws {
        let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        let values = try (letters + "0123456789" + letters).map { letter in
            try #require(alphabet.firstIndex(of: letter))
        }
        var bits = QRBits()
        bits.append(0b0010, bits: 4)
        bits.append(values.count, bits: 9)
        for start in stride(from: 0, to: values.count, by: 2) {
            bits.append(values[start] * 45 + values[start + 1], bits: 11)
        }
        let space = QRSpace(version: 4, level: .medium)
        let code = QRCode(data: bits.codewords(in: space), space: space, mask: 4)
        #expect(try rows(code) == Self.lines("iso-fig-29.txt"))
    }

    @Test func `R-176 holds as much as the standard says, and not a byte more`() throws {
        let rows = try Self.lines("capacity.csv").dropFirst().map { $0.split(separator: ",") }
        #expect(rows.count == 160)
        for row in rows {
            let version = try #require(Int(row[0]))
            let level = try #require(QRCode.Level(rawValue: String(row[2])))
            let capacity = try #require(Int(row[5]))
            let space = QRSpace(version: version, level: level)
            #expect(space.byteCapacity == capacity, "\(row)")
            let error = #expect(throws: QRCodeError.self) {
                try QRCode(
                    bytes: Array(repeating: 65, count: capacity + 7),
                    level: level,
                    version: version
                )
            }
            #expect(error?.excess == 7)
        }
    }

    @Test func `R-176 picks the smallest version that holds the text`() throws {
        let codes = try [0, 14, 15, 26, 27, 213, 214].map { count in
            try QRCode(bytes: Array(repeating: 97, count: count), level: .medium).version
        }
        #expect(codes == [1, 1, 2, 2, 3, 10, 11])
    }

    @Test func `R-176 a text that does not fit is an error that says by how much`() {
        let error = #expect(throws: QRCodeError.self) {
            try QRCode(String(repeating: "é", count: 1_477), level: .low)
        }
        #expect(error == .doesNotFit(bytes: 2_954, capacity: 2_953))
        #expect(
            error?.description
                == "2954 bytes do not fit: 1 too many, at most 2953 are accepted"
        )
    }

    @Test(arguments: [0, 41, -1, Int.max])
    func `R-176 a version that there is not is an error`(version: Int) {
        #expect(throws: QRCodeError.noSuchVersion(version)) {
            try QRCode(bytes: [], version: version)
        }
        #expect(throws: QRCodeError.noSuchMask(8)) { try QRCode(bytes: [], mask: 8) }
    }

    @Test(arguments: 1...40)
    func `R-176 every version at every level is read back`(version: Int) throws {
        for level in QRCode.Level.allCases {
            let capacity = QRSpace(version: version, level: level).byteCapacity
            let bytes = (0..<capacity).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ version) }
            let code = try QRCode(
                bytes: bytes,
                level: level,
                version: version,
                mask: version % 8
            )
            let reader = QRReading(code)
            #expect(reader.level == level && reader.mask == version % 8)
            #expect(version < 7 || QRReading.version(code) == version)
            #expect(reader.isWithoutErrors)
            #expect(reader.bytes == bytes)
        }
    }

    @Test(arguments: ["", "a", "https://checkout.example.com/payment-link/7a1c", "Ünïcödé 漢字 👋"])
    func `R-176 the mask is the one with the least penalty`(text: String) throws {
        let chosen = try QRCode(text)
        let penalties = try (0...7).map { mask in
            try QRPenalty.of(QRCode(bytes: Array(text.utf8), mask: mask))
        }
        #expect(penalties[chosen.mask] == penalties.min())
        #expect(QRReading(chosen).bytes == Array(text.utf8))
    }
}
