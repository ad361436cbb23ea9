/// Rows of the emulated Finix, newest first, found by name and by the payment that they follow.
struct FinixRows: RandomAccessCollection, MutableCollection, Sendable {
    /// Oldest first, so that a new one moves no other.
    private var rows: [FinixRow] = []
    private var places: [String: Int] = [:]
    private var followers: [String: [Int]] = [:]

    /// Starts with none.
    init() {}

    var startIndex: Int { 0 }
    var endIndex: Int { rows.count }

    /// A row by its place; its name and its payment stay as they are.
    subscript(position: Int) -> FinixRow {
        get { rows[rows.count - 1 - position] }
        set { rows[rows.count - 1 - position] = newValue }
    }

    /// A row by its name.
    subscript(id: String) -> FinixRow? { places[id].map { rows[$0] } }

    /// Where a row stands.
    func index(of id: String) -> Int? { places[id].map { rows.count - 1 - $0 } }

    /// The rows that give back money of another.
    func following(_ id: String) -> [FinixRow] {
        (followers[id] ?? []).reversed().map { rows[$0] }
    }

    /// Adds the newest row.
    mutating func add(_ row: FinixRow) {
        places[row.id] = rows.count
        if let parent = row.parent { followers[parent, default: []].append(rows.count) }
        rows.append(row)
    }
}

extension FinixRows: Codable {
    /// Reads rows that stand newest first.
    init(from decoder: any Decoder) throws {
        for row in try [FinixRow](from: decoder).reversed() { add(row) }
    }

    /// Writes the rows, newest first.
    func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}
