public import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Synchronization

/// The simulated kit: the calls of Finix's SDK that a payment needs, over the simulated reader.
///
/// It reads and submits inside one call, as the vendor's does, and hides what the vendor's hides.
public final class FinixTapToPay: Sendable {
    private let configuration: TapToPayConfiguration
    private let world: SimulatedWorld
    private let reader: SimulatedReader
    private let service: FinixReaderService
    private let events = FinixEventHub()
    private let state = Mutex(State())

    private struct State {
        var hasSession = false
        var linkedAt: VirtualClock.Instant?
        var count = 0
    }

    /// Creates the kit for one merchant and Device.
    ///
    /// - Parameters:
    ///   - configuration: Merchant and Device.
    ///   - world: The world whose reader it uses.
    ///   - emulator: The Finix that it submits to.
    public init(
        configuration: TapToPayConfiguration,
        world: SimulatedWorld,
        emulator: FinixEmulator
    ) {
        self.configuration = configuration
        self.world = world
        reader = world.reader
        service = FinixReaderService(transport: emulator.host, configuration: configuration)
        reader.subscribe { [weak self] event in
            if case .sessionEnded = event { self?.state.withLock { $0.hasSession = false } }
        }
    }

    /// Whether the simulated device can read cards.
    public func isSupported() -> Bool { reader.support() == .supported }

    /// Hears each event from now on, and at once the latest one.
    ///
    /// - Returns: What ends it.
    public func observe(
        _ handler: @escaping @Sendable (TapToPayTransactionEvent) -> Void
    ) -> @Sendable () -> Void {
        events.add(handler)
    }

    /// Whether the account is linked; false also when nobody could find out.
    public func isAccountLinked() async -> Bool {
        let now = world.time.clock.now
        let isFresh = state.withLock { state in
            state.linkedAt.map { $0.duration(to: now) < Self.linkStatusCacheDuration } ?? false
        }
        return isFresh ? true : await forceRefreshLinkStatus()
    }

    /// The same, asked of the reader anew.
    public func forceRefreshLinkStatus() async -> Bool {
        state.withLock { $0.linkedAt = nil }
        guard let token = try? await service.token() else { return false }
        guard let isLinked = try? await reader.linkStatus(token: token), isLinked else {
            return false
        }
        state.withLock { $0.linkedAt = world.time.clock.now }
        return true
    }

    /// Has the merchant accept the terms.
    public func linkAccount() async throws(TapToPayError) {
        let token = try await service.token()
        do throws(ReaderError) {
            try await reader.link(token: token)
        } catch {
            throw FinixReaderErrors.link(error)
        }
        state.withLock { $0.linkedAt = world.time.clock.now }
    }

    /// Prepares the reader.
    public func prepareReader() async throws(TapToPayError) {
        guard await isAccountLinked() else { throw .accountNotLinked }
        let token = try await service.token()
        do throws(ReaderError) {
            try await reader.prepare(token: token)
        } catch {
            throw FinixReaderErrors.prepare(error)
        }
        state.withLock { $0.hasSession = true }
    }

    /// Takes one payment: reads a card and submits it.
    ///
    /// - Returns: The result of an approved payment.
    /// - Throws: ``TapToPayError`` for everything else, whatever became of the money.
    public func startTransaction(
        amount: Int,
        currency: String,
        type: TransactionType = .sale,
        identityId: String? = nil,
        surchargeAmount: Int? = nil,
        tipAmount: Int? = nil,
        promptForSignature: Bool? = nil
    ) async throws(TapToPayError) -> TapToPayTransactionResult {
        guard state.withLock({ $0.hasSession }) else { throw .readerPreparationFailed(nil) }
        events.send(.preparingTransaction)
        do throws(TapToPayError) {
            events.send(.readingCard)
            let total = Int64(amount) + Int64(tipAmount ?? 0)
            let read = try await read(total, currency, type)
            events.send(.cardRead)
            events.send(.processing)
            var payment = FinixReaderService.Payment(
                amount: Int64(amount),
                currency: currency,
                type: type,
                payload: read.payload
            )
            payment.tip = Int64(tipAmount ?? 0)
            payment.surcharge = Int64(surchargeAmount ?? 0)
            payment.identifier = nextIdentifier()
            world.time.trace.add("kit", "submit \(payment.identifier)")
            let result = try await service.pay(payment, at: world.time.wallTime)
            events.send(.success(result))
            return result
        } catch {
            events.send(.failure(error))
            throw error
        }
    }

    /// Cancels the read that is running; no effect otherwise.
    public func cancelTransaction() async { _ = await reader.cancelRead() }

    private func read(
        _ minorUnits: Int64,
        _ currency: String,
        _ type: TransactionType
    ) async throws(TapToPayError) -> ReadResult {
        let request = ReadRequest(
            kind: type == .refund ? .refund : .purchase,
            minorUnits: minorUnits,
            currency: currency
        )
        do throws(ReaderError) {
            return try await reader.read(request)
        } catch {
            throw FinixReaderErrors.read(error)
        }
    }

    private func nextIdentifier() -> String {
        let count = state.withLock { state in
            state.count += 1
            return state.count
        }
        let start = FinixRow.letters(Int(world.time.wallTime.timeIntervalSince1970 * 1_000))
        return "tx-\(start)-\(FinixRow.letters(count))"
    }

    /// How long a proven link is believed.
    private static let linkStatusCacheDuration = Duration.seconds(300)
}
