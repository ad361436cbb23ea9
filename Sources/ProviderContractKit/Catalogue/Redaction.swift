import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// What must not be told.
enum Redaction {
    static let rules: [ContractRule] = situations.map { situation in
        ContractRule(
            "REDC-\(situation.number)",
            needs: situation.needs,
            "nothing of keys, tokens, card data or private texts is told after \(situation.name)",
            likelyCause: "an error, a receipt or a record keeps a raw text of the vendor's"
        ) { bench in
            let spy = Spy(bench)
            bench.world.time.trace.isKept = true
            let pointOfSale = try await bench.ready()
            let told = try await situation.play(bench, pointOfSale)
            let open = await pointOfSale.unresolved
            var texts = [told, Spy.everything(about: open)]
            texts += bench.journal.entries.map { Spy.everything(about: $0) }
            texts.append(bench.world.time.trace.text)
            for secret in spy.secrets {
                for text in texts where text.contains(secret.text) {
                    throw bench.unexpected(
                        "what is told and kept",
                        "nothing of \(secret.name)",
                        "all of it, in a text of \(text.count) characters"
                    )
                }
            }
            try bench.expect("secrets on the wire", spy.hasSeenCard != situation.isBeforeCard)
        }
    }

    private struct Situation: Sendable {
        let number: String
        let name: String
        var needs: Set<ContractCapability> = [.sale]
        var isBeforeCard = false
        let play: @Sendable (ContractBench, PointOfSale) async throws -> String
    }

    /// A sale whose request holds private texts; everything that the app is told about it.
    private static func sale(
        _ bench: ContractBench,
        _ pointOfSale: PointOfSale
    ) async throws -> String {
        var request = PaymentRequest.sale(try bench.money(1_250), for: "o1")
        if pointOfSale.acquirers[0].provider.capabilities.descriptionLength > 0 {
            request.description = Spy.privateText
        }
        request.customerReference = Spy.privateReference
        let told = await bench.take(request, at: pointOfSale)
        return Spy.everything(about: told)
    }

    private static let situations: [Situation] = [
        Situation(number: "01", name: "an approval") { try await sale($0, $1) },
        Situation(number: "02", name: "a decline") { bench, pointOfSale in
            bench.world.issuer.script([.decline(.stolenCard)])
            return try await sale(bench, pointOfSale)
        },
        Situation(number: "03", name: "a lost answer", needs: [.sale, .books]) {
            bench,
            pointOfSale in
            bench.wire.fail(.payment, by: .answerLost)
            return try await sale(bench, pointOfSale)
        },
        Situation(number: "04", name: "an outcome that nobody knows", needs: [.sale, .books]) {
            bench,
            pointOfSale in
            bench.wire.fail(.payment, by: .answerLost)
            bench.wire.cutBooks()
            return try await sale(bench, pointOfSale)
        },
        Situation(number: "05", name: "an answer that echoes the request") { bench, pointOfSale in
            bench.stage.host.faults.add(.answer(Spy.echo), times: 1) { request in
                bench.stage.step(request) == .payment
            }
            return try await sale(bench, pointOfSale)
        },
        Situation(number: "06", name: "a customer's cancel", isBeforeCard: true) {
            bench,
            pointOfSale in
            bench.control.customerWillCancel()
            return try await sale(bench, pointOfSale)
        },
        Situation(number: "07", name: "a refund", needs: [.sale, .refund]) { bench, pointOfSale in
            let receipt = try await bench.paid(at: pointOfSale)
            bench.wire.fail(.refund, by: .error500Before)
            let told = try await bench.refund(receipt, 800, at: pointOfSale)
            return Spy.everything(about: told)
        },
    ]

    /// Learns what is secret by watching what is sent.
    private final class Spy: Sendable {
        struct Secret {
            let name: String
            let text: String
        }

        static let privateText = "Geburtstagsgeschenk-Canary"
        static let privateReference = "customer-canary-xyz"
        /// A number that passes the check of card numbers, put together here.
        static let cardNumber = ["4242", "4242", "4242", "4242"].joined()

        static var echo: HTTPResponse {
            .json(
                400,
                .object([
                    "message": .text("cannot read \(cardNumber)"),
                    "code": .text("bad_card_\(cardNumber)"),
                ])
            )
        }

        private let bench: ContractBench
        private let bodies = Mutex<[String]>([])
        private let headers = Mutex<Set<String>>([])

        init(_ bench: ContractBench) {
            self.bench = bench
            bench.stage.host.faults.add(.hang) { [weak self] request in
                self?.see(request)
                return false
            }
        }

        private func see(_ request: HTTPRequest) {
            if let header = request.headers["Authorization"] {
                headers.withLock { _ = $0.insert(header) }
            }
            guard bench.stage.step(request) == .payment, let body = request.body else { return }
            let text = String(decoding: body, as: UTF8.self)
            bodies.withLock { $0.append(text) }
        }

        /// Whether the card's payload was submitted.
        var hasSeenCard: Bool { bodies.withLock { !$0.isEmpty } }

        /// The longest texts of the submitted bodies are the card's payload.
        private var payloads: [String] {
            bodies.withLock { $0 }.flatMap { body -> [String] in
                let texts = body.split(separator: "\"").map(String.init)
                guard let text = texts.max(by: { $0.count < $1.count }), text.count >= 40 else {
                    return []
                }
                guard let bytes = Data(base64Encoded: text) else { return [text] }
                return [text, String(decoding: bytes, as: UTF8.self)]
            }
        }

        var secrets: [Secret] {
            let known = [
                Secret(name: "the description", text: Self.privateText),
                Secret(name: "the customer reference", text: Self.privateReference),
                Secret(name: "a card number", text: Self.cardNumber),
            ]
            return known + bench.harness.secrets.map { Secret(name: "a key", text: $0) }
                + bench.tokens.told.map { Secret(name: "a token", text: $0) }
                + headers.withLock { $0.sorted() }.map { Secret(name: "a credential", text: $0) }
                + payloads.map { Secret(name: "the card's payload", text: $0) }
        }

        /// Every way in which a value may end up in a log.
        static func everything(about value: some Any) -> String {
            var text = "\(value)\n\(String(reflecting: value))\n"
            dump(value, to: &text)
            return text
        }
    }
}
