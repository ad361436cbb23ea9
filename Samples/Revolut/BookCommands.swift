import CommandLineSupport
import PaymentCore
import PaymentTransport
import RevolutPayments
import ShopSupport

/// `revolut orders` and `revolut status`.
enum BookCommands {
    static let all = [orders, status]

    private static let orders = Revolut.command(
        "orders",
        "list the orders that Revolut's books hold, refunds included"
    ) { visit in
        do throws(WireError) {
            let listing = try await visit.desk.books.orders()
            let report = Report.orders(
                listing.orders.map { BookedOrder($0) },
                isComplete: listing.isComplete,
                visit.subject
            )
            guard listing.isComplete else {
                return report.ending(as: .unresolved, "these are not all of them")
            }
            return report
        } catch {
            return .problem(.failed, ["Revolut's books could not be read (\(error.error.code))"])
        }
    }

    private static let status = Revolut.command(
        "status",
        "ask about what is open, and tell how things stand",
        arguments: ["[ORDER[/PART]]"],
        details: """
            About one order it tells every attempt. It ends with 20 while something is open; without
            an order with 12 when the merchant has to sign in again; else with 0.
            """,
        work: .resolving
    ) { visit in
        guard let order = visit.order else { return await shop(visit) }
        _ = await visit.pointOfSale.resolve(order)
        let attempts = await visit.pointOfSale.history(of: order)
        guard !attempts.isEmpty else {
            return .noAttempt(of: order, visit.subject)
        }
        let report = Report.attempts(attempts, visit.subject, inFull: true)
        return attempts.contains(where: \.isOpen)
            ? report.ending(as: .unresolved, "still open") : report
    }

    private static func shop(_ visit: RevolutVisit) async -> Report {
        for payment in await open(visit) { _ = await visit.pointOfSale.resolve(payment) }
        let open = await open(visit)
        let ids = Set(open.map(\.attempt))
        let left = await visit.pointOfSale.attempts.filter { ids.contains($0.id) }
        let lines =
            ["Account: \(visit.pointOfSale.account)", "Merchant: \(visit.desk.standing)"]
            + open.map { "Open: order \($0.order), \($0.amount.orNotKnown), \($0.reason.text)" }
        return .notes(
            open.isEmpty ? visit.desk.needsConsent ? .failed : .success : .unresolved,
            lines,
            visit.subject
        ) { object in
            object.standing = visit.desk.standingCode
            object.attempts = left.map { AttemptObject($0) }
        }
    }

    /// The open payments at Revolut; other acquirers' may stand in the same journal.
    private static func open(_ visit: RevolutVisit) async -> [UnresolvedPayment] {
        let account = visit.pointOfSale.account
        return await visit.pointOfSale.unresolved.filter { $0.account == account }
    }
}
