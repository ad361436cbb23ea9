import FinixPayments

/// A driver that tells what a test says, over an account that is linked or not.
final class ScriptedFinixDriver: FinixDriver {
    let calls = Shared<[String]>([])
    /// How the next preparations fail, in order; those after them succeed.
    let preparing = Shared<[FinixDriverError]>([])
    /// Who is told the phases of each transaction, also when it is over.
    let reports = Shared<[@Sendable (FinixPhase) -> Void]>([])
    /// What happens while a transaction runs, and just before it starts.
    let meanwhile = Shared<(@Sendable () async -> Void)?>(nil)
    let before = Shared<(@Sendable () async -> Void)?>(nil)
    private let linking: FinixDriverError?
    private let end: FinixTransactionEnd

    /// An account that is not linked, and linking that ends so.
    init(linking: FinixDriverError) {
        self.linking = linking
        end = FinixTransactionEnd(phases: [], answer: nil)
    }

    /// An account that is linked, and transactions that end so.
    init(end: FinixTransactionEnd) {
        linking = nil
        self.end = end
    }

    var isSupported: Bool { true }

    func isAccountLinked() async -> Bool {
        calls.value.append("isAccountLinked")
        return linking == nil
    }

    func forceRefreshLinkStatus() async -> Bool {
        calls.value.append("forceRefreshLinkStatus")
        return linking == nil
    }

    func linkAccount() async throws(FinixDriverError) {
        calls.value.append("linkAccount")
        if let linking { throw linking }
    }

    func prepareReader() async throws(FinixDriverError) {
        calls.value.append("prepareReader")
        guard !preparing.value.isEmpty else { return }
        throw preparing.value.removeFirst()
    }

    func refreshConfiguration() async { calls.value.append("refreshConfiguration") }

    func startTransaction(
        _ transaction: FinixTransaction,
        report: @escaping @Sendable (FinixPhase) -> Void
    ) async -> FinixTransactionEnd {
        calls.value.append("startTransaction")
        reports.value.append(report)
        for phase in end.phases { report(phase) }
        await meanwhile.value?()
        return end
    }

    func cancelTransaction() async { calls.value.append("cancelTransaction") }

    func setLanguage(_ tag: String?) async {
        calls.value.append("setLanguage")
        await before.value?()
    }
}
