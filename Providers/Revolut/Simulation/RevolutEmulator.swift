public import AcquirerSimulation
public import PaymentCore
import PaymentTransport
import Synchronization

/// Revolut as far as payments at the counter need it: the Merchant API, and the kit's own service.
public final class RevolutEmulator: Sendable {
    /// The origin at which it pretends to be.
    public static let origin = "https://revolut.simulated"
    /// The secret key that it accepts.
    public static let apiKey = "sk-simulated"

    /// Takes the requests of clients; its plan of faults says what goes wrong.
    public let host: EmulatedHost
    let books: RevolutBooks

    /// Creates an emulator in a world.
    public init(world: SimulatedWorld) {
        let books = RevolutBooks(world: world)
        self.books = books
        host = EmulatedHost(
            name: "revolut",
            time: world.time,
            line: world.line,
            isSubmission: { $0.method == .post && $0.path.hasSuffix("/tap") }
        ) { request, requestID in
            books.answer(request, requestID)
        }
    }

    /// The authorization server that belongs to it.
    public var authorization: RevolutAuthorization { books.authorization }

    /// The webhooks that are registered, and their deliveries.
    public var webhooks: RevolutWebhooks { books.webhooks }

    /// A new device token, as the app's back end would obtain it.
    public func issueDeviceToken() -> AccessToken { AccessToken(books.issueToken()) }

    /// Accepts none of the device tokens that are out any more.
    public func revokeDeviceTokens() { books.revokeTokens() }

    /// Accepts these currencies alone.
    public func accept(currencies: Set<String>) {
        books.state.withLock { $0.currencies = currencies }
    }

    /// Fails the next tap for a technical reason, and leaves its order to be paid.
    public func failNextTap() {
        books.state.withLock { $0.failingTaps = ($0.failingTaps ?? 0) + 1 }
    }

    /// Declines the next refund, and keeps its order.
    public func declineNextRefund(_ reason: String = "do_not_honour") {
        books.state.withLock { $0.refundDeclines = ($0.refundDeclines ?? []) + [reason] }
    }

    /// The customer pays an order on a device of their own; false when it cannot be paid any more.
    @discardableResult
    public func payByCode(_ order: String) -> Bool { books.payByCode(order) }

    /// The customer's payment of an order is under way until it is paid or refused; false when it
    /// cannot be paid.
    @discardableResult
    public func startByCode(_ order: String) -> Bool { books.startByCode(order) }

    /// What scripts asked for that the table of states does not have; a test that wants none fails.
    public var scriptFaults: [String] { books.faults.withLock { $0 } }

    /// The customer's card is refused at the page of an order; false when it cannot be paid.
    @discardableResult
    public func refuseByCode(_ order: String, reason: String = "do_not_honour") -> Bool {
        books.refuseByCode(order, reason)
    }

    /// The customer pays at a page that a code led to.
    @discardableResult
    public func payByCode(at page: String) -> Bool {
        let order = books.state.withLock { state in state.orders.first { $0.page == page }?.id }
        return order.map { books.payByCode($0) } ?? false
    }

    /// The customer's card is refused at a page that a code led to.
    @discardableResult
    public func refuseByCode(at page: String, reason: String = "do_not_honour") -> Bool {
        let order = books.state.withLock { state in state.orders.first { $0.page == page }?.id }
        return order.map { books.refuseByCode($0, reason) } ?? false
    }

    /// Cuts every client off from the Merchant API; the kit's own service goes on.
    public func cutBackOffice() { host.faults.add(.unreachable) { $0.path.hasPrefix("/api/") } }

    /// Loses the next charge, before or after it is booked.
    public func loseNextCharge(booked: Bool) {
        host.faults.add(booked ? .loseAnswer : .loseRequest, times: 1) { $0.path.hasSuffix("/tap") }
    }

    /// Makes every charge take so much longer to be answered.
    public func delayCharges(by delay: Duration) {
        host.faults.add(.delay(delay)) { $0.path.hasSuffix("/tap") }
    }

    /// Everything that this Revolut knows, to be kept for a later run.
    public var snapshot: Snapshot {
        Snapshot(
            state: books.state.withLock { $0 },
            authorization: authorization.state.withLock { $0 },
            webhooks: webhooks.state.withLock { $0 },
            locations: books.locations.state.withLock { $0 }
        )
    }

    /// Goes on from what Revolut knew in an earlier run.
    public func restore(_ snapshot: Snapshot) {
        books.state.withLock { $0 = snapshot.state }
        if let kept = snapshot.authorization { authorization.state.withLock { $0 = kept } }
        if let kept = snapshot.locations { books.locations.state.withLock { $0 = kept } }
        if let kept = snapshot.webhooks { webhooks.state.withLock { $0 = kept } }
        books.watchTime()
    }

    /// What the emulated Revolut knows.
    public struct Snapshot: Sendable, Codable {
        let state: RevolutBooks.State
        var authorization: RevolutAuthorization.State?
        var webhooks: RevolutWebhooks.State?
        var locations: [RevolutLocations.Location]?
    }
}
