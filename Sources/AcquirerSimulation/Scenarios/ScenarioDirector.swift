import PaymentCore
public import ReaderSimulation
import Simulation
import Synchronization

/// Plays the script of a scenario in a world: people, the network, the issuer, and what goes wrong.
///
/// It works for whatever program uses the world's reader, a vendor's stand-in among them.
public final class ScenarioDirector: Sendable {
    private struct State {
        /// The steps that were carried out, or handed to somebody who will.
        var done: Set<Int> = []
        var seen: [String: Int] = [:]
        var waiting: (event: String, until: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let steps: [ScenarioStep]
    private let world: SimulatedWorld
    private let desk: SubmissionDesk?
    private let faults: [ReaderFault]
    private let state = Mutex(State())

    /// Prepares to play.
    ///
    /// - Parameters:
    ///   - scenario: The scenario; its device is the world's to have.
    ///   - world: The world.
    ///   - desk: The acquirer whose answers it may script, where it is a plain desk.
    public init(_ scenario: Scenario, world: SimulatedWorld, desk: SubmissionDesk? = nil) {
        steps = scenario.script
        faults = scenario.faults
        self.world = world
        self.desk = desk
    }

    /// Puts the faults in their places, and begins to listen for what the script waits for.
    public func arm() {
        for fault in faults { control.add(fault) }
        control.watch { [weak self] in self?.hear($0.scenarioName) }
    }

    private var control: ReaderControl { world.device.control }

    /// Takes note of an event that the reader told.
    private func hear(_ name: String) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.seen[name, default: 0] += 1
            guard let waiting = state.waiting, waiting.event == name,
                state.seen[name, default: 0] >= waiting.until
            else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
    }

    /// Plays everything, until the end or until it is cancelled.
    public func play() async {
        var before: [String: Int] = [:]
        for (index, step) in steps.enumerated() {
            if Task.isCancelled { return }
            if step.isTimed, let after = step.after {
                try? await world.time.clock.sleep(for: after)
                if Task.isCancelled { return }
            }
            if case .waitFor(let event, let times) = step.kind {
                guard await wait(for: event, until: before[event, default: 0] + times) else {
                    return
                }
            } else if case .advance(let duration) = step.kind {
                try? await world.time.clock.sleep(for: duration)
                if Task.isCancelled { return }
            } else {
                perform(step)
            }
            state.withLock { state in
                state.done.insert(index)
                // What came before an earlier wait does not end a later one.
                if case .waitFor = step.kind { before = state.seen }
            }
        }
    }

    /// Waits for an event; false when the director was cancelled meanwhile.
    private func wait(for event: String, until count: Int) async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    if state.seen[event, default: 0] >= count || Task.isCancelled { return true }
                    state.waiting = (event, count, continuation)
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.continuation.resume()
        }
        return !Task.isCancelled
    }

    private func perform(_ step: ScenarioStep) {
        world.time.trace.add("script", step.kind.name)
        switch step.kind {
        case .present(let cards, let hold):
            if cards.count > 1 { return control.present(cards: cards, after: step.after) }
            control.present(card: cards[0], after: step.after, hold: hold)
        case .customerCancels: control.customerWillCancel(after: step.after)
        case .merchantCancels: control.merchantWillCancel(after: step.after)
        case .pin(let answer): control.nextPIN(answer, after: step.after)
        case .terms(let answer): control.nextTerms([answer])
        case .issuer(let issuer): script(issuer)
        case .remove: control.removeCard()
        case .background: control.background()
        case .foreground: control.foreground()
        case .inactive: control.inactive()
        case .call: control.call()
        case .endCall: control.endCall()
        case .lock: control.lock()
        case .unlock: control.unlock()
        case .network(let network): control.network(network)
        case .flap(let times): control.networkFlap(times)
        case .expireToken: control.expireToken()
        case .expireSession: control.expireSession()
        case .revokeLink: control.revokeLink()
        case .setDevice(let traits): control.traits = traits
        case .crash: control.crash()
        case .relaunch: control.relaunch()
        case .restartDevice: control.restartDevice()
        case .advance, .waitFor: break
        }
    }

    private func script(_ issuer: ScenarioStep.Issuer) {
        var line = SubmissionLine.Script()
        line.delay = issuer.delay
        line.losesRequest = issuer.losesRequest
        line.losesReply = issuer.losesReply
        line.duplicatesReply = issuer.duplicatesReply
        world.line.script([line])
        if issuer.requestsPIN { world.issuer.script([.askForPIN]) }
        if let part = issuer.partial { return world.issuer.script([.approvePart(part)]) }
        switch issuer.answer {
        case .approve: world.issuer.script([.approve])
        case .decline(let refusal): world.issuer.script([.decline(refusal)])
        case .pending(let approves): script(.pending(thenApproves: approves))
        case .errorBefore: script(.errorBefore)
        case .errorAfter: script(.errorAfter)
        case .refuse(let status): script(.refuse(status))
        case .reverse: script(.approveThenReverse)
        case .contradict: script(.declineThenApprove)
        case nil: break
        }
    }

    private func script(_ answer: SubmissionDesk.Script) {
        guard let desk else { return world.time.trace.add("script", "there is no desk to script") }
        desk.script([answer])
    }

    /// What was never carried out, or never met.
    public var unused: [String] {
        let done = state.withLock { $0.done }
        var unused = steps.enumerated().filter {
            !done.contains($0.offset) && !$0.element.isOptional
        }
        .map { "script[\($0.offset)] was never reached" }
        let optional = steps.filter(\.isOptional)
        func left(_ count: Int, _ what: String, _ isSuch: (ScenarioStep.Kind) -> Bool) {
            if count > optional.count(where: { isSuch($0.kind) }) {
                unused.append("\(count) \(what) left unused")
            }
        }
        left(control.waitingCustomers, "taps and cancels at the sheet were") { kind in
            switch kind {
            case .present, .customerCancels, .merchantCancels: true
            default: false
            }
        }
        left(control.waitingPINs, "PINs were") { if case .pin = $0 { true } else { false } }
        left(control.waitingTerms, "answers to terms were") { kind in
            if case .terms = kind { true } else { false }
        }
        let waiting = desk?.waitingScripts ?? 0
        let answers = world.issuer.waitingScripts + waiting + world.line.waitingScripts
        left(answers, "answers of the issuer were") { kind in
            if case .issuer = kind { true } else { false }
        }
        let missed = control.unusedFaults.filter { !$0.isOptional }
        return unused + missed.map { "fault \"\($0)\" was never reached" }
    }
}

extension ScenarioStep {
    /// Whether its time is counted from the step before, and not from a sheet or a keypad.
    fileprivate var isTimed: Bool {
        switch kind {
        case .present, .customerCancels, .merchantCancels, .pin, .terms, .issuer: false
        default: true
        }
    }
}
