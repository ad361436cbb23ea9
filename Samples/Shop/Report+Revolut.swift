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

/// What a delivery of Revolut's tells.
public struct EventObject: Encodable, Sendable {
    /// Revolut's word for what happened.
    let name: String
    /// Whom it happened to: `order`, `payout`, `dispute` or `unknown`.
    let about: String
    /// Revolut's identifier of that.
    let id: String?
    /// The merchant's own identifier of the order.
    let reference: String?

    /// Describes an event.
    public init(_ event: RevolutWebhookEvent) {
        name = event.name.description
        reference = event.orderReference
        (about, id) =
            switch event.subject {
            case .order(let id): ("order", id)
            case .payout(let id): ("payout", id)
            case .dispute(let id): ("dispute", id)
            case .unknown: ("unknown", nil)
            }
    }
}

extension Report {
    /// The report of lines that were told.
    ///
    /// - Parameters:
    ///   - exitCode: How the program ends.
    ///   - lines: The lines for a person.
    ///   - subject: What they are about.
    ///   - fill: Fills in what they mean for a program.
    /// - Returns: The report.
    public static func notes(
        _ exitCode: ExitCode,
        _ lines: [String],
        _ subject: PaymentSubject? = nil,
        _ fill: (inout ReportObject) -> Void
    ) -> Report {
        var object = subject?.object ?? ReportObject()
        object.notes = lines
        fill(&object)
        return Report(exitCode, object, lines: lines)
    }

    /// The orders of Revolut's books.
    public static func orders(
        _ orders: [BookedOrder],
        isComplete: Bool,
        _ subject: PaymentSubject
    ) -> Report {
        var object = subject.object
        object.orders = orders
        object.isComplete = isComplete
        let lines = orders.isEmpty ? ["Revolut has no orders"] : orders.map(\.line)
        return Report(.success, object, lines: lines)
    }
}
