import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Simulation
import Testing

@Suite struct FinixDeviceServiceTests {
    /// The app's session; its token is the name of a cashier.
    private struct Session: TokenProvider {
        let name: String
        func token() async throws -> AccessToken {
            if name == "signed-out" { throw TokenProviderError.appLoginExpired }
            return AccessToken(name)
        }
    }

    private let desk = FinixDeviceDesk()

    private var service: FinixDeviceService {
        FinixDeviceService(source: desk.provisioner()) { token in
            switch token.reveal() {
            case "anna": .merchants(["MU1"])
            case "expired": .loginExpired
            default: .nothing
            }
        }
    }

    private func phone(_ cashier: String) -> (FinixDeviceEndpoint, RecordingTransport) {
        let service = service
        let transport = RecordingTransport(FunctionTransport { await service.answer($0) })
        let endpoint = FinixDeviceEndpoint(
            transport: transport,
            origin: "https://shop.example",
            session: Session(name: cashier)
        )
        return (endpoint, transport)
    }

    @Test func `F-125 a phone without a key has its back end provision`() throws {
        let (endpoint, transport) = phone("anna")
        let request = try desk.request()
        let (device, isEnabled) = try desk.run { () throws(PaymentError) in
            let device = try await endpoint.provision(request)
            return (device, try await endpoint.isEnabled(device, for: request))
        }.get()
        #expect(desk.emulator.devices == [device: true])
        #expect(isEnabled)
        let texts = transport.requests.map { request in
            String(decoding: request.body ?? Data(), as: UTF8.self)
                + request.headers.list.map(\.value).joined()
        }
        #expect(texts.count == 2 && !texts.joined().contains(FinixEmulator.password))
    }

    @Test func `F-142 F-290 a changed reader identifier gets a Device of its own`() throws {
        let (endpoint, _) = phone("anna")
        let devices = try ["reader-1", "reader-2"].map { reader in
            let request = try desk.request(reader: reader)
            return try desk.run { () throws(PaymentError) in
                try await FinixDeviceProvisioner(source: endpoint, store: desk.store)
                    .device(for: request)
            }.get()
        }
        #expect(Set(devices).count == 2)
    }

    @Test(arguments: [
        ("anna", "MU2", PaymentError.Code.accessDenied), ("mallory", "MU1", .accessDenied),
        ("expired", "MU1", .appLoginExpired), ("signed-out", "MU1", .appLoginExpired),
        ("", "MU1", .appLoginExpired),
    ])
    func `N-052 who may not, or not any more, is told so and nothing reaches Finix`(
        cashier: String,
        merchant: String,
        code: PaymentError.Code
    ) throws {
        let (endpoint, _) = phone(cashier)
        let request = try desk.request(merchant: merchant)
        let result = try desk.run { () throws(PaymentError) in
            try await endpoint.provision(request)
        }
        #expect(result.code == code)
        #expect(desk.transport.requests.isEmpty)
    }

    @Test(arguments: [
        (401, PaymentError.Code.invalidCredentials), (403, .accessDenied), (422, .requestRejected),
        (500, .acquirerUnavailable), (200, .malformedAnswer), (302, .malformedAnswer),
    ])
    func `N-052 what Finix says to the back end's key is no word about the app's login`(
        status: Int,
        code: PaymentError.Code
    ) throws {
        desk.emulator.host.faults.add(.answer(HTTPResponse(status: status))) { _ in true }
        let (endpoint, _) = phone("anna")
        let request = try desk.request()
        let result = try desk.run { () throws(PaymentError) in
            try await endpoint.provision(request)
        }
        #expect(result.code == code)
    }

    private static func question(_ changes: [String: Any?]) -> Data {
        var members: [String: Any] = [
            "version": 1, "action": "provision", "environment": "sandbox", "merchant": "MU1",
            "reader": "reader-1", "bundle": "shop.example", "name": "Till 1",
        ]
        for (key, value) in changes { members[key] = value }
        return (try? JSONSerialization.data(withJSONObject: members)) ?? Data()
    }

