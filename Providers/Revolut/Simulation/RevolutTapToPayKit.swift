public import AcquirerSimulation
public import PaymentCore
import PaymentTransport
import ReaderSimulation
public import RevolutPayments
import Simulation
import Synchronization

/// The simulated kit: one payment of a fixed amount, told by callbacks alone, as the vendor's does.
///
/// It pairs, creates the order, reads, charges and falls back to a code by itself.
public final class RevolutTapToPayKit: Sendable {
    /// What a person at the till would see.
    public let screen: RevolutScreen
    private let clientID: String
    private let world: SimulatedWorld
    private let reader: SimulatedReader
    private let service: RevolutKitService
    private let script: Mutex<RevolutKitScript>

    /// Creates the kit.
    ///
    /// - Parameters:
    ///   - clientID: The identifier of the app.
    ///   - world: The world whose reader it uses.
    ///   - emulator: The Revolut that it talks to.
    ///   - screen: What it shows itself on.
    ///   - script: Which shapes it shows.
    ///   - tokens: Where device tokens come from.
    ///   - onLogout: Called once the merchant is signed out.
    public init(
        clientID: String,
        world: SimulatedWorld,
        emulator: RevolutEmulator,
        screen: RevolutScreen,
        script: RevolutKitScript,
        tokens: RevolutTokenSource,
        onLogout: @escaping @Sendable () -> Void
    ) {
        self.clientID = clientID
        self.world = world
        self.screen = screen
        self.script = Mutex(script)
        reader = world.reader
        service = RevolutKitService(
            transport: emulator.host,
            tokens: tokens,
            onLogout: onLogout
        )
    }

    /// A charge report: a page about the payment if there is one, and whether it went through.
    public typealias OnDidCharge = @Sendable (URL?, Result<Void, KitError>) -> Void

    /// The vendor's one error.
    public enum KitError: Error, Hashable, Sendable {
        /// Something went wrong; money may have moved.
        case internalError
    }

    /// Takes one payment; the callbacks may come on any thread.
    public func performPayment(
        amount: UInt,
        currency: String,
        description: String?,
        merchantName: String?,
        onDidCharge: @escaping OnDidCharge,
        completion: @escaping @Sendable () -> Void
    ) {
        let flow = Flow(
            amount: Int64(clamping: amount),
            currency: currency,
            description: description,
            script: script.withLock { $0 },
            onDidCharge: onDidCharge,
            completion: completion
        )
        Task(executorPreference: world.time.executor) { await self.run(flow) }
    }

    /// One flow, and what it will tell.
    struct Flow: Sendable {
        let amount: Int64
        let currency: String
        let description: String?
        let script: RevolutKitScript
        let onDidCharge: OnDidCharge
        let completion: @Sendable () -> Void
    }

    /// How a flow ends.
    enum End: Sendable {
        case paid(receipt: URL?)
        case failed
        case cancelled
        case signedOut
    }

    private func run(_ flow: Flow) async {
        screen.show(.sheet)
        let end = await end(of: flow)
        world.time.trace.add("kit", "\(end)")
        tell(end, flow)
    }

    /// Takes the flow from the first request to its end.
    private func end(of flow: Flow) async -> End {
        do throws(RevolutKitService.Failure) {
            var body: [String: JSONTree] = [
                "amount": .number(flow.amount), "currency": .text(flow.currency),
            ]
            if let description = flow.description { body["description"] = .text(description) }
            let order = try await service.send(.post, "/orders", body)
            guard let id = order["id"]?.text, let page = order["checkout_url"]?.text else {
                return .failed
            }
            switch await ready() {
            case .fallBack: return await showCode(page, order: id, flow)
            case .ready: break
            case .fail: return .failed
            }
            return try await tap(order: id, page: page, flow)
        } catch {
            if case .signedOut = error { return .signedOut }
            return .failed
        }
    }

    private enum Readiness {
        case ready, fallBack, fail
    }

