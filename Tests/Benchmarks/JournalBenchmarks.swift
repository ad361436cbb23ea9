import PaymentCore

/// A payment whose attempt and outcome are both on the medium.
enum JournaledBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, count) = options.isQuick ? (2, 20) : (9, 200)
        let folder = try ScratchFolder()
        let journal = try await FileAttemptJournal.open(
            path: folder.path + "/a.journal",
            environment: .live
        )
        let file = try SyncedFile(folder.path + "/reference")
        let pointOfSale = try await Shop.open(ApprovingProvider(), journal: journal)
        var taken = 0
        let pair = try await Measuring.alternate(rounds: rounds) {
            let orders = taken..<taken + count
            taken += count
            return try await Measuring.nanoseconds(each: count) {
                try await Shop.take(orders, at: pointOfSale)
            }
        } reference: {
            try Measuring.nanosecondsNow(each: count) { for _ in 0..<count { try file.append() } }
        }
        let syncs = Double(journal.statistics.syncs) / Double(taken)
        await journal.close()
        return [
            .ratio("journaled", pair, .nanoseconds, over: "one sync", atMost: 3),
            .count("journaled.syncs", syncs, .each("syncs"), atMost: 2),
        ]
    }
}

/// Many payers on one journal.
enum GroupCommitBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let (rounds, records) = options.isQuick ? (1, 256) : (5, 4_096)
        var rates: [Int: [Double]] = [:]
        var shares: [Int: Double] = [:]
        for payers in [1, 8, 64, 512] {
            let folder = try ScratchFolder()
            let journal = try await FileAttemptJournal.open(
                path: folder.path + "/a.journal",
                environment: .live
            )
            let each = max(1, (payers == 1 ? records / 8 : records) / payers / 2)
            var round = 0
            rates[payers] = try await Measuring.rounds(rounds) {
                round += 1
                return try await pay(payers, each, "\(payers)-\(round)", journal)
            }
            let statistics = journal.statistics
            shares[payers] = Double(statistics.syncs) / Double(statistics.records)
            await journal.close()
        }
        let one = rates[1]?.median ?? 0
        let many = (rates[64] ?? []).map { one / $0 }
        return [8, 512].map { payers in
            .told(
                "group-commit.\(payers)",
                "\(Unit.nanoseconds.text(rates[payers]?.median ?? 0)) a record, "
                    + "\(Unit.short(shares[payers] ?? 0)) syncs a record"
            )
        } + [
            Finding(
                name: "group-commit.64",
                kind: .time,
                subject: Unit.nanoseconds.text(rates[64]?.median ?? 0),
                reference: "\(Unit.nanoseconds.text(one)) with one payer",
                ratio: Ratio(many),
                target: 12,
                isAtLeast: true
            ),
            // How many share a sync depends on how long one takes.
            .limit("group-commit.syncs", [shares[64] ?? 1], .each("a record"), 0.1)
                .gated(within: 5),
        ]
    }

    /// The nanoseconds a record when so many payers write at the same time.
    static func pay(
        _ payers: Int,
        _ each: Int,
        _ name: String,
        _ journal: FileAttemptJournal
    ) async throws -> Double {
        try await Measuring.nanoseconds(each: payers * each * 2) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for payer in 0..<payers {
                    group.addTask {
                        for number in 0..<each {
                            try await Entries(name: "\(name)-\(payer)-\(number)").write(to: journal)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}

/// The two entries of an approved payment.
struct Entries: Sendable {
    let attempt: AttemptID
    let began: JournalEntry
    let ended: JournalEntry

    init(name: String) throws {
        let amount = try Shop.money(1_250)
        attempt = AttemptID(name)
        let fact = JournalEntry.Began(
            account: Shop.account,
            order: try Order(id: name),
            kind: .sale,
            amount: amount,
            device: "D1"
        )
        let now = Date(timeIntervalSince1970: 1_767_603_600.25)
        let receipt = Receipt(
            of: attempt,
            began: fact,
            approval: Approval(
                references: [AcquirerReference(kind: "payment", value: name)],
                amount: .confirmed(amount),
                card: CardSummary(brand: "VISA", lastFour: "4242"),
                method: .tap,
                approvalCode: "A1B2C3"
            ),
            now: now
        )
        began = JournalEntry(at: now, attempt: attempt, fact: .began(fact))
        ended = JournalEntry(
            at: now,
            attempt: attempt,
            fact: .ended(.approved(receipt), by: .vendor)
        )
    }

    func write(to journal: FileAttemptJournal) async throws {
        guard case .begun = try await journal.begin(began) else { throw Unexpected("begun before") }
        try await journal.append([ended])
    }

    /// Writes also what stands in between where an acquirer's books confirm a payment.
    func writeConfirmed(to journal: FileAttemptJournal) async throws {
        guard case .begun = try await journal.begin(began) else { throw Unexpected("begun before") }
        let reference = AcquirerReference(kind: "payment", value: attempt.description)
        let lookUp = JournalEntry.LookUp(
            found: 1,
            candidates: 1,
            complete: false,
            acquirerTime: began.at,
            conclusion: "is \(reference)",
            provesAbsence: false,
            deviceTime: began.at
        )
        let between = [.noted(reference), .lookedUp(lookUp)].map { (fact: JournalEntry.Fact) in
            JournalEntry(at: began.at, attempt: attempt, fact: fact)
        }
        try await journal.append(between + [ended])
    }
}
