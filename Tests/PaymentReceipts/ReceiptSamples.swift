import PaymentCore
import PaymentReceipts
import Testing

/// Documents of every kind, with everything present or with nothing that may be absent.
enum ReceiptSamples {
    static let account = Account(
        provider: "finix",
        merchant: "MU-demo",
        environment: .simulated,
        location: "Main Street"
    )

    /// The names of the kinds, in the order of ``document(_:currency:)``.
    static let names = [
        "approved", "held", "declined", "cancelled", "refunded", "partly approved", "unresolved",
    ]

    static func money(_ minorUnits: Int64, _ currency: Currency = .eur) throws -> Money {
        try Money(minorUnits: minorUnits, currency: currency)
    }

    static func subject(
        _ kind: AttemptKind = .sale,
        asked: Money? = nil,
        tip: Money? = nil,
        surcharge: Money? = nil,
        environment: Account.Environment = .simulated,
        name: String? = "Corner Shop"
    ) throws -> ReceiptDocument.Subject {
        ReceiptDocument.Subject(
            account: Account(provider: "finix", merchant: "MU-demo", environment: environment),
            order: "table-4/2of3",
            kind: kind,
            asked: try asked ?? money(123_450),
            tip: tip,
            surcharge: surcharge,
            attempt: AttemptID("bcdfghjkmnpqrstvwxyzbcdf"),
            time: Date(timeIntervalSince1970: 1_784_567_890),
            merchantName: name
        )
    }

    /// A receipt with every field.
    static func receipt(
        _ kind: AttemptKind = .sale,
        approved: ApprovedAmount? = nil,
        name: String? = "Corner Shop",
        tip: Money? = nil,
        surcharge: Money? = nil,
        asked: Money? = nil
    ) throws -> Receipt {
        let asked = try asked ?? money(123_450)
        return Receipt(
            of: AttemptID("bcdfghjkmnpqrstvwxyzbcdf"),
            began: JournalEntry.Began(
                account: account,
                order: "table-4/2of3",
                kind: kind,
                amount: asked,
                tip: tip,
                surcharge: surcharge,
                merchantName: name
            ),
            approval: Approval(
                references: [AcquirerReference(kind: "transfer", value: "TRdemo4567")],
                amount: approved ?? .confirmed(asked),
                card: CardSummary(brand: "Visa", lastFour: "4242", funding: "Credit"),
                method: .tap,
                approvalCode: "K7P2QX",
                time: Date(timeIntervalSince1970: 1_784_567_890),
                url: URL(string: "https://example.com/r/1")
            ),
            now: Date(timeIntervalSince1970: 0)
        )
    }

    static let emv = emv(responseCode: "00")

    private static func emv(responseCode: String) -> EMVData {
        EMVData(
            applicationName: "VISA CREDIT",
            applicationIdentifier: "A0000000031010",
            verification: .device,
            responseCode: responseCode,
            cryptogram: "0123456789ABCDEF",
            verificationResults: "0000008000",
            statusInformation: "E800"
        )
    }

    /// One document of each kind that a shop sees.
    static func document(_ name: String, currency: Currency = .eur) throws -> ReceiptDocument {
        let asked = try money(123_450, currency)
        var document: ReceiptDocument
        switch name {
        case "approved":
            let tip = try money(10_000, currency)
            let receipt = try receipt(tip: tip, surcharge: money(450, currency), asked: asked)
            document = ReceiptDocument(receipt)
            document.emv = emv
        case "held":
            let hold = Authorization(
                receipt: try receipt(.authorization, asked: asked),
                expiresAt: Date(timeIntervalSince1970: 1_785_172_690)
            )
            document = ReceiptDocument(.authorized(hold), of: try subject(.authorization))
        case "declined":
            let decline = Decline(
                .security,
                detail: "stolen card",
                references: [AcquirerReference(kind: "transfer", value: "TRdemo4567")],
                card: CardSummary(brand: "Visa", lastFour: "4242")
            )
            document = ReceiptDocument(
                PaymentOutcome.declined(decline),
                of: try subject(asked: asked)
            )
            document.emv = emv(responseCode: "43")
        case "cancelled": document = ReceiptDocument(.cancelled, of: try subject(asked: asked))
        case "refunded": document = ReceiptDocument(try receipt(.refund, asked: asked))
        case "partly approved":
            let half = try money(61_725, currency)
            document = ReceiptDocument(
                .partlyApproved(
                    try receipt(approved: .confirmed(half), asked: asked),
                    remaining: half
                ),
                of: try subject(asked: asked)
            )
        default:
            document = ReceiptDocument(
                PaymentOutcome.unresolved(
                    UnresolvedPayment(
                        attempt: AttemptID("bcdfghjkmnpqrstvwxyzbcdf"),
                        account: account,
                        order: "table-4/2of3",
                        kind: .sale,
                        amount: asked,
                        startedAt: Date(timeIntervalSince1970: 0),
                        reason: .vendorBusy
                    )
                ),
                of: try subject(asked: asked)
            )
        }
        return document
    }

    static func language(_ tag: String) throws -> ReceiptLanguage {
        try #require(ReceiptLanguage(tag: tag))
    }

    static func fixture(_ path: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/" + path)
    }
}
