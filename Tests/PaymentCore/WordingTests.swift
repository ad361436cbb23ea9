import Testing

@testable import PaymentCore

@Suite struct WordingTests {
    @Test func `N-013 every error code has wording and one recovery`() {
        #expect(PaymentError.Code.allKnown.count > 50)
        for code in PaymentError.Code.allKnown { #expect(code.messageKey.hasWording, "\(code)") }
    }

    @Test func `N-013 every decline category and event has wording`() {
        for category in Decline.Category.allKnown { #expect(category.messageKey.hasWording) }
        let kinds: [PaymentEvent.Kind] = [
            .started, .preparing, .presentCard, .cardRead, .submitting, .checking,
            .switchingProvider(from: "a", to: "b"), .finished(.cancelled),
        ]
        for kind in kinds {
            let event = PaymentEvent(attempt: AttemptID("x"), kind: kind)
            #expect(event.messageKey.hasWording)
        }
    }

    // FC-132, FC-133
    @Test func `N-012 no decline's wording betrays loss, theft or fraud`() {
        let unknown = Decline.Category(description: "stolenCardPickUp")
        for category in Decline.Category.allKnown + [unknown] {
            let text = category.messageKey.english.lowercased()
            for word in ["stolen", "lost", "fraud", "pick up", "security"] {
                #expect(!text.contains(word))
            }
        }
        #expect(
            Decline.Category.security.messageKey == Decline.Category.issuerRefused.messageKey
        )
    }
}
