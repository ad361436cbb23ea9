/// Finds the name a person most likely meant.
package enum NearestName {
    /// The nearest name, or nil when none is near; of equally near ones the first.
    ///
    /// Near is a start of the name of two letters or more, or about one slip in three letters; a
    /// slip is a letter too many, missing, wrong, or swapped with the next. Case does not count.
    package static func nearest(to text: String, among names: [String]) -> String? {
        guard 1...64 ~= text.count else { return nil }
        let given = Array(text.lowercased())
        var best: (name: String, distance: Int)?
        for name in names where name.count <= 64 {
            let wanted = Array(name.lowercased())
            let distance = distance(given, wanted)
            guard distance <= max(1, max(given.count, wanted.count) / 3) else { continue }
            // Of two letters one is no slip but another name.
            guard distance < min(given.count, wanted.count) else { continue }
            if distance < best?.distance ?? .max { best = (name, distance) }
        }
        if let best { return best.name }
        guard given.count > 1 else { return nil }
        return names.first { $0.lowercased().starts(with: given) }
    }

    /// The number of slips between two texts (optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var line = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    last[column + 1] + 1,
                    line[column] + 1,
                    last[column] + (letter == other ? 0 : 1)
                )
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                line.append(cost)
            }
            (beforeLast, last) = (last, line)
        }
        return last[right.count]
    }
}
