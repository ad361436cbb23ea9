import ProviderContractKit
import Testing

@Suite struct AcmeContractTests {
    @Test(arguments: ProviderContract.cases(of: AcmeHarness()))
    func `keeps the provider contract`(_ rule: ContractCase) throws { try rule.check() }
}
