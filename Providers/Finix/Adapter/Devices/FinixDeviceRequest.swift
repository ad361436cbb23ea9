public import PaymentCore

/// Which phone, app and merchant a Device of Finix's is wanted for.
///
/// Each combination has a Device of its own: merchants share none, and neither do apps or phones.
public struct FinixDeviceRequest: Hashable, Sendable {
    /// Which of Finix's worlds the Device is in.
    public let environment: Account.Environment
    /// Finix's merchant, `MU…`.
    public let merchant: String
    /// The identifier of this phone's reader, read anew at each launch.
    public let reader: String
    /// The bundle id of the app that takes the payments.
    public let bundle: String
    /// What Finix's dashboard calls the Device.
    public let name: String
    /// More about it for the dashboard.
    public let note: String?

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - environment: Which of Finix's worlds the Device is in.
    ///   - merchant: Finix's merchant, `MU…`.
    ///   - reader: The identifier of this phone's reader; opaque.
    ///   - bundle: The bundle id of the app that takes the payments.
    ///   - name: What the dashboard calls the Device.
    ///   - note: More about it for the dashboard.
    /// - Throws: ``PaymentError`` with `notConfigured` that names what is empty, or with
    ///   `requestRejected` that names what cannot be part of a request.
    public init(
        environment: Account.Environment,
        merchant: String,
        reader: String,
        bundle: String,
        name: String,
        note: String? = nil
    ) throws(PaymentError) {
        let needed = [
            ("merchant", merchant), ("reader", reader), ("bundle", bundle), ("name", name),
        ]
        for (field, text) in needed + [("note", note ?? "-")] {
            try Self.check(field, text, isNeeded: field != "note")
        }
        guard FinixWire.isIdentifier(merchant) else {
            throw PaymentError(
                .requestRejected,
                detail: "merchant: found blanks or slashes; accepted is an identifier of Finix's"
            )
        }
        self.environment = environment
        self.merchant = merchant
        self.reader = reader
        self.bundle = bundle
        self.name = name
        self.note = note
    }

    private static func check(
        _ field: String,
        _ text: String,
        isNeeded: Bool
    ) throws(PaymentError) {
        guard !isNeeded || text.contains(where: { !$0.isWhitespace }) else {
            throw PaymentError(.notConfigured, detail: "\(field): is empty; a Device needs it")
        }
        let hasControl = text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard text.utf8.count <= longest, !hasControl else {
            throw PaymentError(
                .requestRejected,
                detail: "\(field): accepted are up to \(longest) bytes without control characters"
            )
        }
    }

    private static let longest = 255

    /// What a kept Device is found by: environment, merchant, reader and bundle, unmistakably.
    public var key: String {
        [environment.rawValue, merchant, reader, bundle]
            .map { $0.replacing("%", with: "%25").replacing("|", with: "%7C") }
            .joined(separator: "|")
    }
}
