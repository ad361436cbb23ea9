import AcquirerSimulation
import FinixPayments
import Foundation
import PaymentCore
import PaymentTransport
import PaymentURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An adapter's request over loopback, against the same request without adapter or transport.
enum LoopbackBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (2, 20) : (9, 500)
        let server = try FixedServer { _ in .answer(FixedServer.transfer) }
        defer { server.stop() }
        let request = Array(
            "GET /transfers/TRbench HTTP/1.1\r\nHost: \(server.origin.dropFirst(7))\r\n\r\n".utf8
        )
        let raw = try RawSocket(port: server.server.port)
        let office = AdapterBenchmark.office(LoopbackTransport(), server.origin)
        let socket = try await Measuring.alternate(rounds: rounds) {
            try await Measuring.nanoseconds(each: count) {
                for _ in 0..<count { try await AdapterBenchmark.read(office) }
            }
        } reference: {
            try Measuring.nanosecondsNow(each: count) {
                for _ in 0..<count {
                    try raw.send(request)
                    keep(try raw.receive())
                }
            }
        }
        let before = server.requests
        try await AdapterBenchmark.read(office)
        let requests = Double(server.requests - before)
        let session = try await session(server, rounds, max(10, count / 5))
        return [
            .ratio("loopback.socket", socket, .nanoseconds, over: "raw socket", atMost: 5),
            .ratio("loopback.session", session, .nanoseconds, over: "bare session", atMost: 1.12),
            .count("loopback.requests", requests, .each("requests"), atMost: 1),
        ]
    }

    private static func session(
        _ server: FixedServer,
        _ rounds: Int,
        _ count: Int
    ) async throws -> Pair {
        let office = AdapterBenchmark.office(URLSessionTransport(), server.origin)
        let session = URLSession(configuration: .ephemeral)
        guard let url = URL(string: server.origin + "/transfers/TRbench") else {
            throw Unexpected(server.origin)
        }
        return try await Measuring.alternate(rounds: rounds) {
            try await Measuring.nanoseconds(each: count) {
                for _ in 0..<count { try await AdapterBenchmark.read(office) }
            }
        } reference: {
            try await Measuring.nanoseconds(each: count) {
                for _ in 0..<count {
                    let size = try await withCheckedThrowingContinuation {
                        (waiter: CheckedContinuation<Int, any Error>) in
                        session.dataTask(with: URLRequest(url: url)) { body, _, error in
                            if let error {
                                waiter.resume(throwing: error)
                            } else {
                                waiter.resume(returning: body?.count ?? 0)
                            }
                        }.resume()
                    }
                    guard size > 0 else { throw Unexpected("an empty answer") }
                }
            }
        }
    }
}

/// Many exchanges at the same time with a server that takes its time.
enum InFlightBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (1, 32) : (7, 256)
        let server = try FixedServer { _ in
            .later(FixedServer.transfer, after: .milliseconds(50))
        }
        defer { server.stop() }
        let socket = try await all(count, rounds, LoopbackTransport(), server)
        let session = try await all(
            count,
            rounds,
            URLSessionTransport(connectionsPerHost: count),
            server
        )
        return [
            .limit("in-flight.socket", socket, .nanoseconds, 80e6),
            .limit("in-flight.session", session, .nanoseconds, 220e6),
        ]
    }

    private static func all(
        _ count: Int,
        _ rounds: Int,
        _ transport: any HTTPTransport,
        _ server: FixedServer
    ) async throws -> [Double] {
        let office = AdapterBenchmark.office(transport, server.origin)
        return try await Measuring.rounds(rounds) {
            try await Measuring.nanoseconds(each: 1) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<count {
                        group.addTask { try await AdapterBenchmark.read(office) }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
