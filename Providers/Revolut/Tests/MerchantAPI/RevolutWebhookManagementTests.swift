import AcquirerSimulation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Simulation
import Testing

@Suite struct RevolutWebhookManagementTests {
    private static func register(
        _ office: RevolutOffice,
        _ url: String = "https://shop.example/hook",
        events: [RevolutWebhookEvent.Name] = [.orderCompleted]
    ) throws -> WireError? {
        try office.refusal { () async throws(WireError) in
            try await office.merchant.registerWebhook(url, events: events)
        }
    }

    @Test func `R-300 ten addresses are taken, and the eleventh is refused`() throws {
        let office = RevolutOffice()
        for number in 0..<10 {
            #expect(try Self.register(office, "https://shop.example/\(number)") == nil)
        }
        #expect(try Self.register(office)?.status == 422)
        #expect(try office.run { try await office.merchant.webhooks() }.count == 10)
    }

    @Test(arguments: [
        ("https://shop.example/a", true), ("http://shop.example", true),
        ("ftp://shop.example", false),
        ("https://localhost/a", false), ("https://127.0.0.1/", false), ("https://[::1]/", false),
        ("shop.example", false), ("", false),
        ("https://shop.example/" + String(repeating: "a", count: 1_979), true),
        ("https://shop.example/" + String(repeating: "a", count: 1_980), false),
    ])
    func `R-301 an address is http or https, not too long, and no machine's own`(
        url: String,
        isAccepted: Bool
    ) throws {
        #expect(try Self.register(RevolutOffice(), url)?.status == (isAccepted ? nil : 400))
    }

    @Test func `R-302 by our rule the emulator takes a machine's own address where it may`() throws
    {
        let office = RevolutOffice()
        office.emulator.webhooks.allowsLoopback = true
        #expect(try Self.register(office, "http://127.0.0.1:8080/hook") == nil)
        #expect(try Self.register(office, "http://10.0.0.1/hook")?.status == 400)
    }

    @Test func `events are known ones, at least one`() throws {
        let office = RevolutOffice()
        #expect(try Self.register(office, events: [])?.status == 400)
        #expect(try Self.register(office, events: [.init(description: "X")])?.status == 400)
    }

    @Test func `R-220 a version without webhooks is refused before anything is sent`() throws {
        let office = RevolutOffice()
        let error = try office.refusal { () async throws(WireError) in
            try await office.merchant(version: "2024-05-01").webhooks()
        }
        #expect(error?.error.code == .notConfigured && error?.mayHaveActed == false)
        #expect(!office.world.time.trace.text.contains("webhooks"))
    }

    @Test func `R-220 Revolut answers such a version with 404`() throws {
        let office = RevolutOffice()
        var request = HTTPRequest(.get, RevolutEmulator.origin, "/api/webhooks")
        request.headers["Authorization"] = "Bearer " + RevolutEmulator.apiKey
        request.headers["Revolut-Api-Version"] = "2024-05-01"
        let sent = request
        #expect(try office.run { try await office.emulator.host.send(sent) }.status == 404)
    }

    @Test func `R-308 an old secret is kept for at most seven days`() throws {
        let office = RevolutOffice()
        #expect(try Self.register(office) == nil)
        let id = try office.run { try await office.merchant.webhooks()[0].id }
        for (seconds, status) in [(604_800, nil), (604_801, 400)] as [(Int, Int?)] {
            let error = try office.refusal { () async throws(WireError) in
                try await office.merchant.rotateSigningSecret(
                    of: id,
                    keepingOldFor: .seconds(seconds)
                )
            }
            #expect(error?.status == status)
        }
    }

    @Test func `a webhook is read, changed and removed`() throws {
        let office = RevolutOffice()
        #expect(try Self.register(office) == nil)
        let id = try office.run { try await office.merchant.webhooks()[0].id }
        let changed = try office.run {
            try await office.merchant.updateWebhook(id, events: [.orderFailed])
        }
        #expect(changed.events == [.orderFailed] && changed.url == "https://shop.example/hook")
        #expect(try office.run { try await office.merchant.webhook(id) } == changed)
        try office.run { try await office.merchant.deleteWebhook(id) }
        let gone = try office.refusal { () async throws(WireError) in
            try await office.merchant.webhook(id)
        }
        #expect(gone?.status == 404)
    }
}
