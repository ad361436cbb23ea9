import AcquirerSimulation
import FinixSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@testable import FinixPayments

/// What is made of the SDK's result, and of Finix's record of the same payment.
@Suite struct FinixResultRuleTests {
    private func answer(
        _ kind: PaymentRequest.Kind = .sale,
        _ change: (inout FinixTransactionResult) -> Void = { _ in }
    ) throws -> ProviderAnswer {
        let total = try Money(minorUnits: 1_250, currency: .usd)
        var result = FinixTransactionResult(amount: 1_250, currency: "USD")
        change(&result)
        let end = FinixTransactionEnd(phases: [.cardRead, .processing], answer: .success(result))
        return FinixErrors.answer(to: end, kind: kind, total: total, base: total)
    }

    private func approval(
        _ change: (inout FinixTransactionResult) -> Void = { _ in }
    ) throws -> Approval? {
        guard case .approved(let approval) = try answer(.sale, change) else { return nil }
        return approval
    }

    @Test func `F-245 F-272 a result of amount and currency alone is an approval`() throws {
        let bare = try #require(try approval())
        #expect(bare.references.isEmpty && bare.supportIdentifiers.isEmpty)
        #expect(bare.approvalCode == nil && bare.card?.description == "")
        guard case .authorized(let hold, let end) = try answer(.authorization) else {
            Issue.record("no hold")
            return
        }
        #expect(hold.references.isEmpty && end == nil)
    }

