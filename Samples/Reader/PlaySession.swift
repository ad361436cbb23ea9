import AcquirerSimulation
import CommandLineSupport
import PaymentCore
import ReaderSimulation
import Simulation
import Synchronization

/// A reader that is operated by hand: commands in, events and states out.
final class PlaySession: Sendable {
    let world: SimulatedWorld
    private let desk: SubmissionDesk
    private let reader: Mutex<SimulatedReader>
    private let count = Mutex(0)
    private let misunderstood = Mutex(0)

    init(device: SimulatedDeviceConfiguration, card: SimulatedCard?, seed: UInt64) {
        world = SimulatedWorld(time: SimulatedTime(seed: seed), device: device)
        desk = SubmissionDesk(world: world)
        reader = Mutex(world.reader)
        world.device.control.alwaysThisCard = card
        world.device.control.watch { [weak self] in self?.say("event \($0.scenarioName)") }
        world.device.control.processHooks = ProcessHooks(
            ended: { [weak self] in self?.say("the app has ended") },
            relaunch: { [weak self] in self?.launch() }
        )
    }

    var control: ReaderControl { world.device.control }

    private func launch() {
        // A new reader is made outside of the device's own call.
        world.time.clock.schedule(after: .zero) { [self] in
            let next = SimulatedReader(device: world.device)
            reader.withLock { $0 = next }
            say("the app is launched again")
        }
    }

    /// Tells the person at the terminal what happens, with the time of the simulation.
    func say(_ text: String) {
        Terminal.write("\(ScenarioDuration.seconds(world.time.clock.now.offset))  \(text)", to: 1)
    }

    /// Tells that a command is not understood, and what is.
    private func refuse(_ text: String) {
        misunderstood.withLock { $0 += 1 }
        say(text)
    }

    /// Runs until the person has enough.
    func run(speed: Double?) throws(UsageError) -> Report {
        let keyboard = Keyboard()
        try keyboard.start()
        let (commands, feed) = AsyncStream<String>.makeStream()
        var driving = Driving()
        driving.betweenSteps = {
            let (lines, isAtEnd) = keyboard.take()
            for line in lines { feed.yield(line) }
            if isAtEnd { feed.finish() }
        }
        if keyboard.isTyped { Terminal.write("\"help\" lists the commands.", to: 1) }
        if let pace = speed ?? (keyboard.isTyped ? 1 : nil) {
            driving.beforeWaiting = { keyboard.wait($0 / pace) }
        }
        do throws(SimulationStop) {
            try world.time.run("play", driving: driving) { [self] in
                await serve(commands, isTyped: keyboard.isTyped)
            }
            let count = misunderstood.withLock { $0 }
            guard !keyboard.isTyped, count > 0 else { return Report(.success) }
            return .problem(.badScript, ["play: \(count) of the commands are not understood"])
        } catch {
            return .problem(.software, ["internal: nothing can happen any more (\(error))"])
        }
    }

    private func serve(_ commands: AsyncStream<String>, isTyped: Bool) async {
        await withTaskGroup(of: Void.self) { group in
            if isTyped {
                // Somebody may type at any time, also while nothing else waits.
                group.addTask { [clock = world.time.clock] in
                    while !Task.isCancelled { try? await clock.sleep(for: .seconds(3_600)) }
                }
            }
            for await line in commands {
                world.time.trace.add("hand", Scrubbing.scrub(line))
                let words = line.split { $0 == " " || $0 == "\t" }
                guard let first = words.first, !first.hasPrefix("#") else { continue }
                if let most = PlayWords.arguments[first], words.count - 1 > most {
                    refuse("\(first): accepted is \(PlayWords.behind(most))")
                    continue
                }
                if first == "quit" || first == "exit" { break }
                if first == "wait" {
                    await wait(words)
                } else if let call = call(words) {
                    group.addTask { await call() }
                } else if !act(words) {
                    let found = Scrubbing.scrub(String(first.prefix(40)))
                    refuse("unknown command \"\(found)\"; \"help\" lists them")
                }
            }
            // What was begun comes to its end, as long as nobody has to type for it.
            if isTyped { group.cancelAll() }
        }
    }

    private func wait(_ words: [Substring]) async {
        guard words.count == 2, let duration = ScenarioDuration.parse(words[1]) else {
            return refuse("wait TIME: accepted is \(ScenarioDuration.accepted)")
        }
        try? await world.time.clock.sleep(for: duration)
    }

    // MARK: - What the app does

    /// A call of the app, which takes its time; nil when the command is none.
    private func call(_ words: [Substring]) -> (@Sendable () async -> Void)? {
        let reader = reader.withLock { $0 }
        let token = nextToken()
        switch words[0] {
        case "link":
            return told("link") { () throws(ReaderError) in
                try await reader.link(token: token)
            }
        case "relink":
            return told("relink") { () throws(ReaderError) in
                try await reader.relink(token: token)
            }
        case "prepare":
            return told("prepare") { () throws(ReaderError) in
                try await reader.prepare(token: token)
            }
        case "status":
            return told("status") { () throws(ReaderError) -> String in
                try await reader.linkStatus(token: token) ? "linked" : "not linked"
            }
        case "name":
            return told("name") { () throws(ReaderError) -> String in
                try await reader.readerIdentifier()
            }
        case "close": return { await reader.close() }
        case "cancel": return { [self] in say("cancel: \(await reader.cancelRead())") }
        case "read", "sell", "refund", "verify": return read(words, reader)
        default: return nil
        }
    }

