/// A name's tag and where its attempt stands, in eight bytes: 28 bits of the tag, 33 of the offset,
/// and three that tell how long the stretch is.
enum NameSlot {
    /// The bits that say where the attempt stands.
    static let placeMask: UInt64 = 1 << 36 - 1
    /// How many tags there are.
    static let tagCount: UInt64 = 1 << 28
    private static let offsetBits = 33
    private static let shortest = 4_096

    /// What a slot has of a name's number.
    static func tag(ofName hash: UInt64) -> UInt64 { hash >> 36 }
    static func tag(of slot: UInt64) -> UInt64 { slot >> 36 }
    static func offset(of slot: UInt64) -> Int64 { Int64(slot & placeMask) >> 3 }
    static func length(of slot: UInt64) -> Int64 { Int64(shortest << Int(slot & 7)) }

    /// A place as slots have it; nil when its lines stand too far apart, or too far behind.
    static func place(_ place: AttemptArchive.Place) -> UInt64? {
        guard place.start > 0, place.start < 1 << offsetBits,
            let step = (0..<8).first(where: { place.end - place.start <= Int64(shortest << $0) })
        else { return nil }
        return UInt64(place.start) << 3 | UInt64(step)
    }

    /// A slot of a name's number and a place.
    static func slot(_ hash: UInt64, _ place: UInt64) -> UInt64 { (hash >> 36) << 36 | place }

    /// Brings slots into the order of their tags.
    static func sort(_ slots: inout [UInt64]) {
        guard slots.count > 2_048 else {
            slots.sort()
            return
        }
        var other = [UInt64](repeating: 0, count: slots.count)
        // By one part of the tag after the other; each time what is equal keeps its order.
        for (shift, bits) in [(36, 10), (46, 9), (55, 9)] as [(UInt64, UInt64)] {
            slots.withUnsafeBufferPointer { slots in
                other.withUnsafeMutableBufferPointer { other in
                    let mask: UInt64 = (1 << bits) - 1
                    withUnsafeTemporaryAllocation(of: Int.self, capacity: 1_024) {
                        places in
                        places.initialize(repeating: 0)
                        for slot in slots { places[Int(slot >> shift & mask)] &+= 1 }
                        var sum = 0
                        for index in places.indices {
                            (places[index], sum) = (sum, sum &+ places[index])
                        }
                        for slot in slots {
                            let part = Int(slot >> shift & mask)
                            other[places[part]] = slot
                            places[part] &+= 1
                        }
                    }
                }
            }
            swap(&slots, &other)
        }
    }
}
