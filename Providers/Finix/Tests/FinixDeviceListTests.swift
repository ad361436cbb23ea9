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
