/// One payment application on a card, as EMV has them.
public struct CardApplication: Hashable, Sendable {
    /// Its identifier, in hexadecimal digits.
    public let identifier: String
    /// What a receipt calls it.
    public let label: String
    /// The contactless kernel that reads it; zero for a domestic one.
    public let kernel: Int

    init(_ identifier: String, _ label: String, kernel: Int) {
        self.identifier = identifier
        self.label = label
        self.kernel = kernel
    }

    static let visaCredit = CardApplication("A0000000031010", "VISA CREDIT", kernel: 3)
    static let visaDebit = CardApplication("A0000000031010", "VISA DEBIT", kernel: 3)
    static let mastercard = CardApplication("A0000000041010", "MASTERCARD", kernel: 2)
    static let mastercardDebit = CardApplication("A0000000041010", "DEBIT MASTERCARD", kernel: 2)
    static let maestro = CardApplication("A0000000043060", "MAESTRO", kernel: 2)
    static let amex = CardApplication("A00000002501", "AMERICAN EXPRESS", kernel: 4)
    static let jcb = CardApplication("A0000000651010", "JCB CREDIT", kernel: 5)
    static let discover = CardApplication("A0000001523010", "DISCOVER", kernel: 6)
    static let diners = CardApplication("A0000001523010", "DINERS CLUB", kernel: 6)
    static let unionPayCredit = CardApplication("A000000333010102", "UnionPay Credit", kernel: 7)
    static let interac = CardApplication("A0000002771010", "INTERAC", kernel: 0)
    static let eftpos = CardApplication("A000000384", "eftpos", kernel: 0)

    /// The brand that the identifier stands for; first digits of a number never decide that.
    public var brand: String {
        for (prefix, brand) in Self.brands where identifier.hasPrefix(prefix) { return brand }
        return "unknown"
    }

    private static let brands = [
        ("A0000000043060", "Maestro"), ("A000000003", "Visa"), ("A000000004", "Mastercard"),
        ("A000000025", "American Express"), ("A000000065", "JCB"), ("A000000152", "Discover"),
        ("A000000333", "UnionPay"), ("A000000277", "Interac"), ("A000000384", "eftpos"),
        ("A000000042", "Cartes Bancaires"),
    ]
}
