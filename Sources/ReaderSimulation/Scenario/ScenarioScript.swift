import PaymentCore

/// Reads the steps of a scenario.
enum ScenarioScript {
    /// The most steps that repeats may make of a script.
    private static let most = 10_000

    /// Every step of a script, with the place in it where it stands.
    static func script(_ section: ConfigurationSection) -> [(place: Int, step: ScenarioStep)]? {
        section.sections("script")?.enumerated().flatMap { place, section in
            steps(section).map { (place, $0) }
        }
    }

    private static func steps(_ section: ConfigurationSection) -> [ScenarioStep] {
        guard let name = section.oneOf("step", ScenarioStep.names) else { return [] }
        if name == "repeat" { return repeated(section) }
        let mayWait = name != "terms" && name != "issuer"
        let after = mayWait && section.has("after") ? section.duration("after") : nil
        let isOptional = section.bool("optional", default: false)
        let kind = kind(name, section)
        section.finish()
        guard let kind, let isOptional else { return [] }
        return [ScenarioStep(kind, after: after, isOptional: isOptional)]
    }

    private static func repeated(_ section: ConfigurationSection) -> [ScenarioStep] {
        let times = section.wholeNumber("times", in: 1...100)
        let steps = section.sections("steps").map { $0.flatMap { Self.steps($0) } }
        section.finish()
        guard let times, let steps else { return [] }
        guard steps.count <= most / times else {
            section.reject("times", "accepted is a script of \(most) steps at most")
            return []
        }
        return Array(repeating: steps, count: times).flatMap(\.self)
    }

    private static func kind(
        _ name: String,
        _ section: ConfigurationSection
    ) -> ScenarioStep.Kind? {
        switch name {
        case "present":
            let hold = section.has("hold") ? section.duration("hold") : nil
            return card(section, "card").map { .present([$0], hold: hold) }
        case "presentMany":
            let cards = section.list("cards", checkedCard)
            guard let cards, cards.count > 1 else {
                if cards != nil { section.reject("cards", "accepted are two cards or more") }
                if cards == nil, !section.has("cards") { _ = section.strings("cards") }
                return nil
            }
            return .present(cards, hold: nil)
        case "pin": return one(section, "pin", ReaderControl.PINAnswer.self).map { .pin($0) }
        case "terms":
            return one(section, "answer", ReaderControl.TermsAnswer.self).map { .terms($0) }
        case "network": return network(section)
        case "setDevice":
            guard let inner = section.section("device") else { return nil }
            let traits = ScenarioDevice.traits(inner)
            inner.finish()
            return traits.map { .setDevice($0) }
        case "advance": return section.duration("by").map { .advance($0) }
        case "issuer": return issuer(section).map { .issuer($0) }
        case "waitFor":
            let times = section.wholeNumber("times", in: 1...1_000, default: 1)
            let event = section.string("event").flatMap { text in
                checkedEvent({ section.reject("event", $0) }, text)
            }
            guard let times, let event else { return nil }
            return .waitFor(event, times: times)
        default: return plain[name]
        }
    }

    private static let plain: [String: ScenarioStep.Kind] = [
        "remove": .remove, "customerCancels": .customerCancels,
        "merchantCancels": .merchantCancels, "background": .background,
        "foreground": .foreground, "inactive": .inactive, "call": .call, "endCall": .endCall,
        "lock": .lock, "unlock": .unlock, "expireToken": .expireToken,
        "expireSession": .expireSession, "revokeLink": .revokeLink, "crash": .crash,
        "relaunch": .relaunch, "restartDevice": .restartDevice,
    ]

    private static func one<Value: RawRepresentable & CaseIterable>(
        _ section: ConfigurationSection,
        _ key: String,
        _ type: Value.Type
    ) -> Value? where Value.RawValue == String {
        section.oneOf(key, Value.allCases.map(\.rawValue)).flatMap(Value.init)
    }

    private static func card(_ section: ConfigurationSection, _ key: String) -> SimulatedCard? {
        section.string(key).flatMap { text in checkedCard({ section.reject(key, $0) }, text) }
    }

