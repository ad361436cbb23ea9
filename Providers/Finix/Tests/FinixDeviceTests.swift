import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct FinixDeviceTests {
    private let desk = FinixDeviceDesk()

    @Test func `F-136 a new phone's Device is made disabled, then activated`() throws {
        let request = try desk.request()
        let device = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        #expect(desk.emulator.devices == [device: true])
        #expect(
            desk.transport.lines == [
                "GET /devices", "POST /merchants/MU1/devices", "PUT /devices/\(device)",
            ]
        )
    }

    @Test func `F-148 F-149 the Device is made as this model, with name, reader and app`() throws {
        let request = try desk.request()
        _ = try desk.run { () throws(PaymentError) in try await desk.source.provision(request) }
        let body = JSONTree.members(of: desk.transport.requests[1].body) ?? [:]
        #expect(body["model"]?.text == "IOS_TAP_TO_PAY")
        #expect(body["name"]?.text == "Till 1" && body["description"]?.text == "by the door")
        #expect(body["serial_number"]?.text == "reader-1")
        #expect(body["app_bundle_id"]?.text == "shop.example")
    }

    @Test func `F-138 F-150 activation sends the action alone, with version and accept header`()
        throws
    {
        let request = try desk.request()
        _ = try desk.run { () throws(PaymentError) in try await desk.source.provision(request) }
        let activation = try #require(desk.transport.requests.last)
        #expect(
            String(decoding: activation.body ?? Data(), as: UTF8.self) == #"{"action":"ACTIVATE"}"#
        )
        #expect(activation.headers["Finix-Version"] == "2022-02-01")
        #expect(activation.headers["Accept"] == "application/hal+json")
        #expect(desk.emulator.complaints.isEmpty)
    }

    @Test func `F-126 F-131 a kept Device asks Finix nothing, also after a restart`() throws {
        let request = try desk.request()
        let devices = try (0..<3).map { _ in
            try desk.run { () throws(PaymentError) in
                try await desk.provisioner().device(for: request)
            }.get()
        }
        #expect(Set(devices).count == 1)
        #expect(desk.transport.requests.count == 3)
    }

    @Test(arguments: [
        ("MU2", "reader-1", "shop.example"), ("MU1", "reader-2", "shop.example"),
        ("MU1", "reader-1", "other.example"),
    ])
    func `F-123 F-124 F-129 F-142 another merchant, phone or app has another Device`(
        merchant: String,
        reader: String,
        bundle: String
    ) throws {
        desk.emulator.add(merchant: "MU2")
        desk.emulator.modes.showsBundle = true
        let first = try desk.request()
        let second = try desk.request(merchant: merchant, reader: reader, bundle: bundle)
        let devices = try [first, second].map { request in
            try desk.run { () throws(PaymentError) in
                try await desk.provisioner().device(for: request)
            }.get()
        }
        #expect(Set(devices).count == 2)
        #expect(first.key != second.key)
    }

    @Test func `F-130 a key's parts cannot run into each other`() throws {
        let keys = [("a|b", "c"), ("a", "b|c"), ("a%7Cb", "c")].map { reader, bundle in
            try? desk.request(reader: reader, bundle: bundle).key
        }
        #expect(Set(keys).count == 3)
        let live = try FinixDeviceRequest(
            environment: .production,
            merchant: "MU1",
            reader: "reader-1",
            bundle: "shop.example",
            name: "Till 1"
        )
        #expect(live.key != (try desk.request().key))
    }

    @Test(arguments: [false, true])
    func `F-133 F-232 another phone's Device is never taken, whatever the list holds`(
        ignores: Bool
    ) throws {
        desk.emulator.modes.ignoresSerialNumber = ignores
        let (mine, other) = (try desk.request(), try desk.request(reader: "reader-2"))
        let devices = try [other, mine].map { request in
            try desk.run { () throws(PaymentError) in
                try await desk.source.provision(request)
            }.get()
        }
        #expect(Set(devices).count == 2)
    }

    @Test func `F-134 an enabled Device is reused and nothing else is called`() throws {
        let request = try desk.request()
        let devices = try (0..<2).map { _ in
            try desk.run { () throws(PaymentError) in
                try await desk.source.provision(request)
            }.get()
        }
        #expect(devices[0] == devices[1])
        #expect(desk.transport.lines.suffix(1) == ["GET /devices"])
        #expect(desk.transport.requests.count == 4)
    }

    @Test func `F-135 a disabled Device is activated and not doubled`() throws {
        let request = try desk.request()
        let first = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }.get()
        desk.emulator.disable(device: first)
        let second = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }.get()
        #expect(first == second)
        #expect(desk.emulator.devices == [first: true])
    }

    @Test(arguments: [(422, 2, true), (404, 2, true), (401, 1, false), (429, 1, false)])
    func `F-135 only where activation is refused another is made`(
        status: Int,
        devices: Int,
        works: Bool
    ) throws {
        let request = try desk.request()
        let first = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }.get()
        desk.emulator.disable(device: first)
        desk.emulator.host.faults.add(.answer(HTTPResponse(status: status))) {
            $0.path == "/devices/\(first)" && $0.method == .put
        }
        let second = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }
        #expect((try? second.get()).map { $0 != first } ?? false == works)
        #expect(desk.emulator.devices.count == devices)
    }

    @Test func `F-139 an activation that enabled nothing is no Device and is not kept`() throws {
        let request = try desk.request()
        let made = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }.get()
        desk.emulator.disable(device: made)
        let answer = #"{ "id": "\#(made)", "enabled": false }"#
        desk.emulator.host.faults.add(
            .answer(HTTPResponse(status: 200, body: Data(answer.utf8)))
        ) { $0.method == .put }
        let result = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }
        #expect(result.code == .deviceDisabled)
        #expect(desk.store.value(for: request.key) == nil)
    }

    @Test func `F-145 after a crash between making and activating, it is only activated`() throws {
        let request = try desk.request()
        desk.emulator.host.faults.add(.unreachable, times: 2) { $0.path.hasPrefix("/devices/") }
        let first = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }
        #expect(first.code == .networkUnavailable)
        #expect(desk.emulator.devices.values.map { $0 } == [false])
        desk.emulator.host.faults.clear()
        let second = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        #expect(desk.emulator.devices == [second: true])
    }

    @Test(arguments: ["POST", "PUT"])
    func `F-144 a lost answer doubles no Device`(method: String) throws {
        let request = try desk.request()
        desk.emulator.host.faults.add(.loseAnswer, times: 1) { $0.method.rawValue == method }
        let device = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        #expect(desk.emulator.devices == [device: true])
    }

    @Test func `F-144 concurrent requests are one`() throws {
        let request = try desk.request()
        let devices = try desk.time.run { () async -> [String?] in
            let provisioner = desk.provisioner()
            return await withTaskGroup(of: String?.self) { group in
                for _ in 0..<8 {
                    group.addTask { try? await provisioner.device(for: request) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(Set(devices).count == 1 && devices.first != .some(nil))
        #expect(desk.transport.requests.count == 3)
    }

    @Test func `F-144 whoever takes over from one who gave up doubles no Device`() throws {
        let request = try desk.request()
        let provisioner = desk.provisioner()
        let device = try desk.time.run { () async -> String? in
            await withTaskGroup(of: String?.self) { group in
                let time = desk.time
                group.addTask {
                    await withTaskGroup(of: String?.self) { leaders in
                        leaders.addTask { try? await provisioner.device(for: request) }
                        try? await time.clock.sleep(for: .milliseconds(100))
                        leaders.cancelAll()
                        return await leaders.next() ?? nil
                    }
                }
                group.addTask {
                    try? await time.clock.sleep(for: .milliseconds(10))
                    return try? await provisioner.device(for: request)
                }
                return await group.reduce(nil) { $0 ?? $1 }
            }
        }
        #expect(desk.emulator.devices == [device ?? "none": true])
    }

    @Test func `F-140 F-141 a Device that is switched off is provisioned anew, once`() throws {
        let request = try desk.request()
        let kept = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        desk.emulator.disable(device: kept)
        for (failures, expected) in [(1, PaymentError.Code?.none), (9, .deviceDisabled)] {
            let tries = Shared(0)
            let result = try desk.run { () throws(PaymentError) -> String in
                try await desk.provisioner().withDevice(for: request) {
                    device throws(PaymentError) in
                    tries.value += 1
                    guard tries.value > failures else { throw PaymentError(.deviceDisabled) }
                    return device
                }
            }
            #expect(result.code == expected)
            #expect(tries.value == 2)
        }
        #expect(desk.emulator.devices == [kept: true])
        #expect(desk.store.value(for: request.key) == nil)
    }

    @Test func `F-140 another error forgets nothing and repeats nothing`() throws {
        let request = try desk.request()
        let tries = Shared(0)
        let result = try desk.run { () throws(PaymentError) -> String in
            try await desk.provisioner().withDevice(for: request) { _ throws(PaymentError) in
                tries.value += 1
                throw PaymentError(.tokenUnavailable)
            }
        }
        #expect(result.code == .tokenUnavailable)
        #expect(tries.value == 1)
        #expect(desk.store.value(for: request.key) != nil)
    }

    @Test func `F-146 a kept Device that Finix does not know is replaced`() throws {
        let request = try desk.request()
        let kept = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        desk.emulator.remove(device: kept)
        let other = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().confirmedDevice(for: request)
        }.get()
        #expect(other != kept)
        #expect(desk.emulator.devices == [other: true])
    }

    @Test func `F-146 a kept Device stays where nobody could find out`() throws {
        let request = try desk.request()
        let kept = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().device(for: request)
        }.get()
        desk.emulator.cutBackOffice()
        let result = try desk.run { () throws(PaymentError) in
            try await desk.provisioner().confirmedDevice(for: request)
        }
        #expect(result.code == .networkUnavailable)
        #expect(desk.store.value(for: request.key) == kept)
    }

    @Test func `F-147 what is asked for is percent-encoded`() throws {
        let reader = "a b&c=d+e/f?g#h%20\u{E9}"
        let request = try desk.request(reader: reader)
        _ = try desk.run { () throws(PaymentError) in try await desk.source.provision(request) }
        let list = try #require(desk.transport.requests.first)
        #expect(list.value("serial_number") == reader)
        let url = try #require(list.url).absoluteString
        #expect(url.hasSuffix("serial_number=a%20b%26c%3Dd%2Be/f?g%23h%2520%C3%A9&limit=100"))
    }

    @Test(arguments: [
        ("", "r", "b", "n", PaymentError.Code.notConfigured), ("MU", " ", "b", "n", .notConfigured),
        ("MU", "r", "", "n", .notConfigured), ("MU", "r", "b", "\t", .notConfigured),
        ("MU/..", "r", "b", "n", .requestRejected), ("..", "r", "b", "n", .requestRejected),
        ("MU", "r\n", "b", "n", .requestRejected),
        ("MU", String(repeating: "r", count: 256), "b", "n", .requestRejected),
    ])
    func `F-011 what a Device needs is checked before anything is sent`(
        merchant: String,
        reader: String,
        bundle: String,
        name: String,
        code: PaymentError.Code
    ) {
        let error = #expect(throws: PaymentError.self) {
            try FinixDeviceRequest(
                environment: .sandbox,
                merchant: merchant,
                reader: reader,
                bundle: bundle,
                name: name
            )
        }
        #expect(error?.code == code)
        #expect(error?.detail?.isEmpty == false)
    }

    @Test func `F-008 a request for another environment than the key's is refused unsent`() throws {
        let live = try FinixDeviceRequest(
            environment: .production,
            merchant: "MU1",
            reader: "reader-1",
            bundle: "shop.example",
            name: "Till 1"
        )
        let result = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(live)
        }
        #expect(result.code == .requestRejected)
        #expect(desk.transport.requests.isEmpty)
    }

    @Test func `F-131 a file keeps Devices, and a damaged one counts as empty`() throws {
        let path = NSTemporaryDirectory() + "finix-devices-\(UUID().uuidString).json"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let values = try desk.time.run { () async -> [String?] in
            await FileFinixDeviceStore(path: path).set("DV1", for: "k")
            let kept = await FileFinixDeviceStore(path: path).value(for: "k")
            try? Data("{ damaged".utf8).write(to: URL(filePath: path))
            let damaged = FileFinixDeviceStore(path: path)
            let lost = await damaged.value(for: "k")
            await damaged.set("DV2", for: "k")
            let again = await FileFinixDeviceStore(path: path).value(for: "k")
            let nowhere = FileFinixDeviceStore(path: "/nowhere/at/all.json")
            await nowhere.set("DV3", for: "k")
            return [kept, lost, again, await nowhere.value(for: "k")]
        }
        #expect(values == ["DV1", nil, "DV2", "DV3"])
    }
}

extension HTTPRequest {
    /// The first value of a query parameter.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
