import PaymentCore
import ReaderSimulation
import Simulation
import Testing

/// Every way in which a value prints itself.
private func waysOut(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    let mirrored = Mirror(reflecting: value).children.map { String(reflecting: $0.value) }
    return ["\(value)", String(describing: value), String(reflecting: value), dumped] + mirrored
}

/// Runs of digits, save for the identifiers of payment applications.
private func hasLongRun(_ text: String) -> Bool {
    text.replacing(/A0[0-9A-F]+/, with: "").split { !("0"..."9").contains($0) }.contains {
        $0.count >= 8
    }
}

private func encodings(of text: String) -> [String] {
    let bytes = Array(text.utf8)
    let hex = bytes.map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return [text, hex.joined(), Data(bytes).base64EncodedString()]
}

@Suite struct RedactionTests {
    @Test func `LT-2 nothing that holds a payload or token shows it`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.read().get()
        let secret = "tok_1234567890123456"
        let token = ReaderToken(text: secret, merchant: "m")
        let forbidden = encodings(of: result.payload.reveal()) + encodings(of: secret)
        let holders: [Any] = [
            result, result.payload, token, [token], Optional(result.payload) as Any,
            Result<ReadResult, ReaderError>.success(result), visa, world.control.state,
            result.tagBlock, PINToken(secret, readID: result.readID),
            LoyaltyPass(merchant: "pass.shop", content: secret),
            ReaderError.prepareFailed(text: secret),
        ]
        for text in holders.flatMap(waysOut) + [world.time.trace.text] {
            for secret in forbidden { #expect(!text.contains(secret)) }
            #expect(!text.contains("SIM1."))
            #expect(!hasLongRun(text), "\(text)")
        }
    }

    @Test func `L-6 payloads and tokens print as kind and length`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let payload = try world.read().get().payload
        #expect("\(payload)" == "payload(\(payload.reveal().utf8.count) bytes)")
        #expect("\(ReaderToken("secret"))" == "token(6 bytes)")
    }

    @Test func `L-7 payloads and tokens cannot be encoded`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let result = try world.read().get()
        let values: [Any] = [result, result.payload, ReaderToken("secret")]
        for value in values { #expect(!(value is any Encodable)) }
    }

    @Test func `L-8 payloads are told apart by their reads`() throws {
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let one = try world.read().get()
        let two = try world.read().get()
        #expect(one.payload != two.payload)
        #expect(Set([one.payload, two.payload, one.payload]).count == 2)
    }

    @Test func `L-1 the catalogue holds no whole number`() {
        for card in SimulatedCard.catalogue {
            #expect(card.prefix.count <= 6 && card.lastFour.count == 4)
            #expect(card.length - card.prefix.count - card.lastFour.count >= 5)
            #expect(SimulatedCard.named(card.id) == card)
        }
        #expect(SimulatedCard.named("no-such-card") == nil)
    }

    @Test(arguments: ["", "SIM1.", "SIM1.e30=.0", "SIM2.abc", "hello"])
    func `S-018 only an unchanged simulated payload opens`(text: String) throws {
        #expect(CardPayload.open(text) == nil)
        let world = try TestWorld().prepared()
        world.control.alwaysThisCard = visa
        let good = try world.read().get().payload.reveal()
        #expect(good.hasPrefix("SIM1.") && CardPayload.open(good) != nil)
        #expect(CardPayload.open(good + "x") == nil)
        #expect(CardPayload.open(String(good.dropFirst(6))) == nil)
        #expect(CardPayload.open(good.replacing("SIM1.e", with: "SIM1.f")) == nil)
    }
}
