import Foundation
import Testing

@testable import PaymentCore

/// The fast reading of records finds exactly what the decoder finds, or leaves them to it.
@Suite struct JournalScannerTests {
    private let format = JournalFormat()

    /// The JSON of an entry as a journal writes it.
    private func json(_ entry: JournalEntry) throws -> [UInt8] {
        Array(try format.lines([entry]).dropFirst(9).dropLast())
    }

    private func scanned(_ json: [UInt8]) -> JournalEntry? {
        var memory = JournalScanner.Memory()
        return json.withUnsafeBytes { JournalScanner.entry($0, &memory) }
    }

    private func decoded(_ json: [UInt8]) throws -> JournalEntry {
        try json.withUnsafeBytes { try format.entry($0) }
    }

    private static let plain = JournalSamples.began("a", order: "o1")

    private static let many: [JournalEntry] = {
        let receipt = Receipt(
            of: AttemptID("a"),
            began: .init(
                account: JournalSamples.account,
                order: "o1",
                kind: .sale,
                amount: JournalSamples.total,
                tip: JournalSamples.money(7)
            ),
            approval: Approval(
                references: [
                    AcquirerReference(kind: "transfer", value: "TRa"),
                    AcquirerReference(kind: "reader", value: "RDa"),
                ],
                amount: .reported(JournalSamples.money(0)),
                card: CardSummary(brand: "VISA", lastFour: "4242"),
                url: URL(string: "https://example.com/receipts/1"),
                supportIdentifiers: ["trace": "t-1", "other": "t-2"]
            ),
            now: JournalSamples.start
        )
        let endings: [Ending] =
            JournalSamples.endings.map { ending in
                // Such a text needs escapes, which are the decoder's.
                switch ending {
                case .partlyApproved: .partlyApproved(receipt, remaining: JournalSamples.money(250))
                case .authorized:
                    .authorized(Authorization(receipt: receipt, expiresAt: JournalSamples.start))
                case .approved: .approved(receipt)
                case .done: .done(receipt)
                case .pending: .pending(receipt)
                case .declined, .cancelled, .failed: ending
                }
            } + [
                .authorized(Authorization(receipt: receipt, expiresAt: nil)),
                .declined(Decline(.pin, card: CardSummary(brand: nil, lastFour: nil))),
                .failed(PaymentError(.timedOut, vendorCode: "E7", detail: "no answer")),
            ]
        let between = JournalSamples.everyFact.filter { entry in
            switch entry.fact {
            case .noted, .lookedUp, .leftOpen: true
            case .began, .ended, .settled, .contradicted: false
            }
        }
        return [
            plain,
            JournalSamples.began("b", order: "t/2of3", followUp: "f", parent: AttemptID("a")),
            JournalSamples.entry("a", .leftOpen(.init(error: nil, isSentAgain: true))),
        ] + between + endings.map { JournalSamples.entry("a", .ended($0, by: .vendor)) }
    }()

    @Test(arguments: many)
    func `N-024 the records that a journal has most of are read without the decoder`(
        entry: JournalEntry
    ) throws {
        #expect(scanned(try json(entry)) == entry)
    }

    @Test(arguments: JournalSamples.everyFact)
    func `N-024 whatever is read fast is what the decoder reads`(entry: JournalEntry) throws {
        let json = try json(entry)
        if let scanned = scanned(json) { #expect(scanned == (try decoded(json))) }
    }

    @Test func `N-024 a damaged record is never read fast as something else`() throws {
        for entry in Self.many {
            let whole = try json(entry)
            for index in whole.indices {
                #expect(scanned(Array(whole[..<index])) == nil)
                for byte: UInt8 in [0, 0x20, 0x22, 0x2C, 0x30, 0x5C, 0x7D, 0xFF] {
                    var changed = whole
                    changed[index] = byte
                    guard let scanned = scanned(changed) else { continue }
                    #expect(scanned == (try? decoded(changed)))
                }
            }
        }
    }

    @Test(arguments: [
        0, 951_782_400, 951_868_799.999, 1_767_603_600.25, 1_772_236_799.5, 1_772_323_200,
        4_107_542_399.001, 7_258_118_399.999, 7_258_118_400, -1, -62_135_596_800,
    ])
    func `N-024 times are read as the calendar reads them`(seconds: Double) throws {
        let entry = JournalEntry(
            at: Date(timeIntervalSince1970: seconds),
            attempt: AttemptID("a"),
            fact: .noted(AcquirerReference(kind: "k", value: "v"))
        )
        let json = try json(entry)
        #expect(scanned(json) == (try decoded(json)))
    }

    @Test func `N-024 every day until 2199 is read as the calendar reads it`() throws {
        for day in stride(from: 0, to: 84_000, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 0.001)
            let text = try #require(JournalDate.format(date))
            let json = Array(
                #"{"at":"\#(text)","attempt":"a","noted":{"kind":"k","value":"v"}}"#.utf8
            )
            guard scanned(json)?.at == date else {
                Issue.record("\(text)")
                return
            }
        }
    }

    @Test(arguments: [
        #"{"at":"2026-02-30T09:00:00.250Z","attempt":"a","noted":{"kind":"k","value":"v"}}"#,
        #"{"at":"2026-13-01T09:00:00.250Z","attempt":"a","noted":{"kind":"k","value":"v"}}"#,
        #"{"at":"2026-01-05T09:00:00.250Z","attempt":"a","noted":{"value":"v","kind":"k"}}"#,
        #"{"at":"2026-01-05T09:00:00.250Z","attempt":"\u0061","noted":{"kind":"k","value":"v"}}"#,
        #"{"at":"2026-01-05T09:00:00.250Z","attempt":"a","noted":{"kind":"k","value":"v"}} "#,
        "", "{", "null",
    ])
    func `N-024 what looks different is left to the decoder`(text: String) {
        let scanned = scanned(Array(text.utf8))
        #expect(scanned == (try? decoded(Array(text.utf8))) || scanned == nil)
    }

    @Test(arguments: 0..<70)
    func `N-024 the checksum does not depend on how its bytes lie`(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 19) }
        // Bit by bit, as the standard describes it.
        var sum = ~UInt32(0)
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320 }
        }
        #expect(bytes.withUnsafeBytes(CRC32.checksum) == ~sum)
        let digits = withUnsafeBytes(of: CRC32.digits(~sum)) { String(decoding: $0, as: UTF8.self) }
        #expect(UInt32(digits, radix: 16) == ~sum && digits.count == 8)
        #expect(digits == digits.lowercased())
    }
}
