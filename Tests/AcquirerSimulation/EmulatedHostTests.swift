import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Simulation
import Synchronization
import Testing

@Suite struct EmulatedHostTests {
    private func send(_ fault: FaultPlan.Fault?) throws -> (answer: String, handled: Int) {
        let time = SimulatedTime()
        let handled = Mutex(0)
        let host = EmulatedHost(name: "host", time: time) { _, _ in
            handled.withLock { $0 += 1 }
            return HTTPResponse(status: 201)
        }
        if let fault { host.faults.add(fault, times: 1) { _ in true } }
        let answer = try time.run {
            do throws(TransportError) {
                return "\(try await host.send(HTTPRequest(.post, "https://host", "/x")).status)"
            } catch {
                return "\(error.reach)"
            }
        }
        return (answer, handled.withLock { $0 })
    }

    @Test func `F-235 each fault says truly whether the request had its effect`() throws {
        #expect(try send(nil) == ("201", 1))
        #expect(try send(.unreachable) == ("notSent", 0))
        #expect(try send(.loseRequest) == ("maybeReceived", 0))
        #expect(try send(.loseAnswer) == ("maybeReceived", 1))
        #expect(try send(.answer(HTTPResponse(status: 500))) == ("500", 0))
        #expect(try send(.answerAfter(HTTPResponse(status: 500))) == ("500", 1))
        #expect(try send(.hang) == ("maybeReceived", 0))
        #expect(try send(.delay(.seconds(3))) == ("201", 1))
    }

    @Test func `F-229 each answer has a request identifier and the host's own time`() throws {
        let time = SimulatedTime()
        let host = EmulatedHost(name: "host", time: time) { _, _ in HTTPResponse(status: 200) }
        let headers = try time.run {
            await [1, 2].asyncMap { _ in
                try? await host.send(HTTPRequest(.get, "https://host", "/")).headers
            }
        }
        let identifiers = headers.compactMap { $0?["x-request-id"] }
        #expect(Set(identifiers).count == 2)
        let date = try #require(headers.last??["Date"].flatMap(WireDate.parseHTTP))
        #expect(abs(date.timeIntervalSince(time.wallTime)) < 1)
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ body: (Element) async -> Value) async -> [Value] {
        var values: [Value] = []
        for element in self { values.append(await body(element)) }
        return values
    }
}
