public import AcquirerSimulation
import PaymentCore
import PaymentTransport
import Synchronization

/// Finix as far as taps need it: reader tokens, the reader service, transfers and authorizations.
public final class FinixEmulator: Sendable {
    /// The origin at which it pretends to be.
    public static let origin = "https://finix.simulated"
    /// The API key that it accepts.
    public static let username = "USsimulated"
    /// The API key's secret.
    public static let password = "simulated-secret"

    /// Takes the requests of clients; its plan of faults says what goes wrong.
    public let host: EmulatedHost
    let books: FinixBooks

    /// Creates an emulator.
    ///
    /// - Parameters:
    ///   - world: Where it books money and whose issuers it asks.
    ///   - merchant: The merchant that exists.
    ///   - devices: The Devices that exist, by id, and whether they are enabled.
    public init(world: SimulatedWorld, merchant: String, devices: [String: Bool]) {
        let books = FinixBooks(world: world, merchant: merchant, devices: devices)
        self.books = books
        host = EmulatedHost(
            name: "finix",
            time: world.time,
            line: world.line,
            isSubmission: { $0.method == .post && $0.path == FinixRoute.payment }
        ) { request, requestID in
            books.answer(request, requestID)
        }
    }

    /// Everything that this Finix knows, to be kept for a later run.
    public var snapshot: Snapshot { Snapshot(state: books.snapshot) }

    /// Goes on from what Finix knew in an earlier run.
    public func restore(_ snapshot: Snapshot) { books.restore(snapshot.state) }

    /// What the emulated Finix knows.
    public struct Snapshot: Sendable, Codable {
        let state: FinixBooks.State
    }

    /// Makes every payment take so much longer to be answered.
    public func delayPayments(by delay: Duration) {
        host.faults.add(.delay(delay)) { $0.path == FinixRoute.payment }
    }

    /// Leaves the next payments pending, and has them settled after a while.
    public func leavePending(times: Int = 1, until delay: Duration, succeeds: Bool) {
        books.leavePending(times: times, until: delay, succeeds: succeeds)
    }

    /// Cuts every client off from the REST API; the reader service goes on.
    public func cutBackOffice() {
        host.faults.add(.unreachable) { !FinixRoute.isReaderService($0.path) }
    }

    /// Loses the answer to the next payment, before or after it is booked.
    public func loseNextPayment(booked: Bool) {
        host.faults.add(booked ? .loseAnswer : .loseRequest, times: 1) {
            $0.path == FinixRoute.payment
        }
    }
}

/// The paths of the emulator.
enum FinixRoute {
    static let token = "/tap_to_pay_token"
    static let payment = "/card_reader/transfers"

    /// Whether the kit asks for it; the merchant's number is part of a payment.
    static func isReaderService(_ path: String) -> Bool {
        path == token || path == payment
            || path.hasPrefix("/merchants/") && !path.hasSuffix("/devices")
    }
}
