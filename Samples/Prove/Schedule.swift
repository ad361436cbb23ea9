import PaymentCore

/// What happens to one attempt of a proof.
enum Happening: Hashable, Sendable, CustomStringConvertible {
    /// The issuer says yes.
    case approve
    /// The issuer says no.
    case decline
    /// The request is lost before it is booked.
    case lostBefore
    /// The answer is lost after it was booked.
    case lostAfter
    /// The answer is lost after it was booked, and the books cannot be asked for a while.
    case lostAndBooksDown
    /// The acquirer leaves it pending, and then approves or fails it.
    case pending(thenApproves: Bool)
    /// The customer closes the sheet.
    case customerCancels
    /// The app cancels after so many steps of the program.
    case cancel(step: Int)
    /// The merchant's consent is gone.
    case signedOut
    /// The process dies at a write of the journal.
    case diesAtWrite(Int, after: Bool)
    /// The process dies at a request, before it is sent or after it had its effect.
    case diesAtRequest(Int, after: Bool)

    var description: String {
        switch self {
        case .approve: "approve"
        case .decline: "decline"
        case .lostBefore: "answer lost before booking"
        case .lostAfter: "answer lost after booking"
        case .lostAndBooksDown: "answer lost after booking, books down"
        case .pending(let approves): "pending, then \(approves ? "approved" : "failed")"
        case .customerCancels: "customer cancels"
        case .cancel(let step): "app cancels at step \(step)"
        case .signedOut: "signed out"
        case .diesAtWrite(let number, let after):
            "process dies \(after ? "after" : "before") journal write \(number)"
        case .diesAtRequest(let number, let after):
            "process dies \(after ? "after" : "before") request \(number)"
        }
    }

    /// Those that are tried in every combination.
    static let basic: [Happening] = [
        .approve, .decline, .lostBefore, .lostAfter, .lostAndBooksDown,
        .pending(thenApproves: true), .pending(thenApproves: false), .customerCancels, .signedOut,
    ]

    /// Every moment at which an app can cancel, and at which a process can die.
    static let moments: [Happening] =
        stride(from: 0, through: 160, by: 8).map { .cancel(step: $0) }
        + (1...5).flatMap { number in
            [false, true].map { .diesAtWrite(number, after: $0) }
        }
        + (1...5).flatMap { number in
            [false, true].map { .diesAtRequest(number, after: $0) }
        }
}

/// One attempt of a proof: whose, through whom, and what happens.
struct Move: Hashable, Sendable, CustomStringConvertible {
    /// The order: the first or the second, over the same amount.
    var order: Order
    /// The acquirer.
    var acquirer: String
    /// What happens.
    var happening: Happening
    /// How far this till's clock is ahead, in seconds.
    var skew = 0

    var description: String {
        let clock = skew == 0 ? "" : ", clock \(skew > 0 ? "+" : "")\(skew / 3_600) h"
        return "\(order) at \(acquirer)\(clock): \(happening)"
    }
}

/// What is tried, one after the other, in one world with one journal.
struct Schedule: Hashable, Sendable, CustomStringConvertible {
    var moves: [Move]
    /// Picks the order of what could happen at once; first come, first served without.
    var seed: UInt64?

    var description: String {
        let steps = moves.map(\.description).joined(separator: " | ")
        return seed.map { "\(steps) (schedule \($0))" } ?? steps
    }
}

extension Schedule {
    private static let acquirers = ["finix", "revolut"]
    private static let first: Order = "a"
    private static let second: Order = "b"

    /// Every schedule up to a depth.
    ///
    /// One attempt with everything at every clock; two with everything, across both acquirers; three
    /// with the basic happenings; each also with the second order of the same price in between.
    static func all(depth: Int) -> [Schedule] {
        var all: [Schedule] = []
        let everything = Happening.basic + Happening.moments
        for move in moves(everything) {
            for skew in [0, 3_600, -3_600] {
                var skewed = move
                skewed.skew = skew
                for seed in [nil, 1, 2] as [UInt64?] {
                    all.append(Schedule(moves: [skewed], seed: seed))
                }
                all.append(Schedule(moves: [skewed, other(.approve, move.acquirer)]))
                all.append(Schedule(moves: [other(.lostAfter, move.acquirer), skewed]))
            }
        }
        guard depth > 1 else { return all }
        for one in moves(everything) {
            for two in moves(everything) { all.append(Schedule(moves: [one, two])) }
            for two in moves(Happening.basic) {
                all.append(Schedule(moves: [one, other(.lostAfter, one.acquirer), two]))
            }
        }
        guard depth > 2 else { return all }
        for one in moves(Happening.basic) {
            for two in moves(Happening.basic) {
                for three in moves(Happening.basic) {
                    all.append(Schedule(moves: [one, two, three]))
                }
            }
        }
        return all
    }

    private static func moves(_ happenings: [Happening]) -> [Move] {
        acquirers.flatMap { acquirer in
            happenings.map { Move(order: first, acquirer: acquirer, happening: $0) }
        }
    }

    private static func other(_ happening: Happening, _ acquirer: String) -> Move {
        Move(order: second, acquirer: acquirer, happening: happening)
    }
}