    /// Links and prepares the reader, by the table of what makes a tap impossible.
    private func ready() async -> Readiness {
        let token = ReaderToken(text: "reader-\(clientID)", merchant: clientID)
        for attempt in 0..<2 {
            do throws(ReaderError) {
                if case .unsupported(let error) = reader.support() { throw error }
                try await reader.link(token: token)
                try await reader.prepare(token: token)
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
        order: String,
        page: String,
        _ flow: Flow
    ) async throws(RevolutKitService.Failure) -> End {
        for _ in 0..<Self.mostTaps {
            let result: ReadResult
            do throws(ReaderError) {
                let request = ReadRequest(
                    kind: .purchase,
                    minorUnits: flow.amount,
                    currency: flow.currency
                )
                result = try await reader.read(request)
            } catch {
                switch RevolutQRFallback(condition: RevolutReaderConditions.name(of: error)) {
                case .cancel: return .cancelled
                case .retryTap: continue
                case .decline:
                    let reason: [String: JSONTree] = ["failure_reason": .text("pin_data_required")]
                    _ = try await service.send(.post, "/orders/\(order)/tap", reason)
                    return .failed
                case .fallBack, .endCallThenFallBack, .fallBackIfTermsDeclined,
                    .retryThenFallBack, .newTokenThenFallBack:
                    return await showCode(page, order: order, flow)
                case .fail: return .failed
                }
            }
            let payload: [String: JSONTree] = ["payload": .text(result.payload.reveal())]
            let answer = try await service.send(.post, "/orders/\(order)/tap", payload)
            if answer["state"]?.text == "completed" { return .paid(receipt: receipt(order, flow)) }
            guard flow.script.retriesDeclines else { return .failed }
        }
        return .failed
    }

    /// Shows a code until the customer has paid, the merchant closes it, or it has run out.
    private func showCode(_ page: String, order: String, _ flow: Flow) async -> End {
        screen.show(.code(page: page, order: order))
        let start = world.time.clock.now
        while true {
            if screen.wasClosed { return .cancelled }
            if let patience = flow.script.codePatience,
                start.duration(to: world.time.clock.now) >= patience
            {
                return .failed
            }
            if let answer = try? await service.send(.get, "/orders/\(order)"),
                answer["state"]?.text == "completed"
            {
                return .paid(receipt: receipt(order, flow))
            }
            try? await world.time.clock.sleep(for: .seconds(2))
        }
    }

    private func receipt(_ order: String, _ flow: Flow) -> URL? {
        guard flow.script.givesReceipts else { return nil }
        return URL(string: "https://receipts.revolut.simulated/\(order)")
    }

    // MARK: Telling

    /// Calls back in the order and shape of the script.
    private func tell(_ end: End, _ flow: Flow) {
        let isSignedOut = if case .signedOut = end { true } else { false }
        if isSignedOut, flow.script.logoutOrder == .first { service.tellLogout() }
        switch end {
        case .paid(let receipt):
            screen.show(.result("paid"))
            flow.onDidCharge(receipt, .success(()))
        case .cancelled where flow.script.cancelShape == .completionAlone: break
        case .failed, .cancelled, .signedOut:
            screen.show(.result("not paid"))
            flow.onDidCharge(nil, .failure(.internalError))
        }
        if flow.script.anomaly == .secondReport {
            flow.onDidCharge(nil, .failure(.internalError))
        }
        if isSignedOut, flow.script.logoutOrder == .between { service.tellLogout() }
        screen.show(.nothing)
        guard flow.script.anomaly != .noCompletion else { return }
        flow.completion()
        if flow.script.anomaly == .secondCompletion { flow.completion() }
        if flow.script.anomaly == .reportAfterCompletion {
            flow.onDidCharge(nil, .failure(.internalError))
        }
        if isSignedOut, flow.script.logoutOrder == .last { service.tellLogout() }
    }

    /// How often a card may be presented in one flow.
    private static let mostTaps = 5
}
