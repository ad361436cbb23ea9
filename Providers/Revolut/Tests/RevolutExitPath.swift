import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutSimulation
import Simulation
import Testing

/// One way in which a flow of the kit's can end, or not even begin.
struct ExitPath: Sendable, CustomTestStringConvertible {
    let number: Int
    let happens: String
    /// What the app asks for.
    var asks = Asking.sale
    /// The kit's callbacks in order; those of a set-up are its end alone.
    let calls: [String]
    /// What the app is told, in order.
    let told: [String]
    /// The charges that the ledger holds in the end, which holds nothing else.
    let charged: [Int64]
    var card: String? = "visa-credit"
    var arrange: @Sendable (inout RevolutShop) -> Void = { _ in }

    init(
        _ number: Int,
        _ happens: String,
        _ asks: Asking = .sale,
        calls: [String],
        told: [String],
        charged: [Int64],
        card: String? = "visa-credit",
        arrange: @escaping @Sendable (inout RevolutShop) -> Void = { _ in }
    ) {
        self.number = number
        self.happens = happens
        self.asks = asks
        self.calls = calls
        self.told = told
        self.charged = charged
        self.card = card
        self.arrange = arrange
    }

    var testDescription: String { "X\(number) \(happens)" }

    static let paid = ["success+receipt", "end"]
    static let failed = ["internalError", "end"]
    static let signedOut = ["out", "internalError", "end"]
}

extension ExitPath {
    /// What an app asks for, and tells of it.
    struct Asking: Sendable {
        let run: @Sendable (inout RevolutShop) throws -> [String]

        static let sale = Asking { [try $0.sale().name] }
        static let twoSales = Asking { try $0.twoSales() }
        static let series = Asking { try SeriesShop.take(in: $0) }
        static let setUp = Asking { try $0.setUp() }

        /// A sale of nothing.
        static let nothing = Asking { shop in
            let shop = shop
            return try shop.run { () async throws -> [String] in
                let pointOfSale = try await shop.open()
                do {
                    return [try await pointOfSale.take(try RevolutShop.request(0)).name]
                } catch let refusal as PaymentRefusal {
                    return [refusal.code]
                }
            }
        }

        /// A sale in a currency as somebody has typed it.
        static func sale(in code: String) -> Asking {
            Asking { shop in
                let currency: Currency
                do throws(CurrencyCodeError) {
                    currency = try Currency.parse(code)
                } catch {
                    return ["\(error.reason)"]
                }
                let shop = shop
                return try shop.run { () async throws -> [String] in
                    let request = try RevolutShop.request(1_000, "o1", currency)
                    return [try await shop.open().take(request).name]
                }
            }
        }

        /// A second sale amid the first, which the customer then cancels.
        static let twoAtOnce = Asking { shop in
            let shop = shop
            return try shop.run { () async throws -> [String] in
                let pointOfSale = try await shop.open()
                let first = Task(executorPreference: shop.world.time.executor) {
                    try await shop.take(with: pointOfSale).0
                }
                try await shop.world.environment.clock.sleep(for: .seconds(2))
                var told: [String] = []
                do {
                    told.append(try await shop.take("o2", with: pointOfSale).0)
                } catch let refusal as PaymentRefusal {
                    told.append(refusal.code)
                }
                shop.world.device.control.customerCancels()
                return told + [try await first.value]
            }
        }

        /// A sale whose app is killed once something holds; what the next one is told.
        static func killed(
            once isTime: @escaping @Sendable (RevolutShop) async -> Bool
        ) -> Asking {
            Asking { shop in
                let dead = shop
                let next = try RevolutKilledTests.next(dead) { await isTime(dead) }
                shop.journal = next.journal
                return next.unresolved + next.resolved
            }
        }
    }
}

// MARK: What happens

extension RevolutShop {
    /// The customer closes the sheet two seconds into the payment.
    func customerCancels() {
        let (world, screen) = (world, stage.screen)
        screen.observe { content in
            guard content == .sheet else { return }
            world.time.clock.schedule(after: .seconds(2)) { world.device.control.customerCancels() }
        }
    }

    /// No tap is possible, and something is done once the code is shown.
    func tapImpossible(whenShown: @escaping @Sendable (RevolutShop, String) -> Void) {
        world.device.control.setUnsupported(ReaderError(.deviceUnsupported))
        stage.screen.observe { content in
            if case .code(_, let order) = content { whenShown(self, order) }
        }
    }

    /// No tap is possible, and the merchant closes the code when the customer has paid or not.
    func codeClosed(isPaid: Bool) {
        tapImpossible { shop, order in
            shop.world.time.clock.schedule(after: .seconds(5)) {
                shop.stage.screen.close()
                if isPaid { shop.emulator.payByCode(order) }
            }
        }
    }

    /// The kit is signed out as it charges, and the charge is booked nevertheless or not.
    mutating func signOutAmidCharge(isBooked: Bool) {
        let issued = Shared(0)
        stage.tokenFault = {
            issued.value += 1
            return issued.value > 1 ? .unauthorized : nil
        }
        let refused = HTTPResponse(status: 401)
        emulator.host.faults.add(isBooked ? .answerAfter(refused) : .answer(refused)) {
            $0.path.hasSuffix("/tap")
        }
    }

    /// The merchant types these amounts at the kit, and then closes it.
    mutating func merchantTypes(_ amounts: [UInt], cards: [String]) {
        let typed = Shared(amounts)
        stage.hands.nextPayment = {
            typed.value.isEmpty ? nil : .init(amount: typed.value.removeFirst())
        }
        world.device.control.nextCards(cards.compactMap { SimulatedCard.named($0) })
    }
}
