import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import PaymentTransport
import Testing

@Suite struct FinixDeviceListTests {
    @Test func `F-164 a merchant's Devices are listed to the last page, and no one else's`() throws
    {
        let ids = (1...120).map { "DV\($0)" }
        let desk = FinixDeviceDesk(
            devices: Dictionary(uniqueKeysWithValues: ids.map { ($0, true) })
        )
        desk.emulator.add(merchant: "MU2")
        let other = try desk.request(merchant: "MU2")
        _ = try desk.run { () throws(PaymentError) in try await desk.source.provision(other) }.get()
        desk.emulator.disable(device: "DV7")
        let found = try desk.run { () throws(PaymentError) in
            try await desk.source.devices(of: "MU1")
        }.get()
        #expect(Set(found.map(\.id)) == Set(ids))
        #expect(found.filter { !$0.isEnabled }.map(\.id) == ["DV7"])
        let theirs = try desk.run { () throws(PaymentError) in
            try await desk.source.devices(of: "MU2")
        }.get()
        #expect(theirs.map(\.serialNumber) == ["reader-1"])
        #expect(theirs.map(\.name) == ["Till 1"])
    }

    @Test(arguments: [
        (#""merchant": "MU1", "serial_number": "reader-1""#, true),
        (#""merchant": "MU1", "serial_number": null"#, true),
        (#""merchant": "MU2", "serial_number": "reader-1""#, false),
        (#""merchant": "MU1", "serial_number": "reader-2""#, false),
    ])
    func `F-123 F-143 a kept Device of another merchant or phone does not work`(
        members: String,
        works: Bool
    ) throws {
        let desk = FinixDeviceDesk()
        let body = #"{ "id": "DV1", "enabled": true, \#(members) }"#
        let source = FinixDeviceDesk.source(over: FixedTransport(200, body), desk.time)
        let request = try desk.request()
        let isEnabled = try desk.run { () throws(PaymentError) in
            try await source.isEnabled("DV1", for: request)
        }.get()
        #expect(isEnabled == works)
    }

    // FC-114
    @Test func `F-132 F-165 a list that repeats itself ends with an error, and nothing is made`()
        throws
    {
        let desk = FinixDeviceDesk()
        let body = #"{ "_embedded": { "devices": [] }, "page": { "next_cursor": "c" } }"#
        desk.emulator.host.faults.add(.answer(HTTPResponse(status: 200, body: Data(body.utf8)))) {
            $0.path == "/devices"
        }
        let request = try desk.request()
        let result = try desk.run { () throws(PaymentError) in
            try await desk.source.provision(request)
        }
        #expect(result.code == .malformedAnswer)
        #expect(desk.transport.lines == ["GET /devices", "GET /devices"])
    }

    @Test func `F-164 a list that cannot be read to its end is an error, and no shorter list`()
        throws
    {
        let ids = (1...120).map { "DV\($0)" }
        let desk = FinixDeviceDesk(
            devices: Dictionary(uniqueKeysWithValues: ids.map { ($0, true) })
        )
        desk.emulator.host.faults.add(.unreachable) { request in
            request.query.contains { $0.name == "after_cursor" }
        }
        let result = try desk.run { () throws(PaymentError) in
            try await desk.source.devices(of: "MU1")
        }
        #expect(result.code == .networkUnavailable)
    }
}
