import AcquirerSimulation
import FinixPayments
import FinixSimulation
import PaymentCore
import Simulation
import Testing

@Suite struct FinixAccountTests {
    /// A till of a merchant's, at a location or without one.
    private func open(
        _ shop: FinixShop,
        merchant: String = "MUdemo",
        location: String?
    ) async throws -> PointOfSale {
        let member = location.map { #", "location": "\#($0)""# } ?? ""
        let (world, emulator) = (shop.world, shop.emulator)
        let factory = ProviderFactory(name: "finix") { section, environment in
            FinixConfiguration(section).map { configuration in
                .simulatedFinix(
                    configuration,
                    world: world,
                    emulator: emulator,
                    environment: environment
                )
            }
        }
        return try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: """
                    { "provider": "finix", "providers": { "finix": { "environment": "simulated",
                      "merchant": "\(merchant)", "merchantName": "Shop",
                      "device": "DVtill"\(member) } } }
                    """
            ),
            providers: [factory],
            journal: shop.journal,
            environment: world.environment
        )
    }

    @Test(arguments: ["shop-2", nil])
    func `an account names its location, on every receipt`(location: String?) throws {
        let shop = FinixShop()
        let accounts = try shop.run { () async throws -> [Account?] in
            let pointOfSale = try await open(shop, location: location)
            try await pointOfSale.prepare()
            _ = try await shop.take(1_250, "o1", with: pointOfSale)
            return [pointOfSale.account, await pointOfSale.receipt(for: "o1")?.account]
        }
        let expected = Account(
            provider: "finix",
            merchant: "MUdemo",
            environment: .simulated,
            location: location
        )
        #expect(accounts == [expected, expected])
    }

    @Test(arguments: [("MUdemo", "shop-3"), ("MUother", "shop-2"), ("MUdemo", nil)])
    func `N-029 books of another merchant or location prove nothing`(
        merchant: String,
        location: String?
    ) throws {
        let shop = FinixShop()
        let listing = try shop.run { () async throws -> RecordListing? in
            let pointOfSale = try await open(shop, location: "shop-2")
            try await pointOfSale.prepare()
            _ = try await shop.take(1_250, "o1", with: pointOfSale)
            let now = shop.world.environment.wallTime()
            let query = RecordQuery(
                account: Account(
                    provider: "finix",
                    merchant: merchant,
                    environment: .simulated,
                    location: location
                ),
                created: now.addingTimeInterval(-600)...now.addingTimeInterval(600),
                kind: .sale
            )
            return try await pointOfSale.acquirers[0].backOffice?.records(query)
        }
        #expect(listing?.records.isEmpty == true)
        #expect(listing?.isComplete == false)
    }
}
