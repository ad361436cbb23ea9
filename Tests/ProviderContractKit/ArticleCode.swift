import AcquirerSimulation
import Simulation
import XCTest

@testable import ProviderContractKit

// What the article on writing a provider shows, line by line.

private func answer(
    _ payload: String,
    _ amount: Int64,
    _ currency: String,
    _ id: String,
    in world: SimulatedWorld
) {
    let decision = world.issuer.decide(payload, minorUnits: amount, currency: currency)
    if case .approved(let minorUnits, _) = decision.answer {
        world.ledger.book(
            Ledger.Entry(
                acquirer: "acme",
                record: id,
                kind: .charge,
                minorUnits: minorUnits,
                currency: currency,
                time: world.time.wallTime
            )
        )
    }
}

private struct Declaring {
    let deviations = [ContractDeviation("RCPT-04", "Acme does not tell the card's brand")]
}

final class ArticleCodeTests: XCTestCase {
    func testContract() { ProviderContract.verify(AcmeHarness()) { XCTFail($0) } }
}
