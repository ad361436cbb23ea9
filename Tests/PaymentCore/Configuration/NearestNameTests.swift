import PaymentCore
import Testing

@Suite struct NearestNameTests {
    @Test(arguments: [
        ("fnix", "finix"), ("finxi", "finix"), ("FINIX", "finix"), ("revolt", "revolut"),
        ("prod", "production"), ("simulate", "simulated"), ("sandbx", "sandbox"),
    ])
    func `N-033 finds the nearest name`(text: String, name: String) {
        let names = ["revolut", "finix", "production", "sandbox", "simulated"]
        #expect(NearestName.nearest(to: text, among: names) == name)
    }

    @Test(arguments: ["", "f", "stripe", "x", String(repeating: "finix", count: 200)])
    func `N-033 suggests nothing when nothing is near`(text: String) {
        #expect(NearestName.nearest(to: text, among: ["finix", "revolut", "to", ""]) == nil)
    }

    @Test func `N-033 suggests the first of equally near names`() {
        #expect(NearestName.nearest(to: "bat", among: ["cat", "hat"]) == "cat")
    }
}
