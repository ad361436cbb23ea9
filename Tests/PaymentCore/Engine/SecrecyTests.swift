import Simulation
import Testing

@testable import PaymentCore

@Suite struct SecrecyTests {
    /// A test card's number, put together here so that no file holds it.
    static let number = ["4242", "4242", "4242", "4242"]
    static let token = ["eyJhbGci", "OiJIUzI1", "NiJ9"].joined()
    static let password = ["hunter", "2secret"].joined()
    static var shapes: [String] {
        [
            number.joined(), number.joined(separator: " "), number.joined(separator: "-"),
            "Authorization: Bearer \(token)", "token=\(token)", "password: \(password)",
            "Basic \(token)", #"{"token":"\#(token)"}"#, "https://x/?token=\(token)&x=1",
            "failed\nBearer \(token)", "authorization:Bearer \(token)",
        ]
    }

    private func leaks(_ text: String) -> Bool {
        let digits = text.filter(\.isNumber)
        return digits.contains(Self.number.joined()) || text.contains(Self.token)
            || text.contains(Self.password)
    }

    @Test(arguments: shapes)
    func `N-014 a vendor's text with a secret in it reaches neither journal nor log`(
        secret: String
    ) throws {
        let error = PaymentError(
            .outcomeUnknown,
            vendorCode: "E \(secret)",
            detail: "failed for \(secret) at once",
            supportIdentifiers: ["trace": secret]
        )
        let decline = Decline(.generic, code: secret, detail: "no: \(secret)")
        for answer in [ProviderAnswer.unknown(error), .declined(decline), .notCharged(error)] {
            let till = TestTill(VendorScript(answer: answer), hasBooks: false)
            let told = try till.run { await till.take() }
            try expectSilence(told, till)
        }
        #expect(!leaks(error.description + error.debugDescription))
    }

    @Test(arguments: [number.joined(), number.joined(separator: " ")])
    func `N-014 a record with a card number in it is shown to nobody`(secret: String) throws {
        let till = TestTill(VendorScript(answer: .unknown(PaymentError(.outcomeUnknown))))
        for name in ["R1", "R2"] {
            var record = record(name, .unknown(secret), at: till.time.wallTime)
            record.approvalCode = secret
            record.supportIdentifiers = ["trace": secret]
            record.marker = secret
            record.card = CardSummary(brand: secret, lastFour: secret, funding: secret)
            till.books.add(record)
        }
        let told = try till.run { await till.take() }
        #expect(told.name == "unresolved ambiguous")
        try expectSilence(told, till)
    }

    @Test(arguments: shapes)
    func `N-014 a person's decision with a secret in it is kept without`(secret: String) {
        let verdict = PersonalVerdict(.notMoved, name: "Kim \(secret)", reason: "saw \(secret)")
        #expect(!leaks(verdict.name + verdict.reason))
        #expect(verdict.name.hasPrefix("Kim "))
    }

    @Test func `N-014 the journal keeps nothing of the request that names a customer`() throws {
        let till = TestTill(VendorScript(answer: .declined(Decline(.pin))))
        var request = PaymentRequest.sale(.usd(1_000), for: "o1")
        request.customerReference = "IDcustomer"
        request.description = "a gift for Kim"
        let sale = request
        _ = try till.run { try? await till.pointOfSale.take(sale) }
        let text = try journalText(till)
        #expect(!text.contains("IDcustomer") && !text.contains("Kim"))
    }

    private func expectSilence(_ told: Told, _ till: TestTill) throws {
        var dumped = ""
        dump(told.outcome, to: &dumped)
        #expect(!leaks(dumped))
        #expect(!leaks(String(describing: told.outcome) + String(reflecting: told.outcome)))
        #expect(!leaks(try journalText(till)))
        #expect(!leaks(till.time.trace.text))
    }

    private func journalText(_ till: TestTill) throws -> String {
        let entries = try till.run { await till.journal.read { $0.all.flatMap(\.history) } }
        return String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
    }
}
