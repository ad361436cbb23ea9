import AcquirerSimulation
import PaymentCore
import PaymentTransport

/// One Device in the emulated Finix.
struct FinixDeviceRow: Sendable, Codable {
    let id: String
    let merchant: String
    var model = "IOS_TAP_TO_PAY"
    var name: String
    var note: String?
    var serial: String?
    var bundle: String?
    /// A Device that was just made is disabled.
    var isEnabled = false
    let createdAt: Date
    var updatedAt: Date

    init(id: String, merchant: String, name: String, createdAt: Date) {
        self.id = id
        self.merchant = merchant
        self.name = name
        self.createdAt = createdAt
        updatedAt = createdAt
    }

    /// The resource; whether Finix shows the app's bundle id is not known, so it is a mode.
    func resource(showsBundle: Bool) -> JSONTree {
        var members: [String: JSONTree] = [
            "id": .text(id), "merchant": .text(merchant), "model": .text(model),
            "name": .text(name), "description": .optional(note),
            "serial_number": .optional(serial), "enabled": .flag(isEnabled),
            "created_at": .text(WireDate.format(createdAt)),
            "updated_at": .text(WireDate.format(updatedAt)), "idle_message": .null,
            "tags": .object([:]),
            "configuration_details": .object([
                "allow_debit": .flag(false), "prompt_signature": .text("NEVER"),
                "signature_threshold_amount": .number(0),
            ]),
            "_links": .object([
                "self": .object(["href": .text("\(FinixEmulator.origin)/devices/\(id)")])
            ]),
        ]
        if showsBundle { members["app_bundle_id"] = .optional(bundle) }
        return .object(members)
    }
}
