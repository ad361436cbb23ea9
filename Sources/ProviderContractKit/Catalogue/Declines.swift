import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Declines, and codes that nobody mapped.
enum Declines {
    static let rules: [ContractRule] = each + reasons + rest

    /// Every reason that an issuer may have, whether or not the adapter knows its code.
    private static let each: [ContractRule] = zip(1..., refusals).map { index, refusal in
        ContractRule(
            "DECL-\(index < 10 ? "0" : "")\(index)",
            needs: [.sale],
            "an issuer's no for \(refusal) is told as declined and moves nothing",
            likelyCause: "a code that is not mapped is told as an error, or as approved"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.script([.decline(refusal)])
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, "declined")
            try bench.expectMoney()
            await bench.pass(.seconds(1_200))
            try bench.expectMoney()
        }
    }

    private static let refusals = IssuerRefusal.allCases.filter {
        ![.incorrectPIN, .pinTriesExceeded, .pinRequiredElsewhere, .invalidPayload].contains($0)
    }

    /// Reasons that matter to the cashier.
    private static let reasons: [ContractRule] = [
        ("41", IssuerRefusal.insufficientFunds, Decline.Category.insufficientFunds),
        ("42", .expiredCard, .expiredCard), ("43", .stolenCard, .security),
        ("44", .lostCard, .security), ("45", .suspectedFraud, .security),
        ("46", .pickUpCard, .security),
    ].map { number, refusal, category in
        ContractRule(
            "DECL-\(number)",
            .should,
            needs: [.sale, .declineReasons],
            "an issuer's no for \(refusal) is told as \(category)",
            likelyCause: "the acquirer's code is missing in the adapter's table of declines"
        ) { bench in
            bench.world.issuer.script([.decline(refusal)])
            let told = try await bench.sale(at: try await bench.ready())
            try bench.expect("the sale", told.name, "declined \(category)")
        }
    }

    private static let rest: [ContractRule] = [
        ContractRule(
            "DECL-51",
            needs: [.sale],
            "what a screen shows of a stolen card is what it shows of any refused card",
            likelyCause: "the reason has a category of its own, with wording of its own"
        ) { bench in
            bench.world.issuer.script([.decline(.stolenCard)])
            let told = try await bench.sale(at: try await bench.ready())
            guard case .declined(let decline) = told.outcome else {
                throw bench.unexpected("the sale", "declined", told.name)
            }
            let generic = Decline.Category.generic.messageKey
            try bench.expect("the wording", decline.messageKey, generic)
        },
        ContractRule(
            "DECL-52",
            needs: [.sale],
            "three declines in a row leave an order that can be paid, once",
            likelyCause: "a declined try leaves something that can still be paid"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.script([.decline(.generic), .decline(.generic), .decline(.generic)])
            for index in 1...3 {
                let told = try await bench.again(at: pointOfSale)
                try bench.expect("try \(index)", told.word, "declined")
            }
            let told = try await bench.again(at: pointOfSale)
            try bench.expect("the fourth try", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        },
        ContractRule(
            "DECL-53",
            needs: [.sale, .books],
            "a decline whose answer is lost is found as a decline",
            likelyCause: "a declined record is taken for one that went through"
        ) { bench in
            let pointOfSale = try await bench.ready()
            bench.world.issuer.script([.decline(.insufficientFunds)])
            bench.wire.fail(.payment, by: .answerLost)
            let told = try await bench.sale(at: pointOfSale)
            try await bench.prove(told, at: pointOfSale)
        },
    ]
}
