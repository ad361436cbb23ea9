import FinixSimulation
import PaymentCore
import Simulation
import Testing

// The README shows the lines between the marks, letter for letter.
// README begins
@MainActor final class CounterScreen {
    let pointOfSale: PointOfSale
    var status = ""

    init(pointOfSale: PointOfSale) { self.pointOfSale = pointOfSale }

    func charge(_ total: Money, for order: Order) async {
        do {
            let outcome = try await pointOfSale.take(.sale(total, for: order)) { event in
                status = event.messageKey.english
            }
            switch outcome {
            case .approved: status = "Paid. Give the goods."
            case .partlyApproved(_, let remaining): status = "\(remaining) are still to pay."
            case .authorized: status = "Held. Capture it later."
            case .declined(let decline): status = decline.messageKey.english
            case .cancelled: status = "Cancelled. Nothing was charged."
            case .failed(let error): status = error.messageKey.english
            case .unresolved: status = "Not known yet. Do not charge again: resolve it."
            }
        } catch {
            status = error.messageKey.english
        }
    }
}
// README ends

@Suite struct CounterScreenTests {
    @Test func `the README shows the call site that is compiled here`() throws {
        let here = try Repository.text("Tests/Samples/CounterScreen.swift")
        let snippet = try #require(
            here.split(separator: "// README begins\n").last?.split(separator: "// README ends")
                .first
        )
        #expect(try Repository.text("README.md").contains(snippet))
    }
}
