public import CommandLineSupport

/// What a command does, and with that which of the shared options have any effect on it.
public enum CommandWork: Sendable {
    /// Takes a payment from a customer.
    case paying
    /// Sets the device up, and tries a payment of one minor unit.
    case trying
    /// Makes the reader ready, and gets no further than a sheet that nobody taps at.
    case preparing
    /// Captures or voids a hold.
    case endingHold
    /// Refunds an earlier payment.
    case refunding
    /// Asks the acquirer how an earlier payment ended.
    case resolving
    /// Reads the acquirer's books.
    case asking
    /// Writes down what a person found out.
    case settling
    /// Reads or tidies what is kept here.
    case reading

    /// The options that have an effect on such a command.
    public func options(of program: SampleProgram = .checkout) -> [OptionSyntax] {
        Self.files + (isPaying && !program.isBound ? Self.acquirer : [])
            + (isPaying ? Self.customer : [])
            + scripting(scripts(of: program).map(\.rawValue))
            + (claims ? Self.claiming : []) + Self.closing
    }

    private static let files = [
        OptionSyntax("config", "FILE", help: "the configuration (default: built in, simulated)"),
        OptionSyntax("journal", "FILE", help: "the journal (default: in the state folder)"),
    ]
    private static let acquirer = [
        OptionSyntax("provider", "NAME", help: "the acquirer, in place of the configured one")
    ]
    private static let customer = [
        OptionSyntax("card", "ID", help: "the customer's card (default visa-credit)")
    ]
    private static let claiming = [
        OptionSyntax("claims", "ORIGIN", help: "ask this back end for the order (see backend)"),
        OptionSyntax("till", "NAME", help: "what the back end calls this till (default till-1)"),
    ]
    private static let seed = [
        OptionSyntax("seed", "N", help: "repeat the run with this seed (default: a new one)")
    ]

    /// The options of a command that acts in the simulated world.
    private func scripting(_ names: [String]) -> [OptionSyntax] {
        guard !names.isEmpty else { return [] }
        let help = "script the simulated world: \(names.joined(separator: ", "))"
        return [OptionSyntax("simulate", "NAME", repeats: true, help: help)]
            + (self == .asking ? [] : Self.seed)
            + [OptionSyntax("speed", "N", help: "virtual seconds a real second (default: instant)")]
    }

    /// The options of every command.
    public static let closing = [
        OptionSyntax("json", help: "print one JSON object"),
        OptionSyntax("help", help: "print this help"),
    ]

    private var isPaying: Bool { self == .paying || self == .trying }

    /// What the first Ctrl-C does.
    var interruption: Interrupting {
        switch self {
        case .paying: .cancels
        case .trying, .endingHold, .refunding, .resolving, .settling: .waits
        case .preparing, .asking, .reading: .givesUp
        }
    }

    /// Whether orders are claimed, or their claims given back.
    private var claims: Bool {
        switch self {
        case .paying, .trying, .resolving, .settling: true
        case .preparing, .endingHold, .refunding, .asking, .reading: false
        }
    }

    /// What can be scripted so that the command notices.
    private func scripts(of program: SampleProgram) -> [SimulatedShop.Script] {
        switch self {
        case .paying, .trying:
            SimulatedShop.Script.allCases.filter { script in
                script.hasEffect(in: program) && (self == .paying || script != .partialApproval)
            }
        case .preparing: [.tapImpossible, .notLinked, .termsClosed]
        case .refunding:
            [.backOfficeDown, .pending].filter { $0.hasEffect(in: program) }
        case .endingHold, .resolving, .asking: [.backOfficeDown]
        case .settling, .reading: []
        }
    }

    /// Reads what is scripted.
    ///
    /// - Throws: ``UsageError`` where it is no script, or none that the command would notice.
    func scripts(
        _ arguments: Arguments,
        of program: SampleProgram
    ) throws(UsageError) -> Set<SimulatedShop.Script> {
        let accepted = scripts(of: program)
        let names = accepted.map(\.rawValue)
        var scripts: Set<SimulatedShop.Script> = []
        for name in arguments.all("simulate") {
            let script = SimulatedShop.Script(rawValue: name)
            guard let script, accepted.contains(script) else {
                throw UsageError(
                    "--simulate: found \"\(name.prefix(40))\""
                        + (script == nil ? "" : ", which has no effect here")
                        + "; accepted is \(names.count == 1 ? "" : "one of ")"
                        + names.joined(separator: ", ")
                        + (script == nil ? UsageError.suggestion(for: name, among: names) : "")
                )
            }
            scripts.insert(script)
        }
        return scripts
    }
}

/// What the first Ctrl-C does to a command; the second gives up and leaves everything as it stands.
enum Interrupting {
    /// It cancels the payment.
    case cancels
    /// It cannot cancel anything: what runs is told once it has ended.
    case waits
    /// It gives up, since the command moves no money.
    case givesUp
}

extension SimulatedShop.Script {
    /// Whether payments of a program can go so.
    fileprivate func hasEffect(in program: SampleProgram) -> Bool {
        program.providers.contains { has(effectAt: $0) }
    }

    /// Whether an acquirer's payments can go so.
    func has(effectAt provider: String) -> Bool { self != .pending || provider != "revolut" }
}
