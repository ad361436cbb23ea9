import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation

/// Short-lived credentials, of the app's and of the reader's.
enum Tokens {
    static let rules: [ContractRule] =
        scripted + appTokens + signOut + strikes + readerTokens + none

    /// One token goes wrong; the payment ends without money or with it, and the next one works.
    private static let scripted: [ContractRule] = [
        ("01", ContractTokens.Script.fails(.temporary), "fails for a while"),
        ("02", .fails(.configuration), "fails since something is set up wrongly"),
        ("03", .fails(.appLoginExpired), "fails since the app's own login ended"),
        ("04", .blank, "is blank"), ("05", .slow(.seconds(10)), "takes ten seconds"),
        ("06", .slow(.seconds(120)), "takes two minutes"),
    ].map { number, script, name in
        ContractRule(
            "TOKN-\(number)",
            needs: [.sale, .appTokens],
            "a token that \(name) leads to a true outcome, and to no sign-out",
            likelyCause: "trouble with a token is taken for the acquirer's refusal"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.tokens.script(script)
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try await bench.prove(told, at: pointOfSale)
            let next = try await bench.again(500, "o2", at: pointOfSale)
            try bench.expect("the next sale", next.name, "approved")
        }
    }

    private static let appTokens: [ContractRule] = [
        ContractRule(
            "TOKN-11",
            needs: [.sale, .appTokens],
            "a provider of tokens that always fails charges nothing",
            likelyCause: "the adapter goes on without a token"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.tokens.always(.fails(.temporary))
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.word, oneOf: ["failed", "cancelled"])
            try bench.expectMoney()
            bench.tokens.always(nil)
            try await bench.prove(told, at: pointOfSale)
        },
        ContractRule(
            "TOKN-12",
            needs: [.sale, .appTokens],
            "a token that has expired is replaced, and the sale is charged once",
            likelyCause: "an expired token is kept, or the payment is sent twice"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.paid(at: pointOfSale)
            try bench.expect("the harness expires tokens", bench.stage.make(.tokensExpire))
            let told = try await bench.again(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 3_250)
        },
        ContractRule(
            "TOKN-13",
            needs: [.sale, .appTokens],
            "preparations at once fetch a token once",
            likelyCause: "each caller fetches a token of its own"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.tokens.always(.slow(.seconds(1)))
            async let one: Void? = try? pointOfSale.prepare()
            async let other: Void? = try? pointOfSale.prepare()
            async let third: Void? = try? pointOfSale.prepare()
            _ = await (one, other, third)
            try bench.expect("tokens", bench.tokens.count <= 1, got: "\(bench.tokens.count)")
        },
        ContractRule(
            "TOKN-14",
            needs: [.sale, .appTokens],
            "a sale needs no more than three tokens",
            likelyCause: "a token is fetched for every request"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.sale(at: pointOfSale)
            try bench.expect("tokens", 1...3 ~= bench.tokens.count, got: "\(bench.tokens.count)")
        },
    ]

    private static let signOut: [ContractRule] = [
        ContractRule(
            "TOKN-21",
            needs: [.sale, .appTokens, .signsOut],
            "once the acquirer has refused the merchant, a sale is refused with nothing sent",
            likelyCause: "readiness does not tell the sign-out"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.tokens.always(.fails(.unauthorized))
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect(
                "the sale",
                told.name,
                oneOf: ["failed signedOut", "refused signedOut"]
            )
            try bench.expectMoney()
            bench.tokens.always(nil)
            try await bench.expectRefused("the next sale", "signedOut") {
                try await bench.sale(1_250, "o2", at: pointOfSale).name
            }
        },
        ContractRule(
            "TOKN-22",
            needs: [.sale, .appTokens, .signsOut],
            "signing out is told by readiness",
            likelyCause: "readiness is a constant"
        ) { bench in
            let pointOfSale = try await bench.open()
            let provider = pointOfSale.acquirers[0].provider
            try bench.expect("signed out before", await provider.readiness().isSignedOut, false)
            bench.tokens.always(.fails(.unauthorized))
            try? await pointOfSale.prepare()
            _ = try await bench.sale(at: pointOfSale)
            try bench.expect("signed out", await provider.readiness().isSignedOut)
        },
        ContractRule(
            "TOKN-23",
            needs: [.sale, .appTokens, .signsOut],
            "a single token that expires is no sign-out",
            likelyCause: "one refused token is taken for the refusal of the merchant"
        ) { bench in
            let pointOfSale = try await bench.ready()
            _ = try await bench.paid(at: pointOfSale)
            _ = bench.stage.make(.tokensExpire)
            _ = try await bench.again(at: pointOfSale)
            let readiness = await pointOfSale.acquirers[0].provider.readiness()
            try bench.expect("signed out", readiness.isSignedOut, false)
        },
    ]

    /// The acquirer refuses one token after another.
    private static let strikes: [ContractRule] = [
        ContractRule(
            "TOKN-24",
            needs: [.sale, .appTokens, .signsOut],
            "tokens that the acquirer refuses in a row sign out, and nothing is charged",
            likelyCause: "a refused token is replaced for ever, or its refusal is taken for unknown"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.wire.refuse(.token, .create, .payment)
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expectMoney()
            // A kit that handed a token out does not say what it did with it: the books do.
            let words = ["failed", "cancelled", "refused", "unresolved"]
            try bench.expect("the sale", told.word, oneOf: words)
            let tokens = bench.tokens.count
            try bench.expect("tokens", tokens <= 4, got: "\(tokens)")
            bench.wire.heal()
            let provider = pointOfSale.acquirers[0].provider
            try bench.expect("signed out", await provider.readiness().isSignedOut)
            try await bench.expectRefused("the next sale", "signedOut") {
                try await bench.sale(1_250, "o2", at: pointOfSale).name
            }
            try await bench.settle(pointOfSale)
            try bench.expectMoney()
        },
        ContractRule(
            "TOKN-25",
            needs: [.sale, .appTokens],
            "one token that the acquirer refuses is replaced, and the sale is charged once",
            likelyCause: "one refused token is taken for the refusal of the merchant"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.wire.refuse(.token, .create, times: 1)
            try? await pointOfSale.prepare()
            let told = try await bench.sale(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
            let readiness = await pointOfSale.acquirers[0].provider.readiness()
            try bench.expect("signed out", readiness.isSignedOut, false)
        },
    ]

    /// The reader's tokens come over the wire, and something goes wrong there.
    private static let readerTokens: [ContractRule] = zip(
        31...,
        ContractWire.Fault.allCases.filter { $0 != .hangs }
    ).map { number, fault in
        ContractRule(
            "TOKN-\(number)",
            needs: [.sale, .readerTokens],
            "a reader token that meets \(fault) charges nothing, and the next sale works",
            likelyCause:
                "an error before the card was read is told as unknown, or blocks the reader"
        ) { bench in
            let pointOfSale = try await bench.open()
            bench.wire.fail(.token, by: fault, times: 5)
            try? await pointOfSale.prepare()
            try bench.expectMoney()
            bench.wire.heal()
            let told = try await bench.again(at: pointOfSale)
            try bench.expect("the sale", told.name, "approved")
            try bench.expectMoney(charged: 1_250)
        }
    }

    private static let none: [ContractRule] = [
        ContractRule(
            "TOKN-51",
            needs: [.sale],
            absent: [.appTokens],
            "an adapter whose harness hands over no tokens never asks the app for one",
            likelyCause: "the harness does not declare `appTokens`"
        ) { bench in
            _ = try await bench.sale(at: try await bench.ready())
            try bench.expect("tokens", bench.tokens.count, 0)
        }
    ]
}
