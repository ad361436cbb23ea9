import AcquirerSimulation
import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// The emulated acquirer behind its server, with eight connections.
enum EmulatorBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (1, 20) : (5, 2_000)
        // Each refund is of a payment of its own, as in a shop.
        let refunds = max(4, count / 20)
        let (emulator, transfers) = try paidEmulator((rounds + 1) * refunds * 8)
        let busy = Mutex(0.0)
        let server = try FixedServer { request in
            let reply = emulator.host.serve(request)
            busy.withLock { $0 = ProcessMemory.threadTime }
            return reply
        }
        defer { server.stop() }
        let clients = try Clients(8, port: server.server.port)
        let host = String(server.origin.dropFirst(7))
        var reads: [Double] = []
        var writes: [Double] = []
        var latencies: [Double] = []
        for round in 0...rounds {
            let before = busy.withLock { $0 }
            let times = try clients.exchange(count) { number, client in
                request("GET", transfers[(number * 8 + client) % transfers.count], host, nil)
            }
            let between = busy.withLock { $0 }
            let more = try clients.exchange(refunds) { number, client in
                request(
                    "POST",
                    transfers[(round * refunds + number) * 8 + client] + "/reversals",
                    host,
                    #"{"refund_amount":1,"idempotency_id":"b-\#(round)-\#(number)-\#(client)"}"#
                )
            }
            let after = busy.withLock { $0 }
            guard round > 0 else { continue }
            // What the server's thread computed, so that the clients' share does not count.
            reads.append(Double(count * 8) / (between - before) * 1e9)
            writes.append(Double(refunds * 8) / (after - between) * 1e9)
            latencies += times + more
        }
        let slowest = latencies.quantile(0.99)
        return [
            .limit("emulator.get", reads, .each("/s"), 30_000, isAtLeast: true),
            .limit("emulator.post", writes, .each("/s"), 24_000, isAtLeast: true),
            .limit("emulator.p99", [slowest], .nanoseconds, 1e6),
        ] + [try start(options)]
    }

    private static func request(
        _ method: String,
        _ path: String,
        _ host: String,
        _ body: String?
    ) -> [UInt8] {
        let pair = "\(FinixEmulator.username):\(FinixEmulator.password)"
        let key = Data(pair.utf8).base64EncodedString()
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nFinix-Version: 2022-02-01\r\n"
        text += "Authorization: Basic \(key)\r\n"
        if let body {
            text += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        }
        return Array((text + "\r\n" + (body ?? "")).utf8)
    }

    /// An emulator with so many payments, and their paths.
    private static func paidEmulator(_ count: Int) throws -> (FinixEmulator, [String]) {
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.linkedMerchants = ["MU1"]
        device.configured = 100
        let world = SimulatedWorld(time: SimulatedTime(), device: device)
        world.device.control.alwaysThisCard = SimulatedCard.named("visa-credit")
        let made = Mutex<FinixEmulator?>(nil)
        let factory = ProviderFactory.simulatedFinix(world: world) { _, emulator in
            made.withLock { $0 = emulator }
        }
        let amount = try Shop.money(1_250)
        let paths = try world.time.run { () async -> Result<[String], any Error> in
            do {
                let pointOfSale = try await PointOfSale.open(
                    PointOfSaleConfiguration(
                        text: """
                            { "provider": "finix", "providers": { "finix": {
                              "environment": "simulated", "merchant": "MU1",
                              "merchantName": "Corner Shop" } } }
                            """
                    ),
                    providers: [factory],
                    journal: MemoryAttemptJournal(),
                    environment: world.environment
                )
                var paths: [String] = []
                for number in 0..<count {
                    try await pointOfSale.prepare()
                    let sale = PaymentRequest.sale(amount, for: try Order(id: "o\(number)"))
                    let outcome = try await pointOfSale.take(sale)
                    guard case .approved(let receipt) = outcome,
                        let transfer = receipt.references.first(where: { $0.kind == "transfer" })
                    else { throw Unexpected("\(outcome)") }
                    paths.append("/transfers/\(transfer.value)")
                }
                return .success(paths)
            } catch {
                return .failure(error)
            }
        }.get()
        guard let emulator = made.withLock({ $0 }) else { throw Unexpected("no emulator") }
        return (emulator, paths)
    }

    /// How long the program takes until it listens.
    private static func start(_ options: BenchOptions) throws -> Finding {
        let program = Programs.beside("emulator")
        guard FileManager.default.isExecutableFile(atPath: program.path) else {
            return .absent("emulator.start", "no emulator beside this program")
        }
        var times: [Double] = []
        for _ in 0...(options.isQuick ? 1 : 9) {
            times.append(try Programs.firstOutput(of: program, ["--port", "0"]))
        }
        return .limit("emulator.start", Array(times.dropFirst()), .nanoseconds, 30e6)
    }
}

/// Connections that all send and then all read, from one thread.
private struct Clients {
    private final class Connection {
        let socket: RawSocket

        init(port: UInt16) throws { socket = try RawSocket(port: port) }
    }

    private let connections: [Connection]

    init(_ count: Int, port: UInt16) throws {
        connections = try (0..<count).map { _ in try Connection(port: port) }
    }

    /// Sends so many requests on every connection; how long each took.
    func exchange(_ count: Int, _ request: (Int, Int) -> [UInt8]) throws -> [Double] {
        var times: [Double] = []
        let clock = ContinuousClock()
        for number in 0..<count {
            var starts: [ContinuousClock.Instant] = []
            for (index, connection) in connections.enumerated() {
                starts.append(clock.now)
                try connection.socket.send(request(number, index))
            }
            for (connection, start) in zip(connections, starts) {
                let status = try connection.socket.receive()
                guard 200...299 ~= status else { throw Unexpected("status \(status)") }
                times.append((clock.now - start).nanoseconds)
            }
        }
        return times
    }
}
