import CommandLineSupport
public import PaymentCore

/// One device on the acquirer's records.
public struct DeviceObject: Encodable, Sendable {
    let id: String
    let name: String?
    let serialNumber: String?
    let isEnabled: Bool

    /// Creates an object.
    public init(id: String, name: String?, serialNumber: String?, isEnabled: Bool) {
        self.id = id
        self.name = name
        self.serialNumber = serialNumber
        self.isEnabled = isEnabled
    }

    /// The device as a row of a list.
    public var line: String {
        let words = [id, isEnabled ? "enabled" : "disabled", serialNumber ?? "-", name ?? ""]
        return words.joined(separator: "  ").onOneLine
    }
}

/// One payment or refund in the acquirer's books.
public struct RecordObject: Encodable, Sendable {
    let reference: String
    let kind: String
    let amount: Money
    let state: String
    let code: String?
    let createdAt: String
    let device: String?

    /// Reads a record.
    public init(_ record: AcquirerRecord) {
        reference = record.reference.description
        kind = record.kind.rawValue
        amount = record.amount
        state = record.state.name
        if case .declined(let decline) = record.state { code = decline.code } else { code = nil }
        createdAt = Timestamp.text(record.createdAt)
        device = record.device
    }

    /// The record as a row of a list.
    public var line: String {
        let end = code.map { "\(state) (\($0))" } ?? state
        let words = [createdAt, kind, amount.description, end, reference]
        return words.joined(separator: "  ").onOneLine
    }
}

extension AcquirerRecord.State {
    /// The state's name for programs.
    var name: String {
        switch self {
        case .succeeded: "succeeded"
        case .declined: "declined"
        case .cancelled: "cancelled"
        case .payable: "payable"
        case .pending: "pending"
        case .unknown: "unknown"
        }
    }
}
