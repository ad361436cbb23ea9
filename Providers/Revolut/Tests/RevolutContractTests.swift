import RevolutContract
import ProviderContractKit
import Testing

@Suite struct RevolutContractTests {
    @Test(arguments: ProviderContract.cases(of: RevolutHarness()))
    func `keeps the provider contract`(_ rule: ContractCase) throws { try rule.check() }
}
