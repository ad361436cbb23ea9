import PaymentCore

extension RemoteWire {
    /// What to look for in the acquirer's books, under the question's account.
    struct Query: Codable, Sendable {
        let references: [AcquirerReference]
        let parents: [AcquirerReference]
        let marker: String?
        let createdFrom: Date
        let createdTo: Date
        let kind: AttemptKind
        /// When the phone takes the absence of a record for proof.
        let absence: Absence

        init(_ query: RecordQuery, _ capabilities: BackOfficeCapabilities) {
            references = query.references
            parents = query.parents
            marker = query.marker
            createdFrom = query.created.lowerBound
            createdTo = query.created.upperBound
            kind = query.kind
            absence = Absence(capabilities)
        }

        /// The query; nil when its span ends before it begins.
        func query(of account: Account) -> RecordQuery? {
            guard createdFrom <= createdTo else { return nil }
            return RecordQuery(
                account: account,
                references: references,
                parents: parents,
                marker: marker,
                created: createdFrom...createdTo,
                kind: kind
            )
        }
    }

    /// What was found.
    struct Listing: Codable, Sendable {
        let records: [Readable<Record>]
        let isComplete: Bool
        let account: Account
        let acquirerTime: Date?

        init(_ listing: RecordListing) {
            records = listing.records.map { Readable(value: Record($0)) }
            isComplete = listing.isComplete
            account = listing.account
            acquirerTime = listing.acquirerTime
        }

        /// The listing; one that holds a record that cannot be read is not complete.
        var listing: RecordListing {
            let records = records.map { $0.value?.record }
            return RecordListing(
                records: records.compactMap(\.self),
                isComplete: isComplete && !records.contains { $0 == nil },
                account: account,
                acquirerTime: acquirerTime
            )
        }
    }

    /// Something that a newer back end may write in a way that this version cannot read.
    struct Readable<Value: Codable & Sendable>: Codable, Sendable {
        let value: Value?

        init(value: Value?) { self.value = value }

        init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }

        func encode(to encoder: any Encoder) throws { try value?.encode(to: encoder) }
    }

    /// One record.
    struct Record: Codable, Sendable {
        let reference: AcquirerReference
        let otherReferences: [AcquirerReference]?
        let kind: String
        let amount: Money
        let amountRequested: Money?
        let state: State
        let createdAt: Date
        let device: String?
        let marker: String?
        let parent: AcquirerReference?
        let card: CardSummary?
        let method: String?
        let approvalCode: String?
        let expiresAt: Date?
        let supportIdentifiers: [String: String]?

        init(_ record: AcquirerRecord) {
            reference = record.reference
            otherReferences = record.otherReferences
            kind = record.kind.rawValue
            amount = record.amount
            amountRequested = record.amountRequested
            state = State(record.state)
            createdAt = record.createdAt
            device = record.device
            marker = record.marker
            parent = record.parent
            card = record.card
            method = record.method.rawValue
            approvalCode = record.approvalCode
            expiresAt = record.expiresAt
            supportIdentifiers = record.supportIdentifiers
        }

        /// The record; nil when it is of a kind that this version does not know.
        var record: AcquirerRecord? {
            guard let kind = AttemptKind(rawValue: kind) else { return nil }
            var record = AcquirerRecord(
                reference: reference,
                kind: kind,
                amount: amount,
                state: state.state,
                createdAt: createdAt
            )
            record.otherReferences = otherReferences ?? []
            record.amountRequested = amountRequested
            record.device = device
            record.marker = marker
            record.parent = parent
            record.card = card
            record.method = method.flatMap(PaymentMethod.init) ?? .unknown
            record.approvalCode = approvalCode
            record.expiresAt = expiresAt
            record.supportIdentifiers = supportIdentifiers ?? [:]
            return record
        }
    }

    /// Where a record stands; what this version does not know stays text.
    struct State: Codable, Sendable {
        let name: String
        var decline: Decline?
        var text: String?

        init(_ state: AcquirerRecord.State) {
            switch state {
            case .succeeded: name = "succeeded"
            case .declined(let decline):
                name = "declined"
                self.decline = decline
            case .cancelled: name = "cancelled"
            case .payable(let decline):
                name = "payable"
                self.decline = decline
            case .pending: name = "pending"
            case .unknown(let text):
                name = "unknown"
                self.text = text
            }
        }

        var state: AcquirerRecord.State {
            switch (name, decline) {
            case ("succeeded", _): .succeeded
            case ("declined", let decline?): .declined(decline)
            case ("cancelled", _): .cancelled
            case ("payable", let decline): .payable(lastDecline: decline)
            case ("pending", _): .pending
            case ("unknown", _): .unknown(text ?? "unknown")
            default: .unknown(name)
            }
        }
    }
}
