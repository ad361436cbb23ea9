import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Synchronization

/// Passes requests on, and keeps each with its answer, scrubbed and named by what it does.
final class ExchangeRecorder: HTTPTransport {
    private let inner: any HTTPTransport
    private let kept = Mutex<[(name: String, text: String)]>([])

    init(_ inner: any HTTPTransport) { self.inner = inner }

    /// The exchanges by name; what was done again under the same name is counted.
    var exchanges: [String: String] {
        kept.withLock { kept in
            var counts: [String: Int] = [:]
            return kept.reduce(into: [:]) { exchanges, exchange in
                let count = counts[exchange.name, default: 0] + 1
                counts[exchange.name] = count
                let name = count == 1 ? exchange.name : "\(exchange.name)-\(count)"
                exchanges[name] = exchange.text
            }
        }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let response = try await inner.send(request)
        let name = Self.name(of: request)
        let text = Self.text(request, response)
        kept.withLock { $0.append((name, text)) }
        return response
    }

    /// Where requests of this shape are sent, and what each is called.
    private static func name(of request: HTTPRequest) -> String {
        let parts = request.path.split(separator: "/")
        let collection = parts.count > 2 ? parts[2] : parts[0]
        let members = request.body.flatMap { JSONTree.members(of: $0) } ?? [:]
        let verb =
            switch request.method {
            case .get: parts.count == 2 ? "fetch" : "list"
            case .post: "create"
            default:
                members["void_me"] != nil
                    ? "void" : members["capture_amount"] != nil ? "capture" : "activate"
            }
        return "\(collection)-\(verb)"
    }

    private static func text(_ request: HTTPRequest, _ response: HTTPResponse) -> String {
        let query = request.url?.query(percentEncoded: true).map { "?" + $0 } ?? ""
        let address = "\(request.method.rawValue) \(request.path)\(query)"
        let headers = request.headers.list.map { name, value in
            "\(name): \(name == "Authorization" ? "<redacted>" : value)"
        }
        let type = response.headers["content-type"].map { ["content-type: \($0)"] } ?? []
        let sent = [source, "", address] + headers.sorted() + body(request.body ?? Data())
        let answered = ["", "\(response.status)"] + type + body(response.body).map(settled)
        return scrubbed((sent + answered).joined(separator: "\n")) + "\n"
    }

    private static func body(_ data: Data) -> [String] {
        data.isEmpty ? [] : ["", String(decoding: data, as: UTF8.self)]
    }

    /// Names of attempts are random; whatever they are, they stand where they stand.
    private static func scrubbed(_ text: String) -> String {
        text.replacing(/\b[a-z]{24}\b/, with: "<attempt>")
    }

    /// What depends on how fast the simulated reader is, and on chance.
    private static func settled(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "<time>")
            .replacing(/"approval_code":"[A-Z]+"/, with: #""approval_code":"<code>""#)
            .replacing(/tx-[a-z]+-[a-z]+/, with: "<transaction>")
    }

    private static let source = "# recorded: the adapter's request, the emulated Finix's answer"
}

extension FinixStage {
    /// Everything that the client can send, sent once: the app's follow-ups and look-ups, and a
    /// back end's provisioning.
    func exchanges() async throws -> [String: String] {
        let recorder = ExchangeRecorder(emulator.host)
        let counter = try await ready()
        try await pay("o1", with: counter)
        try await counter.prepare()
        try await pay("o2", .authorization, with: counter)
        try await counter.prepare()
        try await pay("o3", .authorization, with: counter)
        let desk = try await PointOfSale.open(
            .simulatedFinix,
            providers: [bookkeeping(recorder, counter.acquirers[0])],
            journal: MemoryAttemptJournal(entries: entries),
            environment: shop.world.environment
        )
        try await followUp(with: desk)
        try await lookUp(with: desk.acquirers[0])
        try await provision(over: recorder)
        return recorder.exchanges
    }

    private func followUp(with desk: PointOfSale) async throws {
        let amount = try usd(500)
        guard let receipt = await desk.receipt(for: "o1"),
            let first = await desk.authorization(for: "o2"),
            let second = await desk.authorization(for: "o3")
        else { return }
        _ = try await desk.refund(receipt, amount: amount, id: "r1")
        _ = try await desk.capture(first, amount: amount, id: "c1")
        _ = try await desk.void(second, id: "v1")
    }

    private func lookUp(with acquirer: Acquirer) async throws {
        guard let books = acquirer.backOffice else { return }
        // 2026-01-05, from 08:59 to 09:05; the day on which every simulated world begins.
        let start = Date(timeIntervalSince1970: 1_767_603_540.25)
        let span = start...start.addingTimeInterval(360)
        var query = RecordQuery(account: acquirer.account, created: span, kind: .sale)
        let sales = try await books.records(query).records
        query.kind = .authorization
        let holds = try await books.records(query).records
        query.references = holds.first.map { [$0.reference] } ?? []
        _ = try await books.records(query)
        query.references = []
        query.kind = .refund
        query.parents = sales.last.map { [$0.reference] } ?? []
        _ = try await books.records(query)
        query.kind = .sale
        query.references = query.parents
        _ = try await books.records(query)
        _ = try await (books as? FinixBackOffice)?.merchant()
    }

    private func provision(over transport: any HTTPTransport) async throws {
        let devices = FinixDevices(
            world: .simulated,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: transport,
            environment: shop.world.environment
        )
        let request = try device(reader: "reader 1/ä")
        let id = try await devices.provision(request)
        _ = try await devices.isEnabled(id, for: request)
    }

    /// The same acquirer, whose books are asked over a recorder.
    private func bookkeeping(
        _ recorder: ExchangeRecorder,
        _ acquirer: Acquirer
    ) -> ProviderFactory {
        ProviderFactory(name: "finix") { section, environment in
            guard FinixConfiguration(section) != nil else { return nil }
            let books = FinixBackOffice(
                account: acquirer.account,
                origin: FinixEmulator.origin,
                username: Secret(FinixEmulator.username),
                password: Secret(FinixEmulator.password),
                transport: recorder,
                environment: environment
            )
            return Acquirer(
                account: acquirer.account,
                provider: acquirer.provider,
                backOffice: books
            )
        }
    }
}

extension PointOfSaleConfiguration {
    /// The configuration of every shop in these tests.
    fileprivate static var simulatedFinix: PointOfSaleConfiguration {
        PointOfSaleConfiguration(
            text: """
                { "provider": "finix", "providers": { "finix": { "environment": "simulated",
                  "merchant": "MUdemo", "merchantName": "Corner Shop", "device": "DVtill" } } }
                """
        )
    }
}