    private func nextToken() -> ReaderToken {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return ReaderToken(
            text: "token-\(number)",
            merchant: "shop-1",
            issuedAt: world.time.clock.now
        )
    }

    private func told<Value>(
        _ name: String,
        _ call: @escaping @Sendable () async throws(ReaderError) -> Value
    ) -> @Sendable () async -> Void {
        { [self] in
            do throws(ReaderError) {
                let value = try await call()
                say("\(name): \(value is Void ? "done" : "\(value)")")
            } catch {
                say("\(name) throws \(error); next: \(error.retry.rawValue)")
            }
        }
    }

    private func read(
        _ words: [Substring],
        _ reader: SimulatedReader
    ) -> (@Sendable () async -> Void)? {
        let request: ReadRequest
        if words[0] == "verify" {
            request = ReadRequest(kind: .verification, minorUnits: 0, currency: "EUR")
        } else {
            switch PlayWords.amount(words) {
            case .failure(let error):
                return { [self] in refuse("\(words[0]): \(error)") }
            case .success(let money):
                request = ReadRequest(
                    kind: words[0] == "refund" ? .refund : .purchase,
                    minorUnits: money.minorUnits,
                    currency: money.currency.code
                )
            }
        }
        let charges = words[0] == "sell"
        return { [self] in
            do throws(ReaderError) {
                let result = try await reader.read(request)
                say("read returns \(result.readID), \(result.outcome.rawValue)")
                if charges { await charge(result, request, reader) }
            } catch {
                let mayExist = error.payloadMayExist ? "; a payload may exist" : ""
                say("read throws \(error); next: \(error.retry.rawValue)\(mayExist)")
            }
        }
    }

    private func charge(
        _ first: ReadResult,
        _ request: ReadRequest,
        _ reader: SimulatedReader
    ) async {
        var result = first
        let attempt = first.readID
        while true {
            do throws(SubmissionDesk.Failure) {
                let reply = try await desk.submit(
                    SubmissionDesk.Submission(
                        payload: result.payload,
                        key: attempt,
                        attempt: attempt,
                        merchant: "shop-1",
                        minorUnits: request.minorUnits,
                        currency: request.currency
                    )
                )
                say("the acquirer answers: \(reply)")
                guard reply == .pinRequired else { return }
                do throws(ReaderError) {
                    let token = PINToken("pin-\(attempt)", readID: attempt)
                    result = try await reader.capturePIN(token: token, readID: attempt)
                } catch {
                    return say("capturePIN throws \(error)")
                }
            } catch {
                return say("no answer: \(error)")
            }
        }
    }

    // MARK: - What the world does

    /// Something that people or the world do at once; false when the command is none.
    private func act(_ words: [Substring]) -> Bool {
        let first = String(words[0])
        if let act = Self.plain[first] {
            act(control)
            return true
        }
        let second = words.dropFirst().first
        switch first {
        case "present", "tap":
            withCard(words) { first == "tap" ? $0.tap($1) : $0.present(card: $1) }
        case "both": both(words)
        case "pin": choose(words, ReaderControl.PINAnswer.self) { $0.type($1) }
        case "terms": choose(words, ReaderControl.TermsAnswer.self) { $0.nextTerms([$1]) }
        case "network": choose(words, ReaderControl.Network.self) { $0.network($1) }
        case "expire" where second == "token": control.expireToken()
        case "expire" where second == "session": control.expireSession()
        case "expire": refuse("expire: accepted is token or session")
        case "state": say("state \(control.state.phase.traceName)")
        case "cards": say(SimulatedCard.catalogue.map(\.id).joined(separator: ", "))
        case "help": Terminal.write(PlayWords.help, to: 1)
        default: return false
        }
        return true
    }

    private static let plain: [String: @Sendable (ReaderControl) -> Void] = [
        "remove": { $0.removeCard() }, "customer-cancels": { $0.customerCancels() },
        "home": { $0.background() }, "back": { $0.foreground() }, "inactive": { $0.inactive() },
        "call": { $0.call() }, "endcall": { $0.endCall() }, "lock": { $0.lock() },
        "unlock": { $0.unlock() }, "crash": { $0.crash() }, "relaunch": { $0.relaunch() },
        "restart": { $0.restartDevice() }, "revoke": { $0.revokeLink() },
    ]

    private func withCard(
        _ words: [Substring],
        _ act: (ReaderControl, SimulatedCard) -> Void
    ) {
        switch PlayWords.card(words.dropFirst().first) {
        case .success(let card): act(control, card)
        case .failure(let error): refuse("\(words[0]): \(error)")
        }
    }

    private func both(_ words: [Substring]) {
        let cards = words.dropFirst().compactMap { SimulatedCard.named(String($0)) }
        guard cards.count == 2, words.count == 3 else {
            return refuse("both: accepted is both ID ID, two cards")
        }
        control.present(cards: cards)
    }

    private func choose<Choice: RawRepresentable & CaseIterable>(
        _ words: [Substring],
        _ type: Choice.Type,
        _ act: (ReaderControl, Choice) -> Void
    ) where Choice.RawValue == String {
        if let choice = words.dropFirst().first.flatMap({ Choice(rawValue: String($0)) }) {
            return act(control, choice)
        }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        refuse("\(words[0]): accepted is one of \(names)")
    }
}
