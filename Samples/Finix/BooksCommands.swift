import CommandLineSupport
import FinixPayments
import PaymentCore
import ShopSupport

/// The commands that show what Finix has on its records.
enum BooksCommands {
    static let all = [devices, transfers]

    private static let devices = Command(
        CommandSyntax(
            "devices",
            "list the merchant's Devices at Finix",
            options: CommandWork.asking.options(of: Finix.program)
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .asking, of: Finix.program)
        let shop = options.shop
        return Counter(options: options, shop: shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            guard let devices = shop.finixDevices else { return .noFinix }
            do throws(PaymentError) {
                let found = try await devices.devices(of: pointOfSale.account.merchant)
                var object = subject.value.object
                let rows = found.map { device in
                    DeviceObject(
                        id: device.id,
                        name: device.name,
                        serialNumber: device.serialNumber,
                        isEnabled: device.isEnabled
                    )
                }
                object.devices = rows
                return Report(.success, object, lines: rows.map(\.line).orNone("no Devices"))
            } catch {
                return .failure(error, subject.value)
            }
        }
    }

    private static let transfers = Command(
        CommandSyntax(
            "transfers",
            "list the merchant's payments and refunds in Finix's books",
            options: [
                OptionSyntax("holds", help: "list the authorizations instead"),
                OptionSyntax("days", "N", help: "how far back, 1 to 3650 (default 30)"),
            ] + CommandWork.asking.options(of: Finix.program)
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .asking, of: Finix.program)
        let kind: AttemptKind = arguments.has("holds") ? .authorization : .sale
        let days = try arguments.wholeNumber("days", 1...3_650)
        let shop = options.shop
        return Counter(options: options, shop: shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            guard let books = pointOfSale.acquirers.first?.backOffice else { return .noFinix }
            let now = shop.environment.wallTime()
            let query = RecordQuery(
                account: pointOfSale.account,
                created: now.addingTimeInterval(-86_400 * Double(days ?? 30))...now,
                kind: kind
            )
            do throws(PaymentError) {
                let listing = try await books.records(query)
                var object = subject.value.object
                let rows = listing.records.map(RecordObject.init)
                object.records = rows
                object.isComplete = listing.isComplete
                let lines = rows.map(\.line).orNone("nothing in the books")
                let notes = listing.isComplete ? [] : ["the list is not complete"]
                return Report(.success, object, lines: lines, diagnostics: notes)
            } catch {
                return .failure(error, subject.value)
            }
        }
    }
}

extension [String] {
    /// The lines, or one that says that there are none.
    fileprivate func orNone(_ line: String) -> [String] { isEmpty ? [line] : self }
}
