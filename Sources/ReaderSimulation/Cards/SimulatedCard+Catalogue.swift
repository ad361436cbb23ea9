extension SimulatedCard {
    /// Every card, in the order of their numbers.
    ///
    /// The last four digits belong to numbers that payment companies publish for testing; the
    /// outcomes are this package's own, and hold in simulation only.
    public static let catalogue: [SimulatedCard] = [
        card(1, "visa-credit", .visa, "424242", "4242", by: .pinAboveLimit),
        card(2, "visa-debit", .visaDebit, "400005", "5556", by: .pinAboveLimit),
        card(3, "visa-classic", .visa, "411111", "1111"),
        card(4, "visa-revolut", .visa, "492942", "5709", by: .pinAboveLimit, country: "GB"),
        card(5, "mc-credit", .mastercard, "555555", "4444", by: .pinAboveLimit),
        card(6, "mc-debit", .mastercardDebit, "520082", "8210", by: .pinAboveLimit),
        card(7, "mc-prepaid", .mastercardPrepaid, "510510", "5100"),
        card(8, "mc-2series", .mastercard, "222300", "3222", by: .pinAboveLimit),
        card(
            9,
            "mc-revolut",
            .mastercardDebit,
            "528143",
            "4148",
            by: .pinAboveLimit,
            country: "GB"
        ),
        card(10, "mc-finix-debit", .mastercardDebit, "520082", "7201", by: .pinAboveLimit),
        card(11, "maestro", .maestro, "675964", "8453", by: .pinAboveLimit, country: "DE"),
        card(12, "amex", .amex, "378282", "0005"),
        card(13, "amex-2", .amex, "371449", "8431", by: .pinAboveLimit),
        card(14, "discover", .discover, "601111", "1117"),
        card(15, "discover-2", .discover, "601100", "9424"),
        card(16, "diners", .diners, "305693", "0004"),
        card(17, "diners-14", .diners, "", "1667", length: 14),
        card(18, "jcb", .jcb, "356600", "0505", country: "JP"),
        card(19, "unionpay", .unionPay, "620000", "0005", by: .pinAlways, country: "CN"),
        card(20, "interac", .interac, "450644", "1933", country: "CA"),
        card(21, "eftpos", .eftpos, "628000", "0978", by: .pinAboveLimit, country: "AU"),
        card(
            22,
            "eftpos-visa",
            .eftpos,
            "400005",
            "0001",
            by: .pinAboveLimit,
            country: "AU",
            also: .visaDebit
        ),
        card(
            23,
            "eftpos-mc",
            .eftpos,
            "555505",
            "0080",
            by: .pinAboveLimit,
            country: "AU",
            also: .mastercardDebit
        ),
        card(24, "hsa", .visa, "439342", "2680", outcome: .approvesForHealthTrade),
        card(25, "phone-visa", .visa, "401288", "1881", entry: .phone, by: .device),
        card(26, "phone-mc", .mastercard, "222100", "0009", entry: .phone, by: .device),
        card(27, "phone-amex", .amex, "379032", "6086", entry: .phone, by: .device),
        card(
            28,
            "phone-locked",
            .visa,
            "401288",
            "1881",
            entry: .phone,
            by: .device,
            reading: .retriesOnce(.seePhone)
        ),
        card(29, "declined", .visa, "400000", "0002", outcome: .declines(.generic)),
        card(30, "declined-funds", .visa, "400000", "9995", outcome: .declines(.insufficientFunds)),
        card(31, "declined-lost", .visa, "400000", "9987", outcome: .declines(.lostCard)),
        card(32, "declined-stolen", .visa, "400000", "9979", outcome: .declines(.stolenCard)),
        card(33, "declined-expired", .visa, "400000", "0069", outcome: .declines(.expiredCard)),
        card(34, "declined-error", .visa, "400000", "0119", outcome: .declines(.processingError)),
        card(35, "refund-fails", .visa, "400000", "5126", outcome: .approvesWithoutRefunds),
        card(36, "pin-online", .visa, "400100", "0005", by: .pinAlways),
        card(37, "pin-after-tap", .visa, "400000", "0008", outcome: .asksForPIN),
        card(
            38,
            "pin-offline",
            .visa,
            "400100",
            "0002",
            by: .offlinePIN,
            reading: .stops(.anotherInterfaceNeeded, afterRemoval: true)
        ),
        card(
            39,
            "pin-offline-retry",
            .visa,
            "400000",
            "0075",
            outcome: .declines(.pinRequiredElsewhere)
        ),
        card(
            40,
            "pin-blocked",
            .mastercard,
            "541333",
            "9999",
            by: .pinAlways,
            outcome: .declines(.pinTriesExceeded)
        ),
        card(
            41,
            "offline-refuses",
            .mastercard,
            "520000",
            "0007",
            reading: .refusesOffline,
            country: "DE"
        ),
        card(
            42,
            "insert-only",
            .visa,
            "420000",
            "0091",
            reading: .stops(.anotherInterfaceNeeded, afterRemoval: true)
        ),
        card(
            43,
            "no-application",
            .jcb,
            "",
            "5841",
            reading: .stops(.cardNotSupported, afterRemoval: false),
            country: "JP"
        ),
        card(
            44,
            "damaged",
            .discover,
            "601100",
            "4675",
            reading: .stops(.cardReadFailed, afterRemoval: false)
        ),
        card(
            45,
            "weak",
            .mastercardPrepaid,
            "522310",
            "8423",
            by: .pinAboveLimit,
            reading: .retriesOnce(.weakField)
        ),
        card(
            46,
            "impatient",
            .amex,
            "",
            "0009",
            reading: .retriesOnce(.removedEarly),
            tapsAgain: true
        ),
        card(47, "two-cards", .discover, "601100", "0004", companion: "visa-credit"),
        card(48, "slow", .visa, "424242", "4242", reading: .takes(.seconds(20))),
        card(49, "system-cancels", .visa, "424242", "4242", reading: .sheetClosesOnce),
    ]

    /// What cards of one kind have in common.
    private struct Kind {
        let brand: String
        let application: CardApplication
        var funding = Funding.credit
        var length = 16
        var country = "US"

        static let visa = Kind(brand: "Visa", application: .visaCredit)
        static let visaDebit = Kind(brand: "Visa", application: .visaDebit, funding: .debit)
        static let mastercard = Kind(brand: "Mastercard", application: .mastercard)
        static let mastercardDebit = Kind(
            brand: "Mastercard",
            application: .mastercardDebit,
            funding: .debit
        )
        static let mastercardPrepaid = Kind(
            brand: "Mastercard",
            application: .mastercard,
            funding: .prepaid
        )
        static let maestro = Kind(brand: "Maestro", application: .maestro, funding: .debit)
        static let amex = Kind(brand: "American Express", application: .amex, length: 15)
        static let discover = Kind(brand: "Discover", application: .discover)
        static let diners = Kind(brand: "Diners Club", application: .diners)
        static let jcb = Kind(brand: "JCB", application: .jcb, country: "JP")
        static let unionPay = Kind(brand: "UnionPay", application: .unionPayCredit, country: "CN")
        static let interac = Kind(
            brand: "Interac",
            application: .interac,
            funding: .debit,
            country: "CA"
        )
        static let eftpos = Kind(
            brand: "eftpos",
            application: .eftpos,
            funding: .debit,
            country: "AU"
        )
    }

    private static func card(
        _ number: Int,
        _ id: String,
        _ kind: Kind,
        _ prefix: String,
        _ lastFour: String,
        length: Int? = nil,
        entry: Entry = .card,
        by verification: Verification = .none,
        reading: Reading = .reads,
        outcome: Outcome = .approves,
        country: String? = nil,
        also second: CardApplication? = nil,
        companion: String? = nil,
        tapsAgain: Bool = false
    ) -> SimulatedCard {
        // A card without a known application is told by its outcome, not by a name of its own.
        let hasApplication = reading != .stops(.cardNotSupported, afterRemoval: false)
        return SimulatedCard(
            number: number,
            id: id,
            brand: kind.brand,
            prefix: prefix,
            lastFour: lastFour,
            length: length ?? kind.length,
            entry: entry,
            verification: verification,
            reading: reading,
            outcome: outcome,
            funding: kind.funding,
            country: country ?? kind.country,
            applications: hasApplication ? [kind.application] + (second.map { [$0] } ?? []) : [],
            companion: companion,
            tapsAgain: tapsAgain
        )
    }
}
