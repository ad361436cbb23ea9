import Simulation
import Synchronization

@testable import PaymentCore

/// What a scripted vendor does with one payment.
struct VendorScript: Sendable {
    /// The progress that it reports at once.
    var progress: [AttemptProgress] = [.presentCard, .cardRead, .submitting]
    /// The reference that it notes at once, if any.
    var notes: AcquirerReference?
    /// What it books at once, if anything.
    var books: (@Sendable (PaymentAttempt, Date) -> AcquirerRecord)?
    /// How long it then takes.
    var delay: Duration = .zero
    /// How it ends; never when nil.
    var answer: ProviderAnswer?
    /// What it answers to a cancellation.
    var cancel = CancelShape.ignored(.tooLate)

    enum CancelShape: Sendable {
        /// Nothing happens but the answer.
        case ignored(Cancellation)
        /// The payment ends as cancelled, unless it has ended.
        case ends
        /// The answer never comes.
        case hangs
    }
}

/// A vendor that does what a test wrote down.
final class ScriptedProvider: PaymentProvider {
    let capabilities: ProviderCapabilities
    private let time: SimulatedTime
    private let books: ScriptedBooks
    private let state: Mutex<State>

    struct State {
        var scripts: [VendorScript]
        var performed: [AttemptID] = []
        var cancelled: [AttemptID] = []
        var running: [AttemptID: OneShot<ProviderAnswer>] = [:]
        var remembered: Set<AttemptID> = []
        var prepared = 0
        var preparation: [Result<Duration, PaymentError>] = []
        var device: String? = "till"
        var hangs: Set<Call> = []
    }

    /// A small question that a vendor may never answer.
    enum Call: Sendable { case device, readiness }

    init(
        time: SimulatedTime,
        books: ScriptedBooks,
        capabilities: ProviderCapabilities,
        scripts: [VendorScript]
    ) {
        self.time = time
        self.books = books
        self.capabilities = capabilities
        state = Mutex(State(scripts: scripts))
    }

    /// The payments that reached the vendor, in order.
    var performed: [AttemptID] { state.withLock { $0.performed } }
    /// The cancellations that reached the vendor, in order.
    var cancelled: [AttemptID] { state.withLock { $0.cancelled } }
    /// How often it was asked to prepare.
    var prepared: Int { state.withLock { $0.prepared } }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    func readiness() async -> ProviderReadiness {
        if state.withLock({ $0.hangs.contains(.readiness) }) { await never() }
        return ProviderReadiness(isSupported: true, link: .linked, isPrepared: true)
    }

    func device() async -> String? {
        if state.withLock({ $0.hangs.contains(.device) }) { await never() }
        return state.withLock { $0.device }
    }

    func prepare() async throws(PaymentError) {
        let step = state.withLock { state -> Result<Duration, PaymentError> in
            state.prepared += 1
            return state.preparation.isEmpty ? .success(.zero) : state.preparation.removeFirst()
        }
        let delay = try step.get()
        try? await time.clock.sleep(for: delay)
    }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        let end = OneShot<ProviderAnswer>()
        let script = state.withLock { state -> VendorScript in
            state.performed.append(attempt.id)
            state.running[attempt.id] = end
            return state.scripts.count > 1
                ? state.scripts.removeFirst() : state.scripts.first ?? VendorScript()
        }
        for progress in script.progress { context.report(progress) }
        if let record = script.books?(attempt, time.wallTime) { books.add(record) }
        if let reference = script.notes { await context.note(reference) }
        if case .ends = script.cancel, state.withLock({ $0.remembered.contains(attempt.id) }) {
            end.resolve(.cancelled)
        }
        if let answer = script.answer, script.delay == .zero {
            end.resolve(answer)
        } else if let answer = script.answer {
            time.clock.schedule(after: script.delay) { end.resolve(answer) }
        }
        let answer = await end.value()
        state.withLock { _ = $0.running.removeValue(forKey: attempt.id) }
        return answer
    }

    func cancel(_ attempt: AttemptID) async -> Cancellation {
        let (running, shape) = state.withLock { state in
            state.cancelled.append(attempt)
            return (state.running[attempt], state.scripts.first?.cancel)
        }
        switch shape {
        case .ignored(let answer): return answer
        case .ends:
            guard let running else {
                state.withLock { _ = $0.remembered.insert(attempt) }
                return .asked
            }
            return running.resolve(.cancelled) ? .asked : .tooLate
        case .hangs, nil:
            await never()
            return .asked
        }
    }

    private func never() async { _ = await OneShot<Bool>().value() }
}

extension ScriptedProvider {
    /// Everything that the engine can be asked for.
    static var able: ProviderCapabilities {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale, .authorization, .refundToCard]
        capabilities.tip = true
        capabilities.surcharge = true
        capabilities.cancelFromCode = true
        return capabilities
    }
}
