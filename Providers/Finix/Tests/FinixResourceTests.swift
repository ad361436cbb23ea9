import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

/// What the emulated resources look like, and what may not be relied on.
@Suite struct FinixResourceTests {
    private let client = FinixRESTClient()

    /// One tapped payment, as the reader service answered it and as REST shows it.
    private func tapped(
        _ type: TransactionType = .sale,
        card: String = "visa-credit",
        device: String = "DVtill"
    ) throws -> (end: String, bench: FinixKitBench) {
        let bench = FinixKitBench(card: card)
        let kit = bench.kit(device: device)
        let end = try bench.run { () async -> String in
            _ = await KitCall.prepareReader.end(on: kit)
            do throws(TapToPayError) {
                let result = try await kit.startTransaction(
                    amount: 1_250,
                    currency: "USD",
                    type: type
                )
                return result.transferId ?? "none"
            } catch {
                return error.name
            }
        }
        return (end, bench)
    }

    private func resource(_ path: String, _ bench: FinixKitBench) throws -> [String: JSONTree] {
        var request = HTTPRequest(.get, FinixEmulator.origin, path)
        request.headers["Finix-Version"] = "2022-02-01"
        let key = "\(FinixEmulator.username):\(FinixEmulator.password)"
        request.headers["Authorization"] = "Basic " + Data(key.utf8).base64EncodedString()
        let response = try bench.run { [request] in try? await bench.emulator.host.send(request) }
        return JSONTree.members(of: response?.body) ?? [:]
    }

    @Test
    func `F-173 F-175 F-178 F-180 F-226 a tap is visible at once, with Device, tags and card`()
        throws
    {
        let (id, bench) = try tapped()
        let transfer = try resource("/transfers/\(id)", bench)
        #expect(transfer["device"]?.text == "DVtill" && transfer["state"]?.text == "SUCCEEDED")
        #expect(transfer["created_via"]?.text == "CARD_PRESENT_IOS_TAP_TO_PAY_SDK")
        #expect(transfer["tags"]?.members?["source"]?.text == "tap_to_pay")
        let card = transfer["card_present_details"]?.members
        #expect(card?["entry_mode"]?.text == "CONTACTLESS")
        #expect(card?["masked_account_number"]?.text == "************4242")
    }

    @Test func `F-190 F-191 a hold is an authorization that lapses, and no transfer`() throws {
        let (id, bench) = try tapped(.authorization)
        #expect(id.hasPrefix("AU"))
        let hold = try resource("/authorizations/\(id)", bench)
        #expect(hold["state"]?.text == "SUCCEEDED" && hold["void_state"]?.text == "UNATTEMPTED")
        #expect(hold["expires_at"]?.text?.isEmpty == false)
        #expect(bench.world.ledger.entries.map(\.kind) == [.hold])
    }

    @Test func `F-198 a refund to a tapped card names no earlier transfer`() throws {
        let (id, bench) = try tapped(.refund)
        let transfer = try resource("/transfers/\(id)", bench)
        #expect(transfer["type"]?.text == "REVERSAL")
        #expect(transfer["parent_transfer"]?.text == nil)
        #expect(bench.world.ledger.entries.map(\.kind) == [.refund])
    }

    @Test func `F-211 F-225 a declined tap is a flat answer of success with state FAILED`() throws {
        let bench = FinixKitBench(card: "declined-funds")
        let kit = bench.kit()
        let answers = Shared<[HTTPResponse]>([])
        _ = try bench.run { () async -> String in
            _ = await KitCall.prepareReader.end(on: kit)
            _ = await KitCall.startTransaction.end(on: kit)
            guard let request = bench.requests.last else { return "" }
            // The same tap again: the issuer opens a payload once, and the form is the same.
            if let answer = try? await bench.emulator.host.send(request) {
                answers.value.append(answer)
            }
            return ""
        }
        let answer = try #require(answers.value.first)
        let body = JSONTree.members(of: answer.body) ?? [:]
        #expect(answer.status == 201 && body["state"]?.text == "FAILED")
        #expect(body["failure_code"]?.text != nil && body["card_present_details"] == nil)
        #expect(bench.world.ledger.entries.isEmpty)
    }

