import AcquirerSimulation
import FinixSimulation
import PaymentTransport

/// The ways in which the emulated Finix can be told to behave, by name.
enum EmulatorModes {
    private typealias Flag = WritableKeyPath<FinixEmulator.Modes, Bool> & Sendable
    private static let flags: [(String, any Flag)] = [
        ("demandsVersion", \.demandsVersion), ("ignoresSerialNumber", \.ignoresSerialNumber),
        ("ignoresTriggerAmounts", \.ignoresTriggerAmounts),
        ("leavesOutSurcharge", \.leavesOutSurcharge), ("refusesRepeats", \.refusesRepeats),
        ("showsBundle", \.showsBundle), ("voidsSlowly", \.voidsSlowly),
    ]
    private static let lifetime = "tokenLifetime"

    /// What a control may name.
    static var names: String { (flags.map(\.0) + [lifetime]).joined(separator: ", ") }

    /// Changes what a control names; tells all, and what a strict Finix complained of.
    static func change(
        _ finix: FinixEmulator,
        _ body: ControlBody
    ) throws(ControlProblem) -> HTTPResponse {
        var modes = finix.modes
        for (name, path) in flags {
            if let flag = try body.flag(name) { modes[keyPath: path] = flag }
        }
        if let seconds = try body.number(lifetime, 0...86_400) { modes.tokenLifetime = seconds }
        try body.finish()
        finix.modes = modes
        var members: [String: JSONTree] = [
            lifetime: .number(modes.tokenLifetime),
            "complaints": .list(finix.complaints.map { .text($0) }),
        ]
        for (name, path) in flags { members[name] = .flag(modes[keyPath: path]) }
        return .json(200, .object(members))
    }
}
