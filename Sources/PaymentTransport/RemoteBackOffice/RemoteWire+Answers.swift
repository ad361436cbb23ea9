import PaymentCore

extension RemoteWire {
    /// The answer to closing, performing or linking: a word, and what belongs to it.
    ///
    /// A word that is not known here, or that comes without what belongs to it, is never taken for
    /// more than "not known".
    struct Answer: Codable, Sendable {
        let result: String
        var record: Record?
        var approval: Approved?
        var decline: Decline?
        var error: PaymentError?
        var url: String?
        var reference: AcquirerReference?
        var expiresAt: Date?

        private static let unreadable = PaymentError(
            .malformedAnswer,
            detail: "the back end's answer is not known to this version, or lacks a part"
        )
    }

    /// What an acquirer said when it approved something.
    struct Approved: Codable, Sendable {
        let references: [AcquirerReference]
        let amount: ApprovedAmount
        let card: CardSummary?
        let method: String?
        let approvalCode: String?
        let time: Date?
        let url: String?
        let supportIdentifiers: [String: String]?

        init(_ approval: Approval) {
            references = approval.references
            amount = approval.amount
            card = approval.card
            method = approval.method.rawValue
            approvalCode = approval.approvalCode
            time = approval.time
            url = approval.url?.absoluteString
            supportIdentifiers = approval.supportIdentifiers
        }

        var approval: Approval {
            Approval(
                references: references,
                amount: amount,
                card: card,
                method: method.flatMap(PaymentMethod.init) ?? .unknown,
                approvalCode: approvalCode,
                time: time,
                url: url.flatMap { URL(string: $0) },
                supportIdentifiers: supportIdentifiers ?? [:]
            )
        }
    }
}

extension RemoteWire.Answer {
    init(_ answer: CloseAnswer) {
        switch answer {
        case .closed(let record): self.init(result: "closed", record: .init(record))
        case .alreadyFinal(let record): self.init(result: "alreadyFinal", record: .init(record))
        case .notClosed(let error): self.init(result: "notClosed", error: error)
        case .unsupported: self.init(result: "unsupported")
        }
    }

    var closeAnswer: CloseAnswer {
        switch (result, record?.record, error) {
        case ("closed", let record?, _): .closed(record)
        case ("alreadyFinal", let record?, _): .alreadyFinal(record)
        case ("notClosed", _, let error?): .notClosed(error)
        case ("unsupported", _, _): .unsupported
        default: .notClosed(Self.unreadable)
        }
    }

    init(_ answer: BackOfficeAnswer) {
        switch answer {
        case .done(let approval): self.init(result: "done", approval: .init(approval))
        case .pending(let approval): self.init(result: "pending", approval: .init(approval))
        case .declined(let decline): self.init(result: "declined", decline: decline)
        case .notDone(let error): self.init(result: "notDone", error: error)
        case .unknown(let error): self.init(result: "unknown", error: error)
        }
    }

    var backOfficeAnswer: BackOfficeAnswer {
        switch (result, approval?.approval, decline, error) {
        case ("done", let approval?, _, _): .done(approval)
        case ("pending", let approval?, _, _): .pending(approval)
        case ("declined", _, let decline?, _): .declined(decline)
        case ("notDone", _, _, let error?): .notDone(error)
        case ("unknown", _, _, let error?): .unknown(error)
        default: .unknown(Self.unreadable)
        }
    }

    init(_ answer: LinkAnswer) {
        switch answer {
        case .link(let url, let reference, let expiresAt):
            self.init(
                result: "link",
                url: url.absoluteString,
                reference: reference,
                expiresAt: expiresAt
            )
        case .notMade(let error): self.init(result: "notMade", error: error)
        case .unknown(let error): self.init(result: "unknown", error: error)
        case .unsupported: self.init(result: "unsupported")
        }
    }

    var linkAnswer: LinkAnswer {
        switch (result, url.flatMap { URL(string: $0) }, reference, error) {
        case ("link", let url?, let reference?, _): .link(url, reference, expiresAt: expiresAt)
        case ("notMade", _, _, let error?): .notMade(error)
        case ("unknown", _, _, let error?): .unknown(error)
        case ("unsupported", _, _, _): .unsupported
        default: .unknown(Self.unreadable)
        }
    }
}
