import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ProviderContractKit
import ReaderSimulation
import Simulation
import Synchronization

/// An adapter that was broken on purpose: a sound one with one thing changed.
struct Mutant: Sendable, CustomStringConvertible {
    let description: String
    var base = Base.full
    /// The families that are run at it; all when nil.
    var families: [ContractRule.Family]?
    var change = Change()

    /// Which sound adapter was broken.
    enum Base: String, CaseIterable, Sendable {
        /// Everything that Acme can do.
        case full
        /// Sales alone.
        case plain
        /// Holds alone.
        case holder
    }

    init(
        _ description: String,
        _ families: [ContractRule.Family]? = nil,
        base: Base = .full,
        _ change: (inout Change) -> Void
    ) {
        self.description = description
        self.base = base
        self.families = families
        change(&self.change)
    }
}

/// Where a broken adapter lives.
struct Scene: Sendable {
    let world: SimulatedWorld
    let host: EmulatedHost
    let environment: PaymentEnvironment

    /// Sends a request that nobody asked for.
    func chat(_ path: String = "/payments") async {
        _ = try? await host.send(HTTPRequest(.post, AcmeEmulator.origin, path))
    }

    /// Does so without anybody waiting for it.
    func chatLater() {
        Task(executorPreference: environment.executor) { await chat() }
    }
}

/// What is changed; nil leaves the sound adapter's own.
struct Change: Sendable {
    var capabilities: (@Sendable (inout ProviderCapabilities, Int) -> Void)?
    var bookCapabilities: (@Sendable (inout BackOfficeCapabilities, Int) -> Void)?
    var attempt: (@Sendable (PaymentAttempt) -> PaymentAttempt)?
    var report: (@Sendable (AttemptContext) -> Void)?
    var answer: (@Sendable (ProviderAnswer, PaymentAttempt) -> ProviderAnswer)?
    var perform:
        (
            @Sendable (any PaymentProvider, PaymentAttempt, AttemptContext, Scene) async ->
                ProviderAnswer
        )?
    var cancel: (@Sendable (any PaymentProvider, AttemptID) async -> Cancellation)?
    var prepare: (@Sendable (any PaymentProvider, Scene, Int) async throws(PaymentError) -> Void)?
    var readiness: (@Sendable (ProviderReadiness) -> ProviderReadiness)?
    var device: (@Sendable (Scene) async -> String?)?
    var listing: (@Sendable (inout RecordListing, RecordQuery) -> Void)?
    var listingError: (@Sendable (PaymentError, RecordQuery) -> RecordListing)?
    var bookAnswer: (@Sendable (BackOfficeAnswer, PaymentAttempt) -> BackOfficeAnswer)?
    var request: (@Sendable (HTTPRequest) -> [HTTPRequest])?
    var response: (@Sendable (HTTPRequest, HTTPResponse) -> HTTPResponse)?
    var account: (@Sendable (Account, PaymentEnvironment) -> Account)?
    var make: (@Sendable (ConfigurationSection) -> AcmeConfiguration?)?
    var chatsAlways = false
    /// Whether the books side does what it does not declare.
    var isUndeclared = false
    var open: (@Sendable (Scene) -> Void)?
    var tokenFetches = 1
}

/// Runs the contract at a broken adapter.
struct MutantHarness: ContractHarness {
    let base: Mutant.Base
    var change = Change()
    let provider = "acme"
    let section = AcmeHarness().section
    let currency = AcmeHarness().currency
    let secrets = AcmeHarness().secrets

    var facets: Set<ContractCapability> {
        base == .full ? AcmeHarness().facets : [.readerTokens, .declineReasons, .holdsExpire]
    }

    func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
        let emulator = AcmeEmulator(world: world)
        tokens.issue { emulator.issueToken() }
        let (base, change) = (base, change)
        let factory = ProviderFactory(name: provider) { section, environment in
            let make = change.make ?? { AcmeConfiguration.simulated($0) }
            guard let configuration = make(section) else { return nil }
            let scene = Scene(world: world, host: emulator.host, environment: environment)
            change.open?(scene)
            let repeated = RepeatedTokens(
                base == .full ? tokens : OwnTokens(emulator: emulator),
                times: change.tokenFetches,
                extra: base == .full || change.tokenFetches == 1 ? nil : tokens
            )
            let sound = Acquirer.acme(
                configuration,
                transport: MutantTransport(host: emulator.host, change: change),
                reader: SimulatedAcmeReader(world),
                tokens: repeated,
                environment: environment
            )
            return Acquirer(
                account: change.account.map { $0(sound.account, environment) } ?? sound.account,
                provider: MutantProvider(sound.provider, base, change, scene),
                backOffice: sound.backOffice.map { MutantBooks($0, base, change, scene) }
            )
        }
        return AcmeHarness.stage(emulator, factory)
    }
}

/// Tokens of the acquirer's own, which the contract does not hand over.
struct OwnTokens: TokenProvider {
    let emulator: AcmeEmulator
    func token() async throws -> AccessToken { emulator.issueToken() }
}

/// Fetches more tokens than it needs.
struct RepeatedTokens: TokenProvider {
    let inner: any TokenProvider
    let times: Int
    let extra: (any TokenProvider)?

    init(_ inner: any TokenProvider, times: Int, extra: (any TokenProvider)?) {
        self.inner = inner
        self.times = times
        self.extra = extra
    }

    func token() async throws -> AccessToken {
        _ = try await extra?.token()
        for _ in 1..<max(times, 1) { _ = try await inner.token() }
        return try await inner.token()
    }
}

/// Counts from zero.
final class LookCounter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