    @Test func `F-021 F-137 nothing is processed on a Device that was never activated`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        let ends = try bench.run { () async -> [String] in
            let prepared = await KitCall.prepareReader.end(on: kit)
            bench.emulator.disable(device: "DVtill")
            return [prepared, await KitCall.startTransaction.end(on: kit)]
        }
        #expect(ends == ["ok", "transactionFailed"])
        #expect(bench.world.ledger.entries.isEmpty)
    }

    @Test func `F-182 F-184 a capture names its transfer, and the hold keeps its amount`() throws {
        let hold = try client.hold(1_000)
        let captured = try #require(try client.capture(hold, 400)).body
        let id = captured["transfer"]?.text ?? "none"
        #expect(captured["amount"]?.number == 1_000)
        let transfer = try client.send(.get, "/transfers/\(id)")
        #expect(transfer?.body["amount"]?.number == 400 && transfer?.state == "PENDING")
    }

    @Test func `F-194 F-199 a refund has no way back, and ids are no headers`() throws {
        let paid = try client.transfer()
        let refund = try #require(try client.refund(paid, 400)).id
        #expect(try client.send(.delete, "/transfers/\(refund)")?.status == 405)
        #expect(try client.void(refund)?.status == 404)
        // Without an id in the body a repeat is another refund.
        #expect(try client.refund(paid, 400)?.id != refund)
    }

    @Test(arguments: [(51, 1, 1), (50, 41, 1), (50, 40, 501)])
    func `F-160 tags have their limits`(count: Int, key: Int, value: Int) throws {
        let id = try client.transfer()
        var tags: [String: JSONTree] = [:]
        for number in 0..<count {
            let text = "k\(number)"
            tags[text + String(repeating: "x", count: max(key - text.count, 0))] =
                .text(String(repeating: "v", count: value))
        }
        let answer = try client.send(.put, "/transfers/\(id)", ["tags": .object(tags)])
        #expect(answer?.status == 422)
    }

    @Test func `F-231 F-137 Devices are made disabled and enabled by activation alone`() throws {
        let body: [String: JSONTree] = [
            "model": .text("IOS_TAP_TO_PAY"), "name": .text("Till"), "enabled": .flag(true),
            "serial_number": .text("r"),
        ]
        let made = try #require(try client.send(.post, "/merchants/MU1/devices", body))
        #expect(made.body["enabled"]?.flag == false)
        let list = try client.send(.get, "/devices", query: [("serial_number", "r")])
        #expect(list?.rows("devices").count == 1)
        let path = "/devices/\(made.id)"
        let actions = ["REBOOT", "ACTIVATE", "DEACTIVATE"]
        let answers = try actions.compactMap { action in
            try client.send(.put, path, ["action": .text(action)])
        }
        #expect(answers.map(\.status) == [422, 200, 200])
        #expect(answers.dropFirst().map { $0.body["enabled"]?.flag } == [true, false])
        let renamed = try client.send(.put, path, ["name": .text("Door"), "enabled": .flag(true)])
        #expect(renamed?.body["enabled"]?.flag == false)
        for field in ["model", "name"] {
            var less = body
            less[field] = nil
            let answer = try client.send(.post, "/merchants/MU1/devices", less)
            #expect(answer?.error["field"]?.text == field)
        }
    }

    @Test func `F-132 F-171 every page of Devices is read, by cursor and not by link`() throws {
        let desk = FinixDeviceDesk()
        desk.emulator.modes.ignoresSerialNumber = true
        let mine = try desk.request(reader: "mine")
        let devices = try desk.run { () throws(PaymentError) -> [String] in
            var devices = [try await desk.source.provision(mine)]
            for number in 0..<205 {
                let other = try desk.other(number)
                _ = try await desk.source.provision(other)
            }
            devices.append(try await desk.source.provision(mine))
            return devices
        }.get()
        #expect(devices[0] == devices[1])
        #expect(desk.emulator.devices.count == 206)
    }

    @Test func `F-127 F-291 a Device that is configured is used as it is`() throws {
        let shop = FinixShop()
        let asked = Shared<[String]>([])
        shop.emulator.host.faults.add(.loseRequest) { request in
            asked.value.append(request.path)
            return false
        }
        #expect(try shop.sale().name == "approved")
        #expect(!asked.value.contains { $0.hasSuffix("devices") || $0.hasPrefix("/devices") })
    }

    @Test(arguments: [
        (1, true), (255, true), (256, false),
    ])
    func `F-158 an identifier is opaque text of up to 255 characters`(
        length: Int,
        isRead: Bool
    ) throws {
        let desk = FinixDeviceDesk()
        let id = String(repeating: "~", count: length)
        let body = """
            { "_embedded": { "devices": [ { "id": "\(id)", "enabled": true, "merchant": "MU1",
              "model": "IOS_TAP_TO_PAY", "serial_number": "reader-1" } ] }, "page": {} }
            """
        let transport = FixedTransport(200, body)
        let source = FinixDeviceDesk.source(over: transport, desk.time)
        let request = try desk.request()
        let result = try desk.run { () throws(PaymentError) in try await source.provision(request) }
        #expect(((try? result.get()) == id) == isRead)
    }

    @Test func `F-010 a merchant without a name is a configuration error`() throws {
        let bench = FinixKitBench()
        let kit = FinixPhone.$current.withValue(bench.phone) {
            FinixTapToPay(
                configuration: TapToPayConfiguration(
                    credentials: APICredentials(username: "u", password: "p"),
                    merchant: MerchantInfo(merchantId: "MUdemo", merchantName: " "),
                    environment: .sandbox,
                    deviceId: "DVtill"
                )
            )
        }
        #expect(try bench.run { await KitCall.prepareReader.end(on: kit) } == "notConfigured")
    }

    @Test func `F-005 F-298 the kit and its values cross tasks, and compare`() {
        func crosses<Value: Sendable & Equatable>(_ type: Value.Type) -> Bool { true }
        func isSendable<Value: Sendable>(_ type: Value.Type) -> Bool { true }
        #expect(crosses(TapToPayTransactionResult.self) && crosses(TapToPayTransactionEvent.self))
        #expect(crosses(TapToPayError.self) && crosses(TransactionType.self))
        #expect(isSendable(FinixTapToPay.self) && isSendable(TapToPayConfiguration.self))
    }
}

extension FinixDeviceDesk {
    /// The request of one of many other phones.
    func other(_ number: Int) throws(PaymentError) -> FinixDeviceRequest {
        try FinixDeviceRequest(
            environment: .sandbox,
            merchant: "MU1",
            reader: "other-\(number)",
            bundle: "shop.example",
            name: "Till \(number)"
        )
    }
}
