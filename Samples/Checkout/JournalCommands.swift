import CommandLineSupport
import PaymentCore
import ShopSupport
import Simulation

/// The commands that look for attempts in the journal, and keep it small.
enum JournalCommands {
    static let all = [attempts, export, compact]

    private static let queryOptions = [
        OptionSyntax("order", "TEXT", help: "orders whose id begins so"),
        OptionSyntax("last-four", "DIGITS", help: "cards that end so"),
        OptionSyntax("open", help: "only attempts whose end nobody knows"),
        OptionSyntax("since", "TIME", help: "begun at that time or later, in UTC"),
        OptionSyntax("until", "TIME", help: "begun before that time, in UTC"),
    ]

    private static let attempts = Command(
        CommandSyntax(
            "attempts",
            "list every attempt, or those that match",
            arguments: ["[AMOUNT]", "[CURRENCY]"],
            options: queryOptions + CommandWork.reading.options()
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let query = try query(arguments, of: "attempts")
        return Counter(options: options, shop: options.shop).run(order: nil) {
            pointOfSale,
            subject in
            let attempts = await pointOfSale.attempts(matching: query)
            return .attempts(attempts, subject.value, inFull: false)
        }
    }

    private static let export = Command(
        CommandSyntax(
            "export",
            "print what the acquirer's support needs, one JSON object a line",
            arguments: ["[AMOUNT]", "[CURRENCY]"],
            options: queryOptions + CommandWork.reading.options().filter { $0.name != "json" },
            details: "It holds identifiers, times, amounts and codes; nothing about the customer."
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let query = try query(arguments, of: "export")
        return Counter(options: options, shop: options.shop).run(order: nil) {
            pointOfSale,
            subject in
            let text = await pointOfSale.export(query)
            guard !text.isEmpty else {
                return .nothing("the journal holds no attempt that matches", subject.value)
            }
            return Report(.success, lines: text.split(separator: "\n").map(String.init))
        }
    }

    private static let compact = Command(
        CommandSyntax(
            "compact",
            "make the journal smaller; no attempt is forgotten",
            options: [
                OptionSyntax("keep", "DAYS", help: "keep every detail for so long (default 365)")
            ] + CommandWork.reading.options(),
            details: "What is open keeps every detail. Nobody may have the journal open meanwhile."
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .reading)
        let days =
            try arguments.wholeNumber("keep", 0...36_500) ?? 365
        return compact(options, keeping: .seconds(86_400 * days))
    }

    private static func compact(_ options: CommonOptions, keeping retention: Duration) -> Report {
        if let problems = options.configurationProblems {
            return .cannotOpen(.configuration(problems))
        }
        let (shop, path) = (options.shop, options.journalPath)
        do throws(SavedWorldError) {
            try shop.restore(from: path + ".world")
        } catch {
            return .problem(.badScript, [error.description])
        }
        let environment = shop.environment
        let done = try? shop.time.run("making the journal smaller") {
            () async -> Result<FileAttemptJournal.Compaction, JournalError> in
            do throws(JournalError) {
                return .success(
                    try await FileAttemptJournal.compact(
                        path: path,
                        keeping: retention,
                        environment: environment
                    )
                )
            } catch {
                return .failure(error)
            }
        }
        switch done ?? .failure(JournalError("\(path): it did not end")) {
        case .success(let done):
            return .notes(
                .success,
                [
                    "Entries: \(done.entriesBefore) before, \(done.entriesAfter) now",
                    "Bytes: \(done.bytesBefore) before, \(done.bytesAfter) now",
                ]
            ) { $0.compaction = .init(done) }
        case .failure(let error): return .problem(.cannotRecord, [error.description])
        }
    }

    private static func query(
        _ arguments: Arguments,
        of command: String
    ) throws(UsageError) -> AttemptQuery {
        var query = AttemptQuery()
        query.order = arguments["order"]
        query.isOpen = arguments.has("open")
        query.lastFour = try arguments.value("last-four", accepted: "four digits") { text in
            text.utf8.count == 4 && text.utf8.allSatisfy { 48...57 ~= $0 } ? text : nil
        }
        let since = try time("since", arguments) ?? .distantPast
        let until = try time("until", arguments)?.addingTimeInterval(-0.001) ?? .distantFuture
        guard since <= until else {
            throw UsageError("\(command): --until is not later than --since")
        }
        query.began = since...until
        guard let amount = arguments.words.first else { return query }
        guard arguments.words.count == 2 else {
            throw UsageError("\(command): an AMOUNT needs its CURRENCY")
        }
        query.amount = try OrderWords.money(amount, arguments.words[1], of: command)
        return query
    }

    /// A moment in UTC, or the beginning of a day.
    private static func time(_ name: String, _ arguments: Arguments) throws(UsageError) -> Date? {
        try arguments.value(name, accepted: "such as 2026-01-31 or 2026-01-31T09:30:00Z") { text in
            let day = Date.ISO8601FormatStyle().year().month().day()
            return (try? Date(text, strategy: .iso8601)) ?? (try? day.parse(text))
        }
    }
}
