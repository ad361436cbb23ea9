import ReaderSimulation
import Testing

@Suite struct SimulatedCardTests {
    @Test func `L-1 no card of the catalogue holds a full number`() {
        for card in SimulatedCard.catalogue {
            #expect(card.prefix.count <= 6)
            #expect(card.lastFour.count == 4)
            #expect(card.length - card.prefix.count - card.lastFour.count >= 5)
        }
    }
}
