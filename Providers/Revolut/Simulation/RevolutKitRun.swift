import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import Simulation

/// Takes one flow of the simulated kit from the first request to its end.
struct RevolutKitRun: Sendable {
    let clientId: String
    let phone: RevolutPhone
    let service: RevolutKitService
    let flow: RevolutKitFlow

    init(
        _ clientId: String,
        _ phone: RevolutPhone,
        _ service: RevolutKitService,
        _ flow: RevolutKitFlow
    ) {
        self.clientId = clientId
        self.phone = phone
        self.service = service
        self.flow = flow
    }

    var screen: RevolutScreen { phone.stage.screen }

    /// Takes one payment, and tells how it ended.
    func payment(_ payment: RevolutKitFlow.Payment) async {
        screen.show(.sheet)
        flow.enter(.authorising)
        let end = await charge(payment)
        phone.world.time.trace.add("kit", "\(end)")
        tell(end)
    }

    /// Creates the order of a payment, and has it paid.
    func charge(_ payment: RevolutKitFlow.Payment) async -> RevolutKitFlow.End {
        do throws(RevolutKitService.Failure) {
            var order: Order?
            if !flow.script.ordersLate { order = try await make(payment) }
            if payment.byCode { return await showCode(try await order.or(make, payment)) }
            // A set-up has prepared the reader before it offers a payment.
            if flow.value.state == .offer { return try await tap(order, payment) }
            switch await ready() {
            case .fallBack: return await showCode(try await order.or(make, payment))
            case .ready: return try await tap(order, payment)
            case .fail: return .failed
            }
        } catch {
            if case .signedOut = error { return .signedOut }
            return .failed
        }
    }

    /// What is to be paid, and where on the customer's own device.
    struct Order: Sendable {
        let id: String
        let page: String
    }

    /// Makes the order of a payment.
    private func make(
        _ payment: RevolutKitFlow.Payment
    ) async throws(RevolutKitService.Failure) -> Order {
        var body: [String: JSONTree] = [
            "amount": .number(payment.amount), "currency": .text(payment.currency),
        ]
        if let description = payment.description { body["description"] = .text(description) }
        let order = try await service.send(.post, "/orders", body)
        guard let id = order["id"]?.text, let page = order["checkout_url"]?.text else {
            throw .refused(0)
        }
        return Order(id: id, page: page)
    }

    enum Readiness {
        case ready, fallBack, fail
    }

    /// Links and prepares the reader, by the table of what makes a tap impossible.
    func ready() async -> Readiness {
        flow.enter(.preparing)
        let token = ReaderToken(text: "reader-\(clientId)", merchant: clientId)
        for attempt in 0..<2 {
            do throws(ReaderError) {
                if case .unsupported(let error) = phone.world.reader.support() { throw error }
                try await phone.world.reader.link(token: token)
                try await phone.world.reader.prepare(token: token)
                return .ready
            } catch {
                switch RevolutQRFallback(condition: RevolutReaderConditions.name(of: error)) {
                case .retryThenFallBack, .newTokenThenFallBack:
                    if attempt == 1 { return .fallBack }
                case .fallBack, .endCallThenFallBack, .fallBackIfTermsDeclined: return .fallBack
                case .fail, .cancel, .retryTap, .decline: return .fail
                }
            }
        }
        return .fallBack
    }

    /// Reads a card and charges it, again after a decline if the script says so.
    private func tap(
        _ made: Order?,
        _ payment: RevolutKitFlow.Payment
    ) async throws(RevolutKitService.Failure) -> RevolutKitFlow.End {
        var made = made
        for _ in 0..<Self.mostTaps {
            if flow.value.state != .tapping { flow.enter(.tapping) }
            let result: ReadResult
            do throws(ReaderError) {
                let request = ReadRequest(
                    kind: .purchase,
                    minorUnits: payment.amount,
                    currency: payment.currency
                )
                result = try await phone.world.reader.read(request)
            } catch {
                switch RevolutQRFallback(condition: RevolutReaderConditions.name(of: error)) {
                case .cancel: return .cancelled
                case .retryTap: continue
                case .decline:
                    flow.enter(.charging)
                    let order = try await made.or(make, payment)
                    let reason: [String: JSONTree] = ["failure_reason": .text("pin_data_required")]
                    _ = try await service.send(.post, "/orders/\(order.id)/tap", reason)
                    return .failed
                case .fallBack, .endCallThenFallBack, .fallBackIfTermsDeclined,
                    .retryThenFallBack, .newTokenThenFallBack:
                    return await showCode(try await made.or(make, payment))
                case .fail: return .failed
                }
            }
            flow.enter(.charging)
            let order = try await made.or(make, payment)
            made = order
            let payload: [String: JSONTree] = ["payload": .text(result.payload.reveal())]
            let answer = try await service.send(.post, "/orders/\(order.id)/tap", payload)
            if answer["state"]?.text == "completed" { return .paid(receipt: receipt(order)) }
            guard flow.script.retriesDeclines else { return .failed }
        }
        return .failed
    }

    /// Shows a code until the customer has paid, the merchant closes it, or it has run out.
    private func showCode(_ order: Order) async -> RevolutKitFlow.End {
        flow.enter(.qrShown)
        screen.show(.code(page: order.page, order: order.id))
        let start = phone.world.time.clock.now
        while true {
            if screen.wasClosed { return .cancelled }
            if let patience = flow.script.codePatience,
                start.duration(to: phone.world.time.clock.now) >= patience
            {
                return .failed
            }
            if let answer = try? await service.send(.get, "/orders/\(order.id)"),
                answer["state"]?.text == "completed"
            {
                return .paid(receipt: receipt(order))
            }
            try? await phone.world.time.clock.sleep(for: .seconds(2))
        }
    }

    private func receipt(_ order: Order) -> URL? {
        guard flow.script.givesReceipts else { return nil }
        return URL(string: "https://receipts.revolut.simulated/\(order.id)")
    }

    /// How often a card may be presented in one flow.
    private static let mostTaps = 5
}

extension RevolutKitRun.Order? {
    /// The order, made now if it was not.
    fileprivate func or(
        _ make: (RevolutKitFlow.Payment) async throws(RevolutKitService.Failure) ->
            RevolutKitRun.Order,
        _ payment: RevolutKitFlow.Payment
    ) async throws(RevolutKitService.Failure) -> RevolutKitRun.Order {
        if let self { return self }
        return try await make(payment)
    }
}
