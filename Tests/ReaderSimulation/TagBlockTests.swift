import PaymentCore
import ReaderSimulation
import Testing

@Suite struct TagBlockTests {
    private func block(
        _ card: String,
        _ minorUnits: Int64 = 1_234,
        preferred: [String] = [],
        kind: ReadRequest.Kind = .purchase
    ) throws -> TagBlock {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = SimulatedCard.named(card)
        let request = ReadRequest(
            kind: kind,
            minorUnits: minorUnits,
            currency: "EUR",
            preferredApplications: preferred
        )
        return try world.read(request).get().tagBlock
    }

    @Test func `S-100 the application that was preferred is in the tags`() throws {
        #expect(try block("eftpos-visa")["84"] == "A000000384")
        #expect(try block("eftpos-visa", preferred: ["A0000000031010"])["84"] == "A0000000031010")
        #expect(try block("eftpos-visa", preferred: ["A0000000041010"])["84"] == "A000000384")
    }

    @Test(
        arguments: [
            ("visa-credit", 1_234, "1F0002", "0000000000", "0000"),
            ("mc-credit", 1_234, "1F0002", "0000000000", "A800"),
            ("visa-credit", 5_001, "020300", "0000040000", "0000"),
            ("mc-credit", 5_001, "020300", "0000040000", "E800"),
            ("phone-visa", 9_999, "1F0002", "0000000000", "0000"),
            ("phone-mc", 9_999, "010002", "0000000000", "E800"),
            ("declined-expired", 1_234, "1F0002", "0040000000", "A800"),
            ("offline-refuses", 1_234, "1F0002", "0000000000", "A800"),
        ] as [(String, Int64, String, String, String)]
    )
    func `S-191 verification is told in the three forms of its situation`(
        card: String,
        minorUnits: Int64,
        cvm: String,
        tvr: String,
        tsi: String
    ) throws {
        let block = try block(card, minorUnits)
        #expect(block["9F34"] == cvm)
        #expect(block["95"] == tvr)
        #expect(block["9B"] == tsi)
    }

    @Test func `L-3 tags that could show the card or its owner are never there`() throws {
        let block = try block("visa-credit")
        for tag in ["56", "57", "5A", "5F20", "5F24", "99", "9F0B", "9F1F", "9F20"] {
            #expect(block[tag] == nil)
        }
        #expect(block["9F02"] == "000000001234")
        #expect(block["5F2A"] == "0978")
        #expect(try self.block("visa-credit", kind: .refund)["9C"] == "20")
    }

    @Test func `the bytes are whole: each tag, its length, its value`() throws {
        let block = try block("visa-credit")
        var bytes = try #require(Data(base64Encoded: block.reveal()))[...]
        var names: [String] = []
        while let first = bytes.popFirst() {
            var name = [first]
            if first & 0x1F == 0x1F, let second = bytes.popFirst() { name.append(second) }
            let length = bytes.popFirst().map { Int($0) } ?? .max
            #expect(bytes.count >= length)
            bytes = bytes.dropFirst(length)
            let digits = name.map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            names.append(digits.joined())
        }
        #expect(names == block.tags.map(\.name))
    }

    @Test func `S-191 6.3 each card counts its own transactions`() throws {
        let world = try TestWorld().prepared()
        let mastercard = try #require(SimulatedCard.named("mc-credit"))
        world.control.nextCards([visa, mastercard, visa])
        let counts = try (0..<3).map { _ in try world.read().get().tagBlock["9F36"] }
        #expect(counts == ["0001", "0001", "0002"])
    }
}
