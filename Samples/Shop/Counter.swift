public import CommandLineSupport
public import PaymentCore
import Simulation
import Synchronization

/// Opens the point of sale of a shop and runs one command at it.
public struct Counter: Sendable {
    private let options: CommonOptions
    private let shop: SimulatedShop

    /// Creates a counter.
    public init(options: CommonOptions, shop: SimulatedShop) {
        self.options = options
        self.shop = shop
    }

    /// Runs a command; Ctrl-C cancels the payment that it takes.
    ///
    /// - Parameters:
    ///   - order: What it is about, if it is about one order.
    ///   - amount: The amount, where the command names one.
    ///   - begins: Whether it can be the first of its journal; else a journal that is named and not
    ///     there is a mistake.
    ///   - command: The command.
    /// - Returns: Its report, or why it could not begin.
    public func run(
        order: Order?,
        amount: Money? = nil,
        begins: Bool = false,
        _ command: @escaping @Sendable (PointOfSale, OpenSubject) async -> Report
    ) -> Report {
        if let problems = options.configurationProblems {
            return .cannotOpen(.configuration(problems))
        }
        let path = options.journalPath
        let world = path + ".world"
        if !begins, let named = options.journal, access(named, F_OK) != 0, errno == ENOENT {
            return .problem(.cannotRecord, ["\(named): there is no such journal"])
        }
        let journal: FileAttemptJournal
        switch open(path) {
        case .success(let opened): journal = opened
        case .failure(let error): return .cannotOpen(.journal(error))
        }
        do throws(SavedWorldError) {
            try shop.restore(from: world)
        } catch {
            close(journal)
            return .problem(.badScript, [error.description])
        }
        var report = run(order, amount, journal, command)
        if let problem = shop.save(to: world) { report.diagnostics.append(problem) }
        close(journal)
        return report
    }

    private func open(_ path: String) -> Result<FileAttemptJournal, JournalError> {
        let environment = shop.environment
        let opened = try? shop.time.run("opening the journal") {
            () async -> Result<FileAttemptJournal, JournalError> in
            do throws(JournalError) {
                return .success(try await .open(path: path, environment: environment))
            } catch {
                return .failure(error)
            }
        }
        return opened ?? .failure(JournalError("\(path): opening it did not end"))
    }

    /// Gives the lock back; when that fails it ends with the process all the same.
    private func close(_ journal: FileAttemptJournal) {
        try? shop.time.run("closing the journal") { await journal.close() }
    }

    private func run(
        _ order: Order?,
        _ amount: Money?,
        _ journal: FileAttemptJournal,
        _ command: @escaping @Sendable (PointOfSale, OpenSubject) async -> Report
    ) -> Report {
        let shared = OpenCounter()
        let (options, shop) = (options, shop)
        let cancel: @Sendable () async -> String? = {
            await Self.cancel(order, shared.value, options.interruption)
        }
        return Session(shop: shop, terminal: options.terminal, speed: options.speed).run(
            cancel: options.interruption == .givesUp ? nil : cancel,
            abandoned: {
                guard var subject = shared.value?.subject.value else {
                    return .problem(.cancelled, ["interrupted before anything began"])
                }
                // Follow-ups and set-up tell no events: the journal knows whether anything began.
                if let order, subject.attempt == nil {
                    subject.attempt = journal.read { book in
                        book.open.last { $0.began.order == order }?.id
                    }
                }
                return .abandoned(subject, options.work)
            },
            {
                do throws(PointOfSaleError) {
                    let pointOfSale = try await PointOfSale.open(
                        options.configuration,
                        providers: shop.providers,
                        journal: journal,
                        claiming: options.claims.map {
                            ShopClaims.claiming(
                                at: $0,
                                till: options.till,
                                environment: shop.environment
                            )
                        },
                        environment: shop.environment
                    )
                    let provider = pointOfSale.account.provider
                    if let idle = options.scripts.first(where: { !$0.has(effectAt: provider) }) {
                        return .idle(idle, at: provider)
                    }
                    let subject = OpenSubject(
                        PaymentSubject(
                            order: order,
                            account: pointOfSale.account,
                            amount: amount,
                            seed: options.seed,
                            later: "\(options.program.name) \(options.program.lookUp)"
                        )
                    )
                    shared.set((pointOfSale, subject))
                    let report = await command(pointOfSale, subject)
                    await pointOfSale.releaseClaims()
                    return report
                } catch {
                    return .cannotOpen(error)
                }
            }
        )
    }
}

