import PaymentCore
import Simulation

/// Makes values of every shape that a back office can be asked with or answer.
struct Anything {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed, stream: "anything") }

    mutating func flag() -> Bool { Bool.random(using: &generator) }

    mutating func one<Value>(of values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &generator)]
    }

    mutating func maybe<Value>(_ make: (inout Anything) throws -> Value) rethrows -> Value? {
        flag() ? try make(&self) : nil
    }

    mutating func some<Value>(_ make: (inout Anything) throws -> Value) rethrows -> [Value] {
        let count = Int.random(in: 0...3, using: &generator)
        return try (0..<count).map { _ in try make(&self) }
    }

    mutating func text() -> String {
        one(of: [
            "", "a", "Ünïcödé", "\"quoted\" \\ / </script>", "line\nbreak\ttab", "🧾💳", "null",
            "\u{0}\u{1F}", " blank ", "tr_\(one(of: ["x", "y", "z"]))", "pending", "succeeded",
        ])
    }

    mutating func date() -> Date {
        Date(
            timeIntervalSince1970: Double.random(
                in: 1_500_000_000..<5_000_000_000,
                using: &generator
            )
        )
    }

    mutating func money() throws -> Money {
        let minorUnits = one(of: [0, 1, 1_250, Int64.max, Int64.max - 1])
        return try Money(minorUnits: minorUnits, currency: one(of: [.usd, .jpy, .kwd, .clf]))
    }

    mutating func reference() -> AcquirerReference {
        AcquirerReference(kind: text(), value: text())
    }

    mutating func texts() -> [String: String] {
        Dictionary(some { ($0.text(), $0.text()) }) { first, _ in first }
    }

    mutating func error() -> PaymentError {
        PaymentError(
            one(of: [.conflict, .networkUnavailable, .init(description: text())]),
            vendorCode: maybe { $0.text() },
            detail: maybe { $0.text() },
            supportIdentifiers: texts()
        )
    }

    mutating func card() -> CardSummary {
        CardSummary(
            brand: maybe { $0.text() },
            lastFour: one(of: [nil, "4242", "0000"]),
            funding: maybe { $0.text() }
        )
    }

    mutating func decline() -> Decline {
        Decline(
            one(of: Decline.Category.allKnown + [.init(description: text())]),
            code: maybe { $0.text() },
            detail: maybe { $0.text() },
            references: some { $0.reference() },
            card: maybe { $0.card() }
        )
    }

    mutating func state() -> AcquirerRecord.State {
        switch Int.random(in: 0...5, using: &generator) {
        case 0: .succeeded
        case 1: .declined(decline())
        case 2: .cancelled
        case 3: .payable(lastDecline: maybe { $0.decline() })
        case 4: .pending
        default: .unknown(text())
        }
    }

    mutating func record() throws -> AcquirerRecord {
        var record = AcquirerRecord(
            reference: reference(),
            kind: one(of: AttemptKind.allCases),
            amount: try money(),
            state: state(),
            createdAt: date()
        )
        record.otherReferences = some { $0.reference() }
        record.amountRequested = try maybe { try $0.money() }
        record.device = maybe { $0.text() }
        record.marker = maybe { $0.text() }
        record.parent = maybe { $0.reference() }
        record.card = maybe { $0.card() }
        record.method = one(of: PaymentMethod.allCases)
        record.approvalCode = maybe { $0.text() }
        record.expiresAt = maybe { $0.date() }
        record.supportIdentifiers = texts()
        return record
    }

    mutating func approval() throws -> Approval {
        let amount = try money()
        return Approval(
            references: some { $0.reference() },
            amount: one(of: [.confirmed(amount), .reported(amount), .unknown]),
            card: maybe { $0.card() },
            method: one(of: PaymentMethod.allCases),
            approvalCode: maybe { $0.text() },
            time: maybe { $0.date() },
            url: maybe { $0.url() },
            supportIdentifiers: texts()
        )
    }

    mutating func url() -> URL {
        let texts = ["https://pay.example/c/a%20b?x=1%2B1#f", "https://é.example/", "a:b"]
        return texts.compactMap { URL(string: $0) }.randomElement(using: &generator)
            ?? URL(filePath: "/")
    }

    mutating func listing() throws -> RecordListing {
        RecordListing(
            records: try some { try $0.record() },
            isComplete: flag(),
            account: RemotePair.account,
            acquirerTime: maybe { $0.date() }
        )
    }

    mutating func query() -> RecordQuery {
        let (one, other) = (date(), date())
        return RecordQuery(
            account: RemotePair.account,
            references: some { $0.reference() },
            parents: some { $0.reference() },
            marker: maybe { $0.text() },
            created: min(one, other)...max(one, other),
            kind: self.one(of: AttemptKind.allCases)
        )
    }

    mutating func order() throws -> Order {
        try Order(
            id: one(of: ["o1", "tab é", "日本"]),
            part: maybe { _ in Order.Part(2, of: 3) } ?? nil
        )
    }

    mutating func receipt() throws -> Receipt {
        Receipt(
            of: AttemptID(text()),
            began: JournalEntry.Began(
                account: RemotePair.account,
                order: try order(),
                kind: one(of: AttemptKind.allCases),
                amount: try money(),
                tip: try maybe { try $0.money() },
                surcharge: try maybe { try $0.money() },
                merchantName: maybe { $0.text() }
            ),
            approval: try approval(),
            now: date()
        )
    }

    mutating func attempt() throws -> PaymentAttempt {
        let operation: PaymentAttempt.Operation =
            switch Int.random(in: 0...3, using: &generator) {
            case 0: .take(try request())
            case 1: .capture(Authorization(receipt: try receipt(), expiresAt: maybe { $0.date() }))
            case 2: .void(Authorization(receipt: try receipt(), expiresAt: maybe { $0.date() }))
            default: .refund(try receipt())
            }
        return PaymentAttempt(
            id: AttemptID(text()),
            account: RemotePair.account,
            operation: operation,
            startedAt: date(),
            amount: try money()
        )
    }

    mutating func request() throws -> PaymentRequest {
        PaymentRequest(
            one(of: PaymentRequest.Kind.allCases),
            try money(),
            for: try order(),
            tip: try maybe { try $0.money() },
            surcharge: try maybe { try $0.money() },
            description: maybe { $0.text() },
            merchantName: maybe { $0.text() },
            customerReference: maybe { $0.text() },
            language: maybe { $0.text() }
        )
    }

    mutating func capabilities() -> BackOfficeCapabilities {
        var capabilities = BackOfficeCapabilities()
        capabilities.followUps = Set(some { $0.one(of: AttemptKind.allCases) })
        capabilities.canClose = flag()
        capabilities.canLink = flag()
        capabilities.appearsWithin = one(of: [.zero, .milliseconds(1), .seconds(300)])
        capabilities.absentListings = .init(
            count: one(of: [1, 3, 1_000]),
            spread: one(of: [.zero, .nanoseconds(7), .seconds(600)])
        )
        let protections: [RepeatProtection] = [
            .idempotencyKey(keptFor: .seconds(3_600)), .idempotencyKey(keptFor: .zero),
            .uniqueReference, .lookUpOnly,
        ]
        for kind in AttemptKind.allCases where flag() {
            capabilities.repeats[kind] = one(of: protections)
        }
        return capabilities
    }

    mutating func closeAnswer() throws -> CloseAnswer {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: .closed(try record())
        case 1: .alreadyFinal(try record())
        case 2: .notClosed(error())
        default: .unsupported
        }
    }

    mutating func backOfficeAnswer() throws -> BackOfficeAnswer {
        switch Int.random(in: 0...4, using: &generator) {
        case 0: .done(try approval())
        case 1: .pending(try approval())
        case 2: .declined(decline())
        case 3: .notDone(error())
        default: .unknown(error())
        }
    }

    mutating func linkAnswer() -> LinkAnswer {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: .link(url(), reference(), expiresAt: maybe { $0.date() })
        case 1: .notMade(error())
        case 2: .unknown(error())
        default: .unsupported
        }
    }
}
