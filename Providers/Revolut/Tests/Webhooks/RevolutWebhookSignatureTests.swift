import PaymentCore
import PaymentTransport
import RevolutPayments
import Simulation
import Testing

@Suite struct RevolutWebhookSignatureTests {
    private static let body =
        #"{"event":"ORDER_COMPLETED","order_id":"11111111-2222-4333-8444-555555555555","#
        + #""merchant_order_ext_ref":"till-7/42"}"#
    private static let timestamp = "17356" + "89600000"
    private static let a = "v1=a3a1e1e33f648494fa1bf48f4764975372dbdfe74a9139c20a92bf4454f20e11"
    private static let b = "v1=8edc1ec460e3d90cb34216220cbca0e1b16a860c26b1e67ba96730c7b8bdcafd"
    private static let spaced =
        "v1=94c907d3dd8005156c727ed3fd7fab2be7dbc0825530816fe337129d4a5791e6"

    /// Whether a delivery is believed, so many milliseconds after its timestamp.
    private static func refusal(
        _ signatures: [String],
        secrets: [String] = ["wsk_example_secret_A"],
        body: String = Self.body,
        timestamps: [String] = [Self.timestamp],
        age: Int = 0
    ) -> RevolutWebhookRefusal? {
        let signed = Int(timestamp) ?? 0
        let time = SimulatedTime(
            start: Date(timeIntervalSince1970: Double(signed + age) / 1_000)
        )
        let verifier = RevolutWebhookVerifier(
            secrets: secrets.map { Secret($0) },
            environment: time.environment
        )
        var request = HTTPRequest(.post, "https://shop.example", "/hook", body: Data(body.utf8))
        for timestamp in timestamps { request.headers.add("revolut-request-timestamp", timestamp) }
        for signature in signatures { request.headers.add("Revolut-Signature", signature) }
        do throws(RevolutWebhookRefusal) {
            _ = try verifier.event(in: request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `R-303 the signed text is version, timestamp and raw body`() {
        #expect(Self.refusal([Self.a]) == nil)
        #expect(Self.refusal([Self.b], secrets: ["wsk_example_secret_B"]) == nil)
        #expect(Self.refusal([Self.b]) == .signatureWrong)
    }

    @Test func `R-303 a body that was read and written again is another body`() {
        let spaced = Self.body.replacing(#":""#, with: #": ""#)
        #expect(Self.refusal([Self.a], body: spaced) == .signatureWrong)
        #expect(Self.refusal([Self.spaced], body: spaced) == nil)
        #expect(Self.refusal([Self.spaced]) == .signatureWrong)
    }

    @Test(arguments: ["wsk_example_secret_A", "wsk_example_secret_B"])
    func `R-304 of several signatures one has to fit, in any order and spacing`(secret: String) {
        for header in [
            "\(Self.a),\(Self.b)", "\(Self.b),\(Self.a)", "\(Self.a), \(Self.b)",
            " \(Self.b) ,\t\(Self.a) ", "v2=abc,\(Self.a),\(Self.b)", ",\(Self.a),,\(Self.b),",
        ] { #expect(Self.refusal([header], secrets: [secret]) == nil, "\(header)") }
        #expect(Self.refusal([Self.a, Self.b], secrets: [secret]) == nil)
        #expect(Self.refusal([Self.b], secrets: ["other", "wsk_example_secret_B"]) == nil)
    }

    @Test(
        arguments: [
            ([], .signatureMissing), ([""], .signatureMissing),
            (["v2=" + a.dropFirst(3)], .signatureMissing),
            ([String(a.dropFirst(3))], .signatureMissing), (["v1="], .signatureWrong),
            ([String(a.dropLast())], .signatureWrong), ([a + "0"], .signatureWrong),
            ([a.uppercased().replacing("V1", with: "v1")], .signatureWrong), ([b], .signatureWrong),
            ([a.replacing("e11", with: "e12")], .signatureWrong),
        ] as [([String], RevolutWebhookRefusal)]
    )
    func `R-303 no other signature is believed`(
        signatures: [String],
        expected: RevolutWebhookRefusal
    ) {
        #expect(Self.refusal(signatures) == expected)
    }

    @Test(
        arguments: [
            (0, nil), (300_000, nil), (300_001, .tooOld), (86_400_000, .tooOld), (-1, nil),
            (-300_000, nil), (-300_001, .tooFarAhead), (-86_400_000, .tooFarAhead),
        ] as [(Int, RevolutWebhookRefusal?)]
    )
    func `R-305 a delivery older than five minutes is refused, and R-307 by our rule a later one`(
        age: Int,
        expected: RevolutWebhookRefusal?
    ) {
        #expect(Self.refusal([Self.a], age: age) == expected)
    }

    @Test(arguments: [
        [], [""], ["abc"], ["-1"], ["+1"], [" 1"], ["1.5"], ["1e3"], ["1", "1"],
        [String(repeating: "9", count: 40)], ["١"],
    ])
    func `R-306 a timestamp is one count of milliseconds`(timestamps: [String]) {
        #expect(Self.refusal([Self.a], timestamps: timestamps) == .timestampMalformed)
    }

    @Test func `R-305 a timestamp in seconds is long ago`() {
        let seconds = String(Self.timestamp.dropLast(3))
        let code = Digest.hmacSHA256(
            Array("v1.\(seconds).\(Self.body)".utf8),
            key: "wsk_example_secret_A".utf8
        )
        #expect(Self.refusal(["v1=" + Digest.hex(code)], timestamps: [seconds]) == .tooOld)
        // Changing the timestamp changes the signed text too, so another's signature fails.
        #expect(Self.refusal([Self.a], timestamps: [seconds]) == .signatureWrong)
    }

    @Test func `R-315 deliveries come from two machines of each environment`() {
        #expect(RevolutWebhookVerifier.senders(.production) == ["35.246.21.235", "34.89.70.170"])
        #expect(RevolutWebhookVerifier.senders(.sandbox) == ["35.242.130.242", "35.242.162.241"])
    }

    @Test func `R-303 without a secret nothing is believed`() {
        #expect(Self.refusal([Self.a], secrets: []) == .noSecret)
        #expect(Self.refusal([Self.a], secrets: [""]) == .noSecret)
    }

    @Test(
        arguments: [
            ("PUT", nil, 405, 0), ("POST", "v1=00", 401, 0), ("POST", nil, 204, 1),
            ("POST", nil, 503, 1),
        ] as [(String, String?, Int, Int)]
    )
    func `R-309 a delivery is acknowledged once its event is kept`(
        method: String,
        signature: String?,
        status: Int,
        handled: Int
    ) throws {
        let time = SimulatedTime(
            start: Date(timeIntervalSince1970: (Double(Self.timestamp) ?? 0) / 1_000)
        )
        let verifier = RevolutWebhookVerifier(
            secrets: [Secret("wsk_example_secret_A")],
            environment: time.environment
        )
        let events = Shared<[RevolutWebhookEvent]>([])
        let endpoint = RevolutWebhookEndpoint(verifier) { event in
            events.value.append(event)
            return status == 204
        }
        var request = HTTPRequest(
            HTTPRequest.Method(rawValue: method) ?? .get,
            "https://shop.example",
            "/hook",
            body: Data(Self.body.utf8)
        )
        request.headers["Revolut-Request-Timestamp"] = Self.timestamp
        request.headers["Revolut-Signature"] = signature ?? Self.a
        let sent = request
        #expect(try time.run { await endpoint.answer(sent).status } == status)
        #expect(events.value.count == handled)
    }
}
