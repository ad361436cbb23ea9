public import AcquirerSimulation
public import PaymentCore
import PaymentTransport
import Synchronization

/// An Acme that exists in the simulation alone.
public final class AcmeEmulator: Sendable {
    /// Where it pretends to be.
    public static let origin = "https://acme.simulated"
    /// The key of the books side that it accepts.
    public static let apiKey = "acme-simulated-key"

    /// Takes the requests.
    public let host: EmulatedHost
    private let books: AcmeBooks

    /// Creates an emulator in a world.
    public init(world: SimulatedWorld) {
        let books = AcmeBooks(world: world)
        self.books = books
        host = EmulatedHost(
            name: "acme",
            time: world.time,
            line: world.line,
            isSubmission: { $0.method == .post && $0.path == "/payments" }
        ) { request, _ in
            books.answer(request)
        }
    }

    /// A device token, as the app's back end would obtain it.
    public func issueToken() -> AccessToken { AccessToken(books.issueToken()) }

    /// Accepts none of the tokens that are out any more.
    public func expireTokens() { books.state.withLock { $0.tokens = [] } }

    /// Lists every payment twice from now on.
    public func listTwice() { books.state.withLock { $0.listsTwice = true } }

    /// Leaves the next payment pending for a while.
    public func leavePending(_ delay: Duration, succeeds: Bool) {
        books.state.withLock { $0.pending = .init(delay: delay, succeeds: succeeds) }
    }

    /// Has the customer pay the next page, so long after it was made.
    public func payNextPage(after delay: Duration) {
        books.state.withLock { $0.paysPageAfter = delay }
    }
}

extension AcmeConfiguration {
    /// Reads the section for an Acme in the simulation.
    public static func simulated(_ section: ConfigurationSection) -> AcmeConfiguration? {
        AcmeConfiguration(
            section,
            origin: AcmeEmulator.origin,
            apiKey: Secret(AcmeEmulator.apiKey)
        )
    }
}