    private static let badQuestions: [Data] =
        ["version", "action", "environment", "merchant", "reader", "bundle", "name"].flatMap {
            field in
            let values: [Any?] = [
                nil, NSNull(), 17, ["a"], true, "", String(repeating: "9", count: 300),
            ]
            return values.map { question([field: $0]) }
        } + [
            Data(), Data("null".utf8), Data("[]".utf8), Data("{".utf8),
            Data("<html>".utf8), Data(repeating: 0x7B, count: 20_000), question(["version": 2]),
            question(["action": "check"]), question(["merchant": "MU1/../MU2"]),
        ]

    @Test(arguments: badQuestions.indices)
    func `F-125 a question that is not right is refused, typed, and nothing is sent`(
        index: Int
    ) throws {
        var request = HTTPRequest(.post, "https://shop.example", "/finix/devices")
        request.headers["Authorization"] = "Bearer anna"
        request.body = Self.badQuestions[index]
        let service = service
        let response = try desk.time.run { [request] in await service.answer(request) }
        #expect([422, 403].contains(response.status))
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(!response.body.isEmpty)
        #expect(desk.transport.requests.isEmpty)
    }

    @Test(arguments: ["GET", "no token", "two tokens", "Basic"])
    func `F-125 a request without one token of the app's is not answered`(kind: String) throws {
        var request = HTTPRequest(kind == "GET" ? .get : .post, "https://shop.example", "/")
        request.body = Self.question([:])
        if kind == "GET" || kind == "two tokens" {
            request.headers["Authorization"] = "Bearer anna"
        }
        if kind == "two tokens" { request.headers.add("Authorization", "Bearer mallory") }
        if kind == "Basic" { request.headers["Authorization"] = "Basic anna" }
        let service = service
        let response = try desk.time.run { [request] in await service.answer(request) }
        #expect(response.status == (kind == "GET" ? 405 : 401))
        #expect(desk.transport.requests.isEmpty)
    }

    @Test(arguments: [
        (200, "", PaymentError.Code.malformedAnswer), (200, "<html>", .malformedAnswer),
        (200, #"{"version":1,"device":"","enabled":true}"#, .malformedAnswer),
        (200, #"{"version":1,"device":"a/b","enabled":true}"#, .malformedAnswer),
        (200, #"{"version":1,"device":7,"enabled":true}"#, .malformedAnswer),
        (200, #"{"version":1,"device":"DV1","enabled":false}"#, .malformedAnswer),
        (200, #"{"version":1,"device":"DV1","enabled":"true"}"#, .malformedAnswer),
        (200, #"{"version":2,"device":"DV1","enabled":true}"#, .malformedAnswer),
        (200, #"{"device":"DV1","enabled":true}"#, .malformedAnswer),
        (302, "", .malformedAnswer), (404, "<html>", .requestRejected), (429, "", .rateLimited),
        (503, #"{"version":1,"error":"newCode"}"#, .acquirerUnavailable),
        (502, #"{"version":1,"error":"merchantBlocked"}"#, .merchantBlocked),
        (401, #"{"version":1,"error":"merchantBlocked"}"#, .appLoginExpired),
    ])
    func `F-139 only a Device that is said to be enabled is believed`(
        status: Int,
        body: String,
        code: PaymentError.Code
    ) throws {
        let endpoint = FinixDeviceEndpoint(
            transport: FixedTransport(status, body),
            origin: "https://shop.example",
            session: Session(name: "anna")
        )
        let request = try desk.request()
        let result = try desk.run { () throws(PaymentError) in
            try await desk.provisioner(endpoint).device(for: request)
        }
        #expect(result.code == code)
        #expect(desk.store.value(for: request.key) == nil)
    }

    @Test func `N-014 neither token nor key is in what is printed or refused`() throws {
        let (endpoint, transport) = phone("mallory")
        let request = try desk.request()
        let result = try desk.run { () throws(PaymentError) in
            try await endpoint.provision(request)
        }
        var text = "\(endpoint) \(desk.source) \(service) \(result)"
        dump(endpoint, to: &text)
        dump(desk.source, to: &text)
        dump(transport.requests, to: &text)
        for secret in [FinixEmulator.password, "Bearer mallory", FinixEmulator.username] {
            #expect(!text.contains(secret))
        }
    }
}