    static func checkedCard(_ reject: (String) -> Void, _ text: String) -> SimulatedCard? {
        if let card = SimulatedCard.named(text) { return card }
        let names = SimulatedCard.catalogue.map(\.id)
        reject(ConfigurationSection.refusal(of: text, among: names))
        return nil
    }

    static func checkedEvent(_ reject: (String) -> Void, _ text: String) -> String? {
        if ScenarioStep.events.contains(text) { return text }
        if let word = ScenarioWord(text) {
            let end = word.argument.flatMap { SessionEnd(rawValue: $0) }
            let percent = word.number.map { 1...100 ~= $0 } ?? false
            if word.name == "sessionEnded", end != nil { return text }
            if word.name == "preparationProgress", percent { return text }
        }
        let names = ScenarioStep.events + ["sessionEnded(REASON)", "preparationProgress(PERCENT)"]
        reject(ConfigurationSection.refusal(of: text, among: names))
        return nil
    }

    private static func network(_ section: ConfigurationSection) -> ScenarioStep.Kind? {
        let names = ReaderControl.Network.allCases.map(\.rawValue) + ["flap(TIMES)"]
        return section.word("state", among: names) { word in
            if word.name == "flap" {
                if word.argument == nil { return .flap(3) }
                return word.number.flatMap { 1...100 ~= $0 ? .flap($0) : nil }
            }
            return word.argument == nil
                ? ReaderControl.Network(rawValue: word.name).map { .network($0) } : nil
        }
    }

    private static func issuer(_ section: ConfigurationSection) -> ScenarioStep.Issuer? {
        var issuer = ScenarioStep.Issuer()
        let plain: [String: ScenarioStep.Issuer.Answer] = [
            "approve": .approve, "pending": .pending(thenApproves: true),
            "pendingThenDecline": .pending(thenApproves: false), "errorBefore": .errorBefore,
            "errorAfter": .errorAfter, "reverse": .reverse, "contradict": .contradict,
        ]
        let names = plain.keys.sorted() + ["decline(REASON)", "refuse(STATUS)"]
        if section.has("answer") {
            let answer = section.word("answer", among: names) {
                word -> ScenarioStep.Issuer.Answer? in
                switch word.name {
                case "decline":
                    word.argument.flatMap { IssuerRefusal(rawValue: $0) }.map { .decline($0) }
                case "refuse": word.number.flatMap { 400...499 ~= $0 ? .refuse($0) : nil }
                default: word.argument == nil ? plain[word.name] : nil
                }
            }
            guard let answer else { return nil }
            issuer.answer = answer
        }
        if section.has("partial") {
            issuer.partial = section.wholeNumber("partial", in: 1...Int.max).map(Int64.init)
        }
        if issuer.partial != nil, let answer = issuer.answer, answer != .approve {
            section.reject("partial", "accepted with an \"answer\" is \"approve\" alone")
            return nil
        }
        issuer.requestsPIN = section.bool("requestPIN", default: false) ?? false
        issuer.delay = section.duration("delay", default: .zero) ?? .zero
        issuer.losesRequest = section.bool("loseRequest", default: false) ?? false
        issuer.losesReply = section.bool("loseReply", default: false) ?? false
        issuer.duplicatesReply = section.bool("duplicateReply", default: false) ?? false
        return issuer
    }

    /// Finds steps that can never run: what follows a crash without a relaunch.
    static func canRun(
        _ steps: [(place: Int, step: ScenarioStep)],
        in section: ConfigurationSection
    ) -> Bool {
        var isGone = false
        for (place, step) in steps {
            switch step.kind {
            case .crash: isGone = true
            case .relaunch, .restartDevice: isGone = false
            case .waitFor where isGone:
                section.reject(
                    "script",
                    index: place,
                    "this step can never run, since no process of the app is there; "
                        + "a relaunch must come first"
                )
                return false
            default: break
            }
        }
        return true
    }
}
