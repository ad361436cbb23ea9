import AcquirerSimulation
import PaymentCore
public import PaymentTransport

/// An answer that the emulated Finix gives on demand, whatever was asked.
public struct FinixScriptedAnswer: Hashable, Sendable, CustomStringConvertible {
    /// The status.
    public let status: Int
    /// The code in the error body; nil where the body is none of Finix's.
    public let code: String?
    private let body: String

    /// An error as Finix writes it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - code: The code in the body; an open set.
    /// - Returns: The answer.
    public static func error(_ status: Int, _ code: String) -> FinixScriptedAnswer {
        FinixScriptedAnswer(status: status, code: code, body: "")
    }

    /// Any text, as a proxy or a page for people would send it.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - body: The text.
    /// - Returns: The answer.
    public static func unreadable(_ status: Int, _ body: String) -> FinixScriptedAnswer {
        FinixScriptedAnswer(status: status, code: nil, body: body)
    }

    /// One of each kind that is documented, and bodies that are not.
    public static let all: [FinixScriptedAnswer] = [
        .error(400, "BAD_REQUEST"), .error(401, "UNKNOWN"), .error(402, "DECLINED"),
        .error(402, "PAYMENT_DECLINED"), .error(402, "CALL_ISSUER"),
        .error(402, "UPSTREAM_PROCESSOR_ERROR"), .error(403, "FORBIDDEN"),
        .error(404, "NOT_FOUND"), .error(405, "METHOD_NOT_ALLOWED"),
        .error(406, "NOT_ACCEPTABLE"), .error(409, "CONFLICT"),
        .error(422, "UNPROCESSABLE_ENTITY"), .error(422, "INVALID_FIELD"),
        .error(429, "TOO_MANY_REQUESTS"), .error(500, "SERVER_ERROR"),
        .unreadable(200, ""), .unreadable(200, "<html>log in</html>"), .unreadable(200, "{"),
        .unreadable(302, ""), .unreadable(429, ""), .unreadable(502, "<html>bad gateway</html>"),
        .unreadable(503, ""),
    ]

    /// Status and code.
    public var description: String { "\(status) \(code ?? "\"\(body)\"")" }

    func response(_ requestID: String) -> HTTPResponse {
        var response: HTTPResponse
        if let code {
            let more: [String: JSONTree] =
                code == "INVALID_FIELD" ? ["field": .text("amount")] : [:]
            response = FinixReply(requestID: requestID).error(status, code, "on demand", more)
        } else {
            response = HTTPResponse(status: status, body: Data(body.utf8))
        }
        response.headers["x-request-id"] = requestID
        return response
    }
}

extension FinixEmulator {
    /// Answers requests so, in place of doing anything or after having done it.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - times: How often; always when nil.
    ///   - afterwards: Whether the request has its effect all the same.
    ///   - matches: For which requests.
    public func answer(
        _ answer: FinixScriptedAnswer,
        times: Int? = 1,
        afterwards: Bool = false,
        when matches: @escaping @Sendable (HTTPRequest) -> Bool
    ) {
        let response = answer.response(books.nextScriptedID())
        host.faults.add(
            afterwards ? .answerAfter(response) : .answer(response),
            times: times,
            when: matches
        )
    }

    /// Leaves the next refunds of earlier payments pending, and has them settled after a while.
    ///
    /// - Parameters:
    ///   - times: How many refunds.
    ///   - delay: After which time they settle.
    ///   - succeeds: Whether the money goes back then.
    public func leaveRefundPending(times: Int = 1, until delay: Duration, succeeds: Bool) {
        books.leaveRefundPending(times: times, until: delay, succeeds: succeeds)
    }

    /// Ends every void that was left pending.
    public func settleVoids(succeeds: Bool) { books.settleVoids(succeeds: succeeds) }
}
