import AcquirerSimulation
import FinixSimulation
import PaymentTransport
import RevolutSimulation

/// The ways in which the emulated acquirers can be told to behave, by name.
enum EmulatorModes {
    private typealias Flags<Modes> = [(String, any WritableKeyPath<Modes, Bool> & Sendable)]

    private static let finix: Flags<FinixEmulator.Modes> = [
        ("demandsVersion", \.demandsVersion), ("ignoresSerialNumber", \.ignoresSerialNumber),
        ("ignoresTriggerAmounts", \.ignoresTriggerAmounts),
        ("leavesOutSurcharge", \.leavesOutSurcharge), ("refusesRepeats", \.refusesRepeats),
        ("showsBundle", \.showsBundle), ("voidsSlowly", \.voidsSlowly),
    ]
    private static let lifetime = "tokenLifetime"
    private static let revolut: Flags<RevolutEmulator.Modes> = [
        ("demandsVersion", \.demandsVersion), ("refusesNeedlessKeys", \.refusesNeedlessKeys),
        ("refusesUnknownMembers", \.refusesUnknownMembers),
    ]

    /// What a control may name.
    static var names: String {
        let finix = (finix.map(\.0) + [lifetime]).joined(separator: ", ")
        return "finix with \(finix), or revolut with "
            + revolut.map(\.0).joined(separator: ", ")
    }

    /// Changes what a control names; tells all of that acquirer's, and what a strict one complained
    /// of.
    static func change(
        _ world: EmulatedAcquirers.World,
        _ body: ControlBody
    ) throws(ControlProblem) -> HTTPResponse {
        switch try body.text("acquirer") {
        case "finix": try change(world.finix, body)
        case "revolut": try change(world.revolut, body)
        default: throw ControlProblem("acquirer", "finix or revolut")
        }
    }

    private static func change(
        _ emulator: FinixEmulator,
        _ body: ControlBody
    ) throws(ControlProblem) -> HTTPResponse {
        var modes = emulator.modes
        try change(&modes, finix, body)
        if let seconds = try body.number(lifetime, 0...86_400) { modes.tokenLifetime = seconds }
        try body.finish()
        emulator.modes = modes
        let members = [lifetime: JSONTree.number(modes.tokenLifetime)]
        return tell(modes, finix, complaints: emulator.complaints, members)
    }

    private static func change(
        _ emulator: RevolutEmulator,
        _ body: ControlBody
    ) throws(ControlProblem) -> HTTPResponse {
        var modes = emulator.modes
        try change(&modes, revolut, body)
        try body.finish()
        emulator.modes = modes
        return tell(modes, revolut, complaints: emulator.complaints)
    }

    private static func change<Modes>(
        _ modes: inout Modes,
        _ flags: Flags<Modes>,
        _ body: ControlBody
    ) throws(ControlProblem) {
        for (name, path) in flags {
            if let flag = try body.flag(name) { modes[keyPath: path] = flag }
        }
    }

    private static func tell<Modes>(
        _ modes: Modes,
        _ flags: Flags<Modes>,
        complaints: [String],
        _ more: [String: JSONTree] = [:]
    ) -> HTTPResponse {
        var members = more
        members["complaints"] = .list(complaints.map { .text($0) })
        for (name, path) in flags { members[name] = .flag(modes[keyPath: path]) }
        return .json(200, .object(members))
    }
}
