import AcquirerSimulation
import PaymentCore

/// The JSON object that a control came with, each member read once.
final class ControlBody {
    private let members: [String: JSONTree]
    private var known: Set<String> = []

    /// Reads a body; none is an empty object.
    init(_ body: Data?) throws(ControlProblem) {
        guard let body, !body.isEmpty else {
            members = [:]
            return
        }
        guard let members = JSONTree.members(of: body) else {
            throw ControlProblem(
                description: "the body is not a JSON object with whole numbers alone"
            )
        }
        self.members = members
    }

    func text(_ name: String) throws(ControlProblem) -> String? {
        guard let member = member(name) else { return nil }
        guard let text = member.text else { throw ControlProblem(name, "a text") }
        return text
    }

    func flag(_ name: String) throws(ControlProblem) -> Bool? {
        guard let member = member(name) else { return nil }
        guard let flag = member.flag else { throw ControlProblem(name, "true or false") }
        return flag
    }

    func number(_ name: String, _ accepted: ClosedRange<Int64>) throws(ControlProblem) -> Int64? {
        guard let member = member(name) else { return nil }
        guard let number = member.number, accepted.contains(number) else {
            throw ControlProblem(
                name,
                "a whole number from \(accepted.lowerBound) to \(accepted.upperBound)"
            )
        }
        return number
    }

    func required(_ name: String, _ accepted: ClosedRange<Int64>) throws(ControlProblem) -> Int64 {
        guard let number = try number(name, accepted) else {
            throw ControlProblem(
                name,
                "a whole number from \(accepted.lowerBound) to \(accepted.upperBound)"
            )
        }
        return number
    }

    /// Refuses members that nobody has read.
    func finish() throws(ControlProblem) {
        guard let name = members.keys.filter({ !known.contains($0) }).min() else { return }
        let accepted = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
        throw ControlProblem(
            description: "unknown member \"\(name.prefix(40))\"; accepted: \(accepted)"
        )
    }

    private func member(_ name: String) -> JSONTree? {
        known.insert(name)
        guard let member = members[name] else { return nil }
        if case .null = member { return nil }
        return member
    }
}

/// Why a control cannot be carried out.
struct ControlProblem: Error, CustomStringConvertible {
    let description: String

    init(description: String) { self.description = description }

    init(_ member: String, _ accepted: String) {
        description = "\(member): accepted is \(accepted)"
    }
}
