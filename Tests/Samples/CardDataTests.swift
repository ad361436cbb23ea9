import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

/// Answers every request with one body, and keeps what was asked.
private final class Answering: HTTPTransport {
    private let body: String
    private let asked = Mutex<[String]>([])

    init(_ body: String) { self.body = body }

    var log: [String] { asked.withLock { $0 } }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        asked.withLock { $0.append("\(request)") }
        var headers = HTTPHeaders()
        headers["Content-Type"] = "application/hal+json"
        headers["Date"] = "Mon, 05 Jan 2026 09:00:00 GMT"
        return HTTPResponse(status: 200, headers: headers, body: Data(body.utf8))
    }
}

@Suite struct CardDataTests {
    @Test func `LT-4 LT-5 an answer that wrongly holds a full number yields the last four alone`()
        throws
    {
        // Assembled here, so that no file holds it.
        let number = "4" + String(repeating: "1", count: 15)
        let transport = Answering(
            """
            { "id": "TRone", "state": "SUCCEEDED", "amount": 1250, "currency": "USD",
              "type": "DEBIT", "created_at": "2026-01-05T09:00:00.00Z",
              "updated_at": "2026-01-05T09:00:00.00Z", "merchant": "MU-demo",
              "failure_message": "card \(number) is odd",
              "card_present_details": { "brand": "VISA", "approval_code": "\(number)",
                "masked_account_number": "\(number)" } }
            """
        )
        let account = Account(provider: "finix", merchant: "MU-demo", environment: .simulated)
        let time = SimulatedTime()
        let office = FinixBackOffice(
            account: account,
            origin: FinixEmulator.origin,
            username: Secret("user"),
            password: Secret("secret"),
            transport: transport,
            environment: time.environment
        )
        let record = try time.run { () async -> AcquirerRecord? in
            let query = RecordQuery(
                account: account,
                references: [AcquirerReference(kind: "transfer", value: "TRone")],
                created: time.wallTime...time.wallTime,
                kind: .sale
            )
            return try? await office.records(query).records.first
        }
        let found = try #require(record)
        #expect(found.card?.lastFour == "1111")
        var text = ""
        dump(found, to: &text)
        #expect(!text.contains(number) && !"\(found)".contains(number))
        #expect(!text.contains("411111"))
        #expect(transport.log.allSatisfy { !$0.contains("secret") && !$0.contains(number) })
    }
}
