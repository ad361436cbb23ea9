import AcquirerSimulation
import PaymentCore

extension RevolutOrderRow {
    /// How an order of a back end is to be paid.
    struct Terms: Sendable, Codable {
        var isManual = false
        /// How long money is held.
        var heldFor: TimeInterval = 7 * 86_400
        /// When held money is let go.
        var releasesAt: Date?
        /// What was captured.
        var captured: Int64?
        /// What was given back.
        var refunded: Int64?
        var metadata: [String: String]?
        var location: String?

        /// What a list and an order show of it.
        var members: [String: JSONTree] {
            var members: [String: JSONTree] = [:]
            if let metadata { members["metadata"] = .object(metadata.mapValues { .text($0) }) }
            if let location { members["location_id"] = .text(location) }
            if let refunded { members["refunded_amount"] = .number(refunded) }
            return members
        }
    }

    var isManual: Bool { terms?.isManual ?? false }

    /// What a refund can give back.
    var taken: Int64 { terms?.captured ?? amount }

    /// The payment passed: money is held, and taken at once unless somebody has to say so.
    mutating func authorize(at now: Date) -> Bool {
        guard isManual, !payments.isEmpty else { return enter("authorised", "completed") }
        guard enter("authorised") else { return false }
        payments[payments.count - 1].state = "authorised"
        let period = terms?.heldFor ?? 0
        terms?.releasesAt = now + period
        return true
    }

    /// Nobody can pay any more, and nothing is held; false when that cannot be.
    mutating func cancel() -> Bool {
        guard enter("cancelled") else { return false }
        terms?.releasesAt = nil
        for index in payments.indices where payments[index].state == "authorised" {
            payments[index].state = "cancelled"
        }
        return true
    }
}

extension RevolutOrderRow.Terms {
    /// Reads the terms of a new order; the problem names the member that is not accepted.
    init(_ body: [String: JSONTree]) throws(RevolutProblem) {
        switch body["capture_mode"]?.text {
        case nil where body["capture_mode"] == nil, "automatic"?: break
        case "manual"?: isManual = true
        default: throw Self.refusal("capture_mode is automatic or manual")
        }
        var most: Int64 = 7 * 86_400
        switch body["authorisation_type"]?.text {
        case nil where body["authorisation_type"] == nil, "final"?: break
        case "pre_authorisation"? where isManual: most = 30 * 86_400
        default: throw Self.refusal("authorisation_type is final, or with manual pre_authorisation")
        }
        heldFor = TimeInterval(most)
        try apply(body, most)
        location = body["location_id"]?.text
    }

    /// The members that a new order may have.
    static let known: Set<String> = [
        "amount", "currency", "settlement_currency", "description", "capture_mode",
        "authorisation_type", "cancel_authorised_after", "expire_pending_after",
        "enforce_challenge", "location_id", "metadata", "merchant_order_data", "redirect_url",
        "statement_descriptor_suffix", "customer", "line_items", "shipping", "industry_data",
        "upcoming_payment_data",
    ]

    /// Whether the time for which money is held can still be changed to another one.
    func canHold(for seconds: TimeInterval, at now: Date) -> Bool {
        guard let releasesAt else { return true }
        return releasesAt.timeIntervalSince(now) > 1_800 && releasesAt - heldFor + seconds > now
    }

    /// Takes over what can be changed later, too.
    mutating func apply(
        _ body: [String: JSONTree],
        _ most: Int64 = 30 * 86_400
    ) throws(RevolutProblem) {
        try Self.check(body)
        try Self.checkTexts(body)
        if let period = body["cancel_authorised_after"] {
            guard let seconds = ISODuration.seconds(period.text), 0...most ~= seconds else {
                throw Self.refusal("cancel_authorised_after is too long, or no duration")
            }
            heldFor = TimeInterval(seconds)
        }
        guard let pairs = body["metadata"] else { return }
        let members = pairs.members ?? [:]
        guard pairs.members != nil, members.count <= 50,
            members.allSatisfy({ Self.isName($0.key) && $0.value.text?.count ?? 501 <= 500 })
        else { throw Self.refusal("metadata is at most 50 names with texts of at most 500") }
        metadata = members.compactMapValues(\.text)
    }

    private static func checkTexts(_ body: [String: JSONTree]) throws(RevolutProblem) {
        if let suffix = body["statement_descriptor_suffix"] {
            guard let text = suffix.text, 1...19 ~= text.count,
                !text.contains(where: { "*\n\r\\".contains($0) })
            else { throw refusal("statement_descriptor_suffix has from 1 to 19 characters") }
        }
        for (name, address) in [
            ("redirect_url", body["redirect_url"]),
            ("merchant_order_data.url", body["merchant_order_data"]?.members?["url"]),
        ] {
            guard let address else { continue }
            guard let text = address.text, WebAddress.isAccepted(text) else {
                throw refusal("\(name) is no address that is accepted")
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-zA-Z][a-zA-Z0-9_]{0,39}/) != nil
    }
}
