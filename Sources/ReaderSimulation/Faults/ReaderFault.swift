import Simulation

/// An action at a step: what a scenario has go wrong.
public struct ReaderFault: Hashable, Sendable {
    /// On which side of a step.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// Before the step has its effect.
        case before
        /// Right after it.
        case after
    }

    /// The step.
    public var at: ReaderTransition
    /// Which part of a configuration is meant; any when nil.
    public var percent: Int?
    /// On which side of it.
    public var side: Side
    /// At which passage of the step, counted from one.
    public var nth: Int
    /// How likely it is, in hundredths.
    public var chance: Int
    /// What is done.
    public var action: ReaderAction
    /// Whether it may be left unused.
    public var isOptional: Bool

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - action: What is done.
    ///   - side: On which side of the step.
    ///   - at: The step.
    ///   - percent: Which part of a configuration is meant; any when nil.
    ///   - nth: At which passage of the step, counted from one.
    ///   - chance: How likely it is, in hundredths.
    ///   - isOptional: Whether it may be left unused.
    public init(
        _ action: ReaderAction,
        _ side: Side = .before,
        _ at: ReaderTransition,
        percent: Int? = nil,
        nth: Int = 1,
        chance: Int = 100,
        isOptional: Bool = false
    ) {
        self.at = at
        self.percent = percent
        self.side = side
        self.nth = nth
        self.chance = chance
        self.action = action
        self.isOptional = isOptional
    }
}

extension ReaderFault: CustomStringConvertible {
    /// Step, side and action in one line.
    public var description: String {
        let place = percent.map { "\(at.rawValue)(\($0))" } ?? at.rawValue
        return "\(side.rawValue) \(place): \(action)"
    }
}

/// The faults of a simulation, and how often each step was passed.
struct FaultBook: Sendable {
    private struct Entry {
        let fault: ReaderFault
        var passages = 0
        var wasReached = false
    }

    private var entries: [Entry] = []
    /// Whether nothing is left to do.
    private(set) var isEmpty = true

    mutating func add(_ fault: ReaderFault) {
        entries.append(Entry(fault: fault))
        isEmpty = false
    }

    /// What is to be done at one side of a step that is passed now.
    mutating func due(
        at transition: ReaderTransition,
        _ percent: Int?,
        _ side: ReaderFault.Side,
        _ chance: inout SeededGenerator
    ) -> [ReaderFault] {
        guard !isEmpty else { return [] }
        var due: [ReaderFault] = []
        for index in entries.indices {
            let fault = entries[index].fault
            guard fault.at == transition, fault.side == side, !entries[index].wasReached,
                fault.percent == nil || fault.percent == percent
            else { continue }
            entries[index].passages += 1
            guard entries[index].passages == fault.nth else { continue }
            entries[index].wasReached = true
            if fault.chance >= 100 || Int.random(in: 0..<100, using: &chance) < fault.chance {
                due.append(fault)
            }
        }
        if !due.isEmpty { isEmpty = entries.allSatisfy(\.wasReached) }
        return due
    }

    /// The faults whose step was never passed often enough.
    var unused: [ReaderFault] { entries.filter { !$0.wasReached }.map(\.fault) }
}
