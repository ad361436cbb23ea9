import PaymentCore

/// Reads the faults of a scenario.
enum ScenarioFaults {
    static func fault(_ section: ConfigurationSection) -> ReaderFault? {
        let places = ReaderTransition.allCases.map {
            $0 == .configuration ? "configuration(PERCENT)" : $0.rawValue
        }
        let place = section.string("at").flatMap { text in
            Self.place(text) { problem in
                let refusal = ConfigurationSection.refusal(of: text, among: places)
                section.reject("at", problem ?? refusal)
            }
        }
        let sides = ReaderFault.Side.allCases.map(\.rawValue)
        let side = section.oneOf("when", sides, default: "before")
        let nth = section.wholeNumber("nth", in: 1...1_000, default: 1)
        let chance = chance(section)
        let action = section.word("do", among: actionNames, action)
        let isOptional = section.bool("optional", default: false)
        section.finish()
        guard let place, let side = side.flatMap(ReaderFault.Side.init), let nth, let chance,
            let action, let isOptional
        else { return nil }
        return ReaderFault(
            action,
            side,
            place.transition,
            percent: place.percent,
            nth: nth,
            chance: chance,
            isOptional: isOptional
        )
    }

    private static func place(
        _ text: String,
        reject: (String?) -> Void
    ) -> (transition: ReaderTransition, percent: Int?)? {
        if ReaderTransition.offline.contains(text) {
            reject("found \"\(text)\"; storing and forwarding is not simulated")
            return nil
        }
        guard let word = ScenarioWord(text), let transition = ReaderTransition(rawValue: word.name),
            word.argument == nil || transition == .configuration && isStep(word.number)
        else {
            reject(nil)
            return nil
        }
        return (transition, word.number)
    }

    /// A configuration goes on in steps of five.
    private static func isStep(_ percent: Int?) -> Bool {
        percent.map { 5...100 ~= $0 && $0 % 5 == 0 } ?? false
    }

    /// A number from 0 to 1 with at most two digits behind the point, in hundredths.
    private static func chance(_ section: ConfigurationSection) -> Int? {
        guard section.has("chance") else { return 100 }
        if case .number(let text)? = section.rawValue("chance")?.content {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let whole = Int(parts[0])
            let rest = parts.count == 2 ? Int((parts[1] + "00").prefix(2)) : 0
            if !text.hasPrefix("-"), parts.count <= 2, parts.last.map({ $0.count <= 2 }) ?? false,
                let whole, let rest,
                0...100 ~= whole * 100 + rest
            {
                return whole * 100 + rest
            }
        }
        section.reject("chance", "accepted is a number from 0 to 1 with two decimals at most")
        return nil
    }

    private static let actionNames = [
        "throw(CODE)", "delay(TIME)", "hang", "dropEvent", "duplicateEvent", "swapWithNext",
        "background", "inactive", "call", "lock", "crash", "networkDown", "networkUp",
        "networkFlap(TIMES)", "expireToken", "expireSession", "revokeLink", "removeCard",
        "secondCard(ID)", "cancel", "tapAgain", "clockJump(TIME)",
    ]

    private static let plain: [String: ReaderAction] = [
        "hang": .hang, "dropEvent": .dropEvent, "duplicateEvent": .duplicateEvent,
        "swapWithNext": .swapWithNext, "background": .background, "inactive": .inactive,
        "call": .call, "lock": .lock, "crash": .crash, "networkDown": .networkDown,
        "networkUp": .networkUp, "expireToken": .expireToken, "expireSession": .expireSession,
        "revokeLink": .revokeLink, "removeCard": .removeCard, "cancel": .cancel,
        "tapAgain": .tapAgain,
    ]

    private static func action(_ word: ScenarioWord) -> ReaderAction? {
        switch word.name {
        case "throw": word.argument.flatMap(error).map { .fail($0) }
        case "delay": word.duration.map { .delay($0) }
        case "networkFlap": word.number.flatMap { 1...100 ~= $0 ? .networkFlap($0) : nil }
        case "secondCard": word.argument.flatMap(SimulatedCard.named).map { .secondCard($0) }
        case "clockJump":
            word.argument.flatMap { ScenarioDuration.parseSigned($0) }.map { .clockJump($0) }
        default: word.argument == nil ? plain[word.name] : nil
        }
    }

    /// A neutral code, with a number behind a comma where it has one.
    private static func error(_ text: String) -> ReaderError? {
        let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }
        guard let name = parts.first, parts.count <= 2 else { return nil }
        let number = parts.count == 2 ? Int(parts[1]) : nil
        guard parts.count == 1 || number != nil,
            let code = ReaderError.Code.all.first(where: { $0.description == name })
        else { return nil }
        return ReaderError(code, number: number)
    }
}