    @Test(arguments: [
        ("TR1", "tx-1", "transfer", "TR1", true), ("AU1", "tx-1", "authorization", "AU1", true),
        (nil, "tx-1", "readerTransaction", "tx-1", false),
        ("", "tx-1", "readerTransaction", "tx-1", false),
        ("TR 1", "tx-1", "readerTransaction", "tx-1", false),
        ("../TR1", "tx-1", "readerTransaction", "tx-1", false),
    ])
    func `F-246 F-247 the reference says what it is, and whether Finix can be asked for it`(
        transfer: String?,
        transaction: String,
        kind: String,
        value: String,
        isFetchable: Bool
    ) throws {
        let approval = try #require(
            try approval {
                $0.transferID = transfer
                $0.transactionIdentifier = transaction
            }
        )
        let reference = AcquirerReference(kind: kind, value: value)
        #expect(approval.references == [reference])
        #expect(FinixRecords.isFetchable(reference) == isFetchable)
        let sent = FixedTransport(404, "{}")
        _ = try? records(of: [reference], over: sent)
        #expect(sent.requests.allSatisfy { $0.path.hasSuffix("/\(value)") == isFetchable })
    }

    @Test(arguments: ["", ".", "..", "TR1/reversals", "TR 1", "TR1\n"])
    func `F-158 a reference that is no identifier is part of no path`(value: String) throws {
        for kind in [FinixReference.transferKind, FinixReference.authorizationKind] {
            let reference = AcquirerReference(kind: kind, value: value)
            let sent = FixedTransport(404, "{}")
            _ = try? records(of: [reference], over: sent)
            #expect(sent.requests.map(\.path) == ["/transfers"])
        }
        let bare = try approval {
            $0.transferID = value
            $0.transactionIdentifier = ""
        }
        #expect(bare?.references.isEmpty == true)
    }

    @Test func `F-246 the reference is stored as soon as the result is there`() throws {
        let stage = FinixStage(card: "visa-credit")
        let noted = Shared<[String]>([])
        try stage.shop.run {
            stage.emulator.host.faults.add(.delay(.seconds(3))) { $0.path.hasPrefix("/transfers/") }
            let pointOfSale = try await stage.ready()
            let executor = stage.shop.world.time.executor
            let payment = Task(executorPreference: executor) {
                try await stage.pay(with: pointOfSale)
            }
            await stage.wait(2)
            noted.value = stage.entries.compactMap { entry in
                if case .noted(let reference) = entry.fact { reference.kind } else { nil }
            }
            _ = try await payment.value
        }
        #expect(noted.value == ["transfer"])
        #expect(stage.told == ["approved"])
    }

    @Test(arguments: ["NEWBRAND", "visa", "Karte Ä", ""])
    func `F-254 a brand is whatever Finix calls it`(brand: String) throws {
        #expect(try approval { $0.cardBrand = brand }?.card?.brand == brand)
    }

    @Test(arguments: [
        ("************1234", "1234"), ("**** **** **** 1234", "1234"), ("XXXX-XXXX-1234", "1234"),
        ("1234", "1234"), ("**12", nil), ("", nil), ("none", nil),
    ])
    func `F-253 the last four digits are found whatever the punctuation`(
        masked: String,
        lastFour: String?
    ) throws {
        let row = """
            { "id": "TR1", "type": "DEBIT", "state": "SUCCEEDED", "amount": 1250,
              "currency": "USD", "created_at": "2026-01-05T09:00:01Z",
              "card_present_details": { "masked_account_number": "\(masked)" } }
            """
        let record = try records(
            of: [FinixReference.transfer("TR1")],
            over: FixedTransport(200, row)
        )
        .first
        #expect(record?.state == .succeeded)
        #expect(record?.card?.lastFour == lastFour)
        #expect(try approval { $0.last4 = lastFour }?.card?.lastFour == lastFour)
    }

    @Test func `F-174 a card of which nothing is said yet is no obstacle`() throws {
        let row = """
            { "id": "TR1", "type": "DEBIT", "state": "SUCCEEDED", "amount": 1250,
              "currency": "USD", "created_at": "2026-01-05T09:00:01Z",
              "card_present_details": { "approval_code": null, "brand": null, "entry_mode": null,
                "masked_account_number": null, "name": null, "payment_type": "NONE",
                "emv_data": null } }
            """
        let record = try records(
            of: [FinixReference.transfer("TR1")],
            over: FixedTransport(200, row)
        )
        .first
        #expect(record?.state == .succeeded)
        #expect(record?.card == CardSummary(brand: nil, lastFour: nil))
    }

    @Test func `F-249 what is reserved has no way into the adapter`() {
        let fields = Mirror(reflecting: FinixTransactionResult(amount: 1, currency: "USD")).children
            .compactMap(\.label)
        #expect(fields.contains("cardBrand"))
        #expect(!fields.contains { $0.hasPrefix("cardType") || $0.hasPrefix("emv") })
    }

    @Test func `F-255 F-248 F-273 a receipt keeps what support asks for, and is confirmed by id`()
        throws
    {
        let shop = FinixShop()
        let fetched = Shared<[String]>([])
        shop.emulator.host.faults.add(.loseRequest) { request in
            if request.method == .get { fetched.value.append(request.path) }
            return false
        }
        guard case .approved(let receipt) = try shop.sale().outcome else {
            Issue.record("not approved")
            return
        }
        let id = try #require(receipt.references.first?.value)
        #expect(id.hasPrefix("TR") && fetched.value.contains("/transfers/\(id)"))
        #expect(receipt.approved == .confirmed(try Money(minorUnits: 1_250, currency: .usd)))
        let names = Set(receipt.supportIdentifiers.keys)
        #expect(names == ["traceId", "readerIdentifier", "transactionIdentifier"])
    }

    @Test(arguments: [
        ("AU1", ["/authorizations/AU1"], 404), ("TR1", ["/transfers/TR1"], 404),
        ("ZZ1", ["/transfers/ZZ1", "/authorizations/ZZ1"], 404),
        ("ZZ1", ["/transfers/ZZ1"], 500),
    ])
    func `F-256 F-100 an identifier is asked for by its prefix, and at both places without one`(
        id: String,
        paths: [String],
        status: Int
    ) throws {
        let sent = FixedTransport(status, "{}")
        _ = try? records(of: [FinixReference.payment(id)], over: sent, kind: .authorization)
        #expect(
            sent.requests.map(\.path).filter { paths.contains($0) } == sent.requests.map(\.path)
        )
        #expect(Set(sent.requests.map(\.path)) == Set(paths))
    }

    @Test func `F-256 a hold under a name without a prefix is the attempt's own`() throws {
        let row = """
            { "id": "ZZ1", "state": "SUCCEEDED", "amount": 1250, "currency": "USD",
              "created_at": "2026-01-05T09:00:01Z", "expires_at": "2026-01-12T09:00:01Z" }
            """
        let sent = FixedTransport([
            HTTPResponse(status: 404), HTTPResponse(status: 200, body: Data(row.utf8)),
        ])
        let asked = FinixReference.payment("ZZ1")
        let record = try records(of: [asked], over: sent, kind: .authorization).first
        #expect(record?.reference == FinixReference.authorization("ZZ1"))
        #expect(record?.otherReferences == [asked])
        #expect(record?.kind == .authorization && record?.expiresAt != nil)
    }

    @Test(arguments: [-7_200.0, 7_200])
    func `F-257 a hold lapses, and a receipt is dated, by Finix's clock`(skew: Double) throws {
        let shop = FinixShop()
        let hold = try shop.run { () async throws -> Authorization? in
            let pointOfSale = try await shop.open(skew: skew)
            try await pointOfSale.prepare()
            let amount = try Money(minorUnits: 1_250, currency: .usd)
            guard
                case .authorized(let hold) = try await pointOfSale.take(
                    .authorization(amount, for: "o1")
                )
            else { return nil }
            return hold
        }
        let authorization = try #require(hold)
        let now = shop.world.time.wallTime
        #expect(abs(authorization.receipt.time.timeIntervalSince(now)) < 60)
        let end = try #require(authorization.expiresAt)
        #expect(abs(end.timeIntervalSince(now) - 7 * 86_400) < 60)
    }

    private func records(
        of references: [AcquirerReference],
        over transport: any HTTPTransport,
        kind: AttemptKind = .sale
    ) throws -> [AcquirerRecord] {
        let time = SimulatedTime()
        let account = Account(provider: "finix", merchant: "MU", environment: .sandbox)
        let office = FinixBackOffice(
            account: account,
            origin: "https://finix.example",
            username: Secret("u"),
            password: Secret("p"),
            transport: transport,
            environment: time.environment
        )
        let query = RecordQuery(
            account: account,
            references: references,
            created: time.wallTime...time.wallTime,
            kind: kind
        )
        return try time.run { () async -> Result<[AcquirerRecord], PaymentError> in
            do throws(PaymentError) {
                return .success(try await office.records(query).records)
            } catch {
                return .failure(error)
            }
        }.get()
    }
}
