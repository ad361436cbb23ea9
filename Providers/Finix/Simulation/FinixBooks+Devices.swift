import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization

/// Merchants and their Devices in the emulated Finix.
extension FinixBooks {
    func listDevices(_ request: HTTPRequest, _ reply: FinixReply) -> HTTPResponse {
        var rows = state.withLock { $0.devices }.sorted { $0.createdAt > $1.createdAt }
        if let merchant = request.value("merchant_id") {
            rows = rows.filter { $0.merchant == merchant }
        }
        if !modes.ignoresSerialNumber, let serial = request.value("serial_number") {
            rows = rows.filter { $0.serial == serial }
        }
        let showsBundle = modes.showsBundle
        return list(rows, request, reply, key: "devices", id: \.id) {
            $0.resource(showsBundle: showsBundle)
        }
    }

    func fetchDevice(_ id: String, _ reply: FinixReply) -> HTTPResponse {
        guard let row = state.withLock({ $0.devices.first { $0.id == id } }) else {
            return reply.error(404, "NOT_FOUND", "no device \(id)")
        }
        return .json(200, row.resource(showsBundle: modes.showsBundle), type: FinixReply.type)
    }

    func createDevice(
        of merchant: String,
        _ request: HTTPRequest,
        _ reply: FinixReply
    ) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        guard body["model"]?.text == "IOS_TAP_TO_PAY" else { return reply.invalid("model") }
        guard let name = body["name"]?.text, !name.isEmpty else { return reply.invalid("name") }
        let now = world.time.wallTime
        let row = state.withLock { state -> FinixDeviceRow? in
            guard state.merchants.contains(merchant) else { return nil }
            var row = FinixDeviceRow(
                id: state.nextID("DV"),
                merchant: merchant,
                name: name,
                createdAt: now
            )
            row.note = body["description"]?.text
            row.serial = body["serial_number"]?.text
            row.bundle = body["app_bundle_id"]?.text
            state.devices.append(row)
            return row
        }
        guard let row else { return reply.error(404, "NOT_FOUND", "no merchant \(merchant)") }
        return .json(201, row.resource(showsBundle: modes.showsBundle), type: FinixReply.type)
    }

    func changeDevice(
        _ id: String,
        _ request: HTTPRequest,
        _ reply: FinixReply
    ) -> HTTPResponse {
        guard let body = JSONTree.members(of: request.body) else {
            return reply.error(400, "BAD_REQUEST", "the body is no JSON object")
        }
        let action = body["action"]?.text
        guard body["action"] == nil || ["ACTIVATE", "DEACTIVATE"].contains(action) else {
            return reply.invalid("action")
        }
        let now = world.time.wallTime
        let isFound = state.withLock { state -> Bool in
            guard let index = state.devices.firstIndex(where: { $0.id == id }) else { return false }
            if let action { state.devices[index].isEnabled = action == "ACTIVATE" }
            if let name = body["name"]?.text { state.devices[index].name = name }
            if let note = body["description"]?.text { state.devices[index].note = note }
            state.devices[index].updatedAt = now
            return true
        }
        return isFound ? fetchDevice(id, reply) : reply.error(404, "NOT_FOUND", "no device \(id)")
    }

    /// Why a Device cannot be used for taps, if it cannot.
    func refusal(of device: String?, _ reply: FinixReply) -> HTTPResponse? {
        let row = state.withLock { $0.devices.first { $0.id == device } }
        guard let row else { return reply.error(404, "NOT_FOUND", "no such device") }
        guard !row.isEnabled else { return nil }
        return reply.error(422, "UNPROCESSABLE_ENTITY", "the device was not activated")
    }

    func fetchMerchant(_ id: String, _ reply: FinixReply) -> HTTPResponse {
        guard state.withLock({ $0.merchants.contains(id) }) else {
            return reply.error(404, "NOT_FOUND", "no merchant \(id)")
        }
        let tree: JSONTree = .object([
            "id": .text(id), "identity": .text("ID\(id.dropFirst(2))"),
            "merchant_name": .text("Simulated \(id)"), "mid": .text(Self.number(of: id)),
            "processor": .text("DUMMY_V1"), "onboarding_state": .text("APPROVED"),
            "processing_enabled": .flag(true),
            "processor_details": .object(["mid": .text(Self.number(of: id))]),
            "_links": .object([:]),
        ])
        return .json(200, tree, type: FinixReply.type)
    }

    /// The processor's number of a merchant.
    static func number(of merchant: String) -> String { "MID-\(merchant)" }
}
