import FinixContract
import ProviderContractKit
import Testing

@Suite struct FinixContractTests {
    @Test(arguments: ProviderContract.cases(of: FinixHarness()))
    func `keeps the provider contract`(_ rule: ContractCase) throws { try rule.check() }
}
