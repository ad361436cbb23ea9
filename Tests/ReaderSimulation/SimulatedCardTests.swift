import ReaderSimulation
import Testing

@Suite struct SimulatedCardTests {
    @Test func `L-1 L-2 no card of the catalogue holds or shows a full number`() {
        for card in SimulatedCard.catalogue {
            #expect(card.prefix.count <= (card.length <= 14 ? 0 : 6))
            #expect(card.lastFour.count == 4)
            #expect(card.length - card.prefix.count - card.lastFour.count >= 5)
            #expect(card.masked.count == card.length)
        }
    }

    @Test func `C-01 there are forty-nine cards, each with its own id and number`() {
        let catalogue = SimulatedCard.catalogue
        #expect(catalogue.map(\.number) == Array(1...49))
        #expect(Set(catalogue.map(\.id)).count == 49)
        for card in catalogue { #expect(SimulatedCard.named(card.id) == card) }
        #expect(SimulatedCard.named("nobody") == nil)
    }

    @Test func `C-20 the brand comes from the application and never from the first digits`() {
        for card in SimulatedCard.catalogue where card.brand != "Diners Club" {
            #expect(card.applications.first.map { $0.brand == card.brand } ?? true, "\(card)")
        }
        #expect(SimulatedCard.named("interac")?.prefix.first == "4")
        #expect(SimulatedCard.named("eftpos")?.prefix.hasPrefix("62") == true)
    }
}
