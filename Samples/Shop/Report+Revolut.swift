public import CommandLineSupport
public import RevolutPayments

/// An order as Revolut's books have it.
public struct BookedOrder: Encodable, Sendable {
    let id: String
    let type: String
    let state: String
    let amount: String
    let createdAt: String
    let description: String?
    let related: String?

    /// Describes an order.
    public init(_ order: RevolutOrder) {
        id = order.id
        type = order.type.description
        state = order.state.description
        amount = "\(order.amount)"
        createdAt = Timestamp.text(order.createdAt)
        description = order.description
        related = order.related
    }

    var line: String {
        ([createdAt, type, state, amount, id] + [description, related].compactMap(\.self))
            .joined(separator: "  ")
    }
}

extension Report {
    /// The report of lines that were told.
    public static func notes(
        _ exitCode: ExitCode,
        _ lines: [String],
        _ subject: PaymentSubject? = nil
    ) -> Report {
        var object = subject?.object ?? ReportObject()
        object.notes = lines
        return Report(exitCode, object, lines: lines)
    }

    /// The orders of Revolut's books.
    public static func orders(_ orders: [BookedOrder], _ subject: PaymentSubject) -> Report {
        var object = subject.object
        object.orders = orders
        let lines = orders.isEmpty ? ["Revolut has no orders"] : orders.map(\.line)
        return Report(.success, object, lines: lines)
    }
}
