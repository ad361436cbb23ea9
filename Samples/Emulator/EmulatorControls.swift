import AcquirerSimulation
import CommandLineSupport
import FinixSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation

/// What can be done from outside with the emulated world, under `/_emu/`.
struct EmulatorControls {
    private let acquirers: EmulatedAcquirers

    init(_ acquirers: EmulatedAcquirers) { self.acquirers = acquirers }

    private enum Control: String, CaseIterable {
        case help = "GET /_emu/"
        case ledger = "GET /_emu/ledger"
        case reset = "POST /_emu/reset"
        case addFault = "POST /_emu/faults"
        case clearFaults = "DELETE /_emu/faults"
        case tap = "POST /_emu/tap"
        case clock = "GET /_emu/clock"
        case advance = "POST /_emu/clock"
        case partial = "POST /_emu/issuer/partial"
        case pending = "POST /_emu/finix/pending"
        case modes = "POST /_emu/modes"
        case issueToken = "POST /_emu/revolut/device-token"
        case revokeTokens = "DELETE /_emu/revolut/device-token"
        case pay = "POST /_emu/revolut/pay"
        case client = "POST /_emu/revolut/client"

        var help: String {
            switch self {
            case .help: "this list"
            case .ledger: "every movement of money, in order"
            case .reset: "forget everything, also faults and time moved on"
            case .addFault:
                "acquirer, fault, method, path, times, status, type, retryAfter, body, milliseconds"
            case .clearFaults: "nothing goes wrong any more"
            case .tap: "card, amount, currency: the payload of a tap, good for one payment"
            case .clock: "the world's time"
            case .advance: "seconds: move the world's time on"
            case .partial: "times: approve half of the next payments"
            case .pending: "times, seconds, succeeds: leave the next payments pending so long"
            case .modes:
                "acquirer, \(EmulatorModes.names): how it behaves; the answer names complaints"
            case .issueToken: "a new device token"
            case .revokeTokens: "accept none of the device tokens that are out"
            case .pay: "order, card, or page: the customer pays it on a device of their own"
            case .client: "id, redirect: an app that may ask merchants for their consent"
            }
        }
    }

    /// Every control and what its body may hold.
    static var rows: [(String, String)] { Control.allCases.map { ($0.rawValue, $0.help) } }