extension Counter {
    /// Asks for the cancellation of what runs; tells what came of it.
    private static func cancel(
        _ order: Order?,
        _ open: (pointOfSale: PointOfSale, subject: OpenSubject)?,
        _ interrupting: Interrupting
    ) async -> String? {
        guard interrupting == .cancels else { return "this cannot be cancelled; its end follows" }
        guard let order, let (pointOfSale, subject) = open else { return nil }
        let answer = await pointOfSale.cancel(order)
        if answer == .nothingRunning { subject.cancel() }
        return answer.sentence
    }
}

/// What is open while a command runs, for whoever interrupts it.
private final class OpenCounter: Sendable {
    private let content = Mutex<(pointOfSale: PointOfSale, subject: OpenSubject)?>(nil)
    var value: (pointOfSale: PointOfSale, subject: OpenSubject)? { content.withLock { $0 } }

    func set(_ value: (pointOfSale: PointOfSale, subject: OpenSubject)) {
        content.withLock { $0 = value }
    }
}

/// What a command is about, as far as it is known while it runs.
public final class OpenSubject: Sendable {
    private let content: Mutex<PaymentSubject>
    private let wantsCancel = Mutex(false)

    init(_ subject: PaymentSubject) { content = Mutex(subject) }

    /// What is known so far.
    public var value: PaymentSubject { content.withLock { $0 } }

    /// Whether somebody wanted to cancel before there was anything to cancel.
    var isCancelled: Bool { wantsCancel.withLock { $0 } }

    /// Remembers that somebody wants to cancel.
    func cancel() { wantsCancel.withLock { $0 = true } }

    /// Remembers which attempt it is.
    public func note(_ attempt: AttemptID) { content.withLock { $0.attempt = attempt } }
}

extension Report {
    /// The report of a point of sale that could not be opened.
    public static func cannotOpen(_ error: PointOfSaleError) -> Report {
        switch error {
        case .configuration(let problems):
            .problem(.configuration, problems.description.split(separator: "\n").map(String.init))
        case .journal(let error): .problem(.cannotRecord, [error.description])
        }
    }

    /// The report of a script that would not be noticed.
    fileprivate static func idle(_ script: SimulatedShop.Script, at provider: String) -> Report {
        .problem(
            .usage,
            ["--simulate: found \"\(script.rawValue)\", which has no effect at \(provider)"]
        )
    }

    /// The report after somebody gave up on a payment.
    static func abandoned(_ subject: PaymentSubject, _ work: CommandWork) -> Report {
        var object = subject.object
        guard subject.attempt != nil else {
            switch work {
            case .resolving:
                return .problem(.unresolved, ["interrupted; what was open may still be open"])
            case .preparing, .asking, .reading: return .problem(.cancelled, ["interrupted"])
            default: return .notBegun("interrupted before it began", subject)
            }
        }
        object.outcome = "unresolved"
        object.money = MoneyPlace.unknown.rawValue
        return Report(
            .unresolved,
            object,
            lines: [MessageKey("outcome.unresolved").english],
            diagnostics: [
                "unresolved: "
                    + (subject.order.map { "order \($0)" } ?? "a payment of the series")
                    + " was left open; \(subject.later) tells"
            ]
        )
    }
}

extension Cancellation {
    /// The answer in a sentence.
    public var sentence: String {
        switch self {
        case .asked: "cancellation asked for"
        case .tooLate: "too late to cancel; the real outcome follows"
        case .nothingRunning: "nothing runs yet; it will not begin"
        case .unsupported: "this acquirer cannot cancel from code; the customer can, on the reader"
        }
    }
}

extension Order {
    /// An order with a new id.
    public init(newIn environment: PaymentEnvironment) {
        self = Order(stringLiteral: "o-" + RandomText.letters(8, from: environment))
    }
}
