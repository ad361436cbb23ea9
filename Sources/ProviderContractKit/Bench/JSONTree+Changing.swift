import AcquirerSimulation

extension JSONTree {
    /// The tree with every member, at any depth, changed or dropped.
    func mapped(_ change: (String, JSONTree) -> JSONTree?) -> JSONTree {
        switch self {
        case .object(let members):
            var changed: [String: JSONTree] = [:]
            for (name, value) in members {
                changed[name] = change(name, value)?.mapped(change)
            }
            return .object(changed)
        case .list(let list): return .list(list.map { $0.mapped(change) })
        case .text, .number, .flag, .null: return self
        }
    }

    /// The tree with a word that nobody knows wherever a state is told.
    var withStrangeStates: JSONTree {
        mapped { name, value in
            let isState = ["state", "status"].contains(name.lowercased()) && value.text != nil
            return isState ? .text("MOONLIT") : value
        }
    }
}