    /// Does what a request asks for.
    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let path = request.path == "/_emu" ? "/_emu/" : request.path
        guard let control = Control(rawValue: "\(request.method.rawValue) \(path)") else {
            let isKnown = Control.allCases.contains { $0.rawValue.hasSuffix(" " + path) }
            return .json(
                isKnown ? 405 : 404,
                .object([
                    "problem": .text("no such control"),
                    "accepted": .list(Control.allCases.map { .text($0.rawValue) }),
                ])
            )
        }
        do throws(ControlProblem) {
            return try answer(control, ControlBody(request.body))
        } catch {
            return .json(400, .object(["problem": .text(error.description)]))
        }
    }

    private func answer(
        _ control: Control,
        _ body: ControlBody
    ) throws(ControlProblem) -> HTTPResponse {
        let world = acquirers.world
        switch control {
        case .help:
            try body.finish()
            var response = HTTPResponse(status: 200)
            response.headers["Content-Type"] = "text/plain; charset=utf-8"
            response.body = Data((Table.lines(Self.rows).joined(separator: "\n") + "\n").utf8)
            return response
        case .ledger:
            try body.finish()
            return .json(
                200,
                .object(["entries": .list(world.simulated.ledger.entries.map(\.tree))])
            )
        case .reset:
            try body.finish()
            acquirers.reset()
        case .addFault: try EmulatorFault(body).add(to: world)
        case .clearFaults:
            try body.finish()
            world.finix.host.faults.clear()
            world.revolut.host.faults.clear()
        case .tap: return try tap(body)
        case .clock:
            try body.finish()
            return time(world)
        case .advance:
            let seconds = try body.required("seconds", 0...315_360_000)
            try body.finish()
            acquirers.advance(by: Double(seconds))
            return time(world)
        case .partial:
            let times = try body.number("times", 1...1_000_000) ?? 1
            try body.finish()
            world.simulated.issuer.approveInPart(times: Int(times))
        case .pending: try leavePending(body, world)
        case .modes: return try EmulatorModes.change(world, body)
        case .issueToken:
            try body.finish()
            let token = world.revolut.issueDeviceToken()
            return .json(200, .object(["access_token": .text(token.reveal())]))
        case .revokeTokens:
            try body.finish()
            world.revolut.revokeDeviceTokens()
        case .pay: try pay(body, world)
        case .client: try register(body, world)
        }
        return .json(200, .object([:]))
    }

    private func time(_ world: EmulatedAcquirers.World) -> HTTPResponse {
        .json(200, .object(["time": .text(WireDate.format(world.simulated.time.wallTime))]))
    }

    private func tap(_ body: ControlBody) throws(ControlProblem) -> HTTPResponse {
        let cards = SimulatedCard.catalogue.map(\.id)
        let name = try body.text("card") ?? cards[0]
        guard let card = SimulatedCard.named(name) else {
            throw ControlProblem("card", "one of " + cards.joined(separator: ", "))
        }
        let amount = try body.required("amount", 1...999_999_999)
        guard let currency = try body.text("currency").flatMap(Currency.init(code:)) else {
            throw ControlProblem("currency", "an ISO 4217 code in capital letters")
        }
        try body.finish()
        let request = ReadRequest(kind: .purchase, minorUnits: amount, currency: currency.code)
        do throws(ReaderError) {
            let text = try acquirers.tap(card, request).reveal()
            let base64 = Data(text.utf8).base64EncodedString()
            return .json(200, .object(["payload": .text(text), "base64": .text(base64)]))
        } catch {
            return .json(409, .object(["problem": .text("the reader says \(error)")]))
        }
    }

    private func leavePending(
        _ body: ControlBody,
        _ world: EmulatedAcquirers.World
    ) throws(ControlProblem) {
        let times = try body.number("times", 1...1_000_000) ?? 1
        let seconds = try body.required("seconds", 0...315_360_000)
        let succeeds = try body.flag("succeeds") ?? true
        try body.finish()
        world.finix.leavePending(times: Int(times), until: .seconds(seconds), succeeds: succeeds)
    }

    private func register(
        _ body: ControlBody,
        _ world: EmulatedAcquirers.World
    ) throws(ControlProblem) {
        guard let id = try body.text("id"), !id.isEmpty else {
            throw ControlProblem("id", "the app's client ID")
        }
        guard let redirect = try body.text("redirect"), URL(string: redirect)?.scheme != nil else {
            throw ControlProblem("redirect", "the address that browsers come back to")
        }
        try body.finish()
        world.revolut.authorization.register(clientID: id, redirectURI: redirect)
    }

    private func pay(
        _ body: ControlBody,
        _ world: EmulatedAcquirers.World
    ) throws(ControlProblem) {
        let (order, page) = (try body.text("order"), try body.text("page"))
        let card = try body.text("card")
        try body.finish()
        if let card {
            guard let order, page == nil else { throw ControlProblem("card", "goes with an order") }
            guard world.revolut.payByCode(order, cardNumber: card) else {
                throw ControlProblem("card", "one of the sandbox's, and an order that can be paid")
            }
            return
        }
        let isPaid: Bool =
            switch (order, page) {
            case (let order?, nil): world.revolut.payByCode(order)
            case (nil, let page?): world.revolut.payByCode(at: page)
            default: throw ControlProblem("order", "either an order or a page")
            }
        guard isPaid else {
            throw ControlProblem(order == nil ? "page" : "order", "one that can still be paid")
        }
    }
}

extension Ledger.Entry {
    fileprivate var tree: JSONTree {
        .object([
            "acquirer": .text(acquirer), "record": .text(record), "kind": .text(kind.rawValue),
            "minorUnits": .number(minorUnits), "currency": .text(currency),
            "time": .text(WireDate.format(time)),
        ])
    }
}
