import Foundation
import Testing

@testable import PaymentTransport

@Suite struct DigestTests {
    private static func bytes(_ hex: Substring) -> [UInt8] {
        hex.split(separator: ":").compactMap { UInt8($0, radix: 16) }
    }

    private static func rows(_ file: String) throws -> [[Substring]] {
        let url = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fixtures/hmac/\(file)")
        return try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: ";", omittingEmptySubsequences: false) }
    }

    @Test func `HMAC-SHA-256 gives the codes of RFC 4231`() throws {
        let rows = try Self.rows("rfc-4231.txt")
        #expect(rows.count == 6)
        for row in rows {
            let code = Digest.hmacSHA256(Self.bytes(row[1]), key: Self.bytes(row[0]))
            #expect(code == Self.bytes(row[2]))
        }
    }

    @Test func `HMAC-SHA-256 accepts the good tags of Wycheproof and refuses the bad ones`() throws
    {
        let rows = try Self.rows("wycheproof.txt")
        var accepted = 0
        for row in rows {
            let code = Digest.hmacSHA256(Self.bytes(row[4]), key: Self.bytes(row[3]))
            let size = try #require(Int(row[2])) / 8
            let fits = Digest.areEqual(Array(code.prefix(size)), Self.bytes(row[5]))
            #expect(fits == (row[1] == "valid"), "vector \(row[0])")
            accepted += fits ? 1 : 0
        }
        #expect(rows.count == 174)
        #expect(accepted > 50 && accepted < 174)
    }

    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb924 27ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223 b00361a396177a9cb410ff61f20015ad"),
    ])
    func `SHA-256 gives the digests that FIPS 180-4 is published with`(text: String, hex: String) {
        #expect(Digest.hex(Digest.sha256(text.utf8)) == hex.filter { $0 != " " })
        #expect(Digest.hex(PlainSHA256.digest(text.utf8)) == hex.filter { $0 != " " })
    }

    /// What a program of the system prints first when it is fed some bytes; nil where it is not.
    private static func output(of program: String, fed bytes: [UInt8]) throws -> Substring? {
        guard FileManager.default.isExecutableFile(atPath: program) else { return nil }
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: program)
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).prefix(64)
    }

    @Test(arguments: [0, 1, 54, 55, 56, 57, 63, 64, 65, 118, 119, 120, 127, 128, 129, 5_000])
    func `SHA-256 agrees with the system's own program around every padding`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ count) }
        let told = try Self.output(of: "/usr/bin/sha256sum", fed: bytes)
        let digest = Digest.hex(PlainSHA256.digest(bytes))
        #expect(told.map { $0 == digest } ?? (Digest.hex(Digest.sha256(bytes)) == digest))
    }

    @Test(
        arguments: [
            ([1, 2, 3], [1, 2, 3], true), ([], [], true), ([1, 2, 3], [1, 2, 4], false),
            ([1, 2, 3], [9, 2, 3], false), ([1, 2, 3], [1, 2], false), ([1, 2], [1, 2, 3], false),
            ([1, 1], [1], false), ([], [1], false), ([1], [], false),
            ([1, 2, 1, 2], [1, 2], false),
        ] as [([UInt8], [UInt8], Bool)]
    )
    func `comparison in constant time tells equal from unequal`(
        one: [UInt8],
        other: [UInt8],
        areEqual: Bool
    ) {
        #expect(Digest.areEqual(one, other) == areEqual)
    }

    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ])
    func `base64 for addresses is that of RFC 4648 without padding`(text: String, coded: String) {
        #expect(Digest.base64URL(text.utf8) == coded)
        #expect(Digest.base64URL([0xFB, 0xFF, 0xBF]) == "-_-_")
    }
}
