/// Attempts by identity, in one piece of memory.
struct BegunAttempts {
    /// The numbers of the identities; zero where nothing is.
    private var numbers = [UInt64](repeating: 0, count: 64)
    private var places: [PlainAttempts.Begun?] = Array(repeating: nil, count: 64)
    private var count = 0

    /// All of them.
    var all: [PlainAttempts.Begun] { places.compactMap(\.self) }

    subscript(_ index: Int) -> PlainAttempts.Begun {
        get {
            guard let begun = places[index] else { preconditionFailure("an index of nothing") }
            return begun
        }
        set { places[index] = newValue }
    }

    /// Where an attempt is, if it is here.
    func index(of attempt: ShortName) -> Int? {
        let number = Self.number(attempt)
        var index = home(number)
        while numbers[index] != 0 {
            if numbers[index] == number, places[index]?.attempt == attempt { return index }
            index = next(index)
        }
        return nil
    }

    /// Adds an attempt that is not here.
    mutating func insert(_ begun: PlainAttempts.Begun) {
        if count * 2 >= places.count { grow() }
        let number = Self.number(begun.attempt)
        var index = home(number)
        while numbers[index] != 0 { index = next(index) }
        (numbers[index], places[index]) = (number, begun)
        count += 1
    }

    /// Takes out what is at an index.
    mutating func remove(at index: Int) {
        count -= 1
        // Whatever stands behind it must still be found without a gap from its home on.
        var (gap, index) = (index, next(index))
        while numbers[index] != 0 {
            let distance = (index - home(numbers[index])) & (places.count - 1)
            if distance >= (index - gap) & (places.count - 1) {
                (numbers[gap], places[gap]) = (numbers[index], places[index])
                gap = index
            }
            index = next(index)
        }
        (numbers[gap], places[gap]) = (0, nil)
    }

    private mutating func grow() {
        let all = all
        numbers = [UInt64](repeating: 0, count: places.count * 2)
        places = Array(repeating: nil, count: places.count * 2)
        count = 0
        for begun in all { insert(begun) }
    }

    private static func number(_ attempt: ShortName) -> UInt64 { max(1, attempt.hash) }

    private func home(_ number: UInt64) -> Int {
        Int(truncatingIfNeeded: number >> 8) & (places.count - 1)
    }

    private func next(_ index: Int) -> Int { (index + 1) & (places.count - 1) }
}
