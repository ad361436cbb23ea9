import CommandLineSupport
import FinixPayments
import FinixSimulation
import PaymentCore
import ShopSupport

/// The commands that make the phone ready.
enum ReaderCommands {
    static let all = [provision, link, prepare]

    private static let provision = Command(
        CommandSyntax(
            "provision",
            "find or make the phone's Device at Finix",
            options: [
                OptionSyntax("reader", "ID", help: "the phone's reader (default reader-simulated)"),
                OptionSyntax(
                    "bundle",
                    "ID",
                    help: "the app (default: configured, or com.example.shop)"
                ),
                OptionSyntax(
                    "name",
                    "TEXT",
                    help: "what the dashboard calls it (default: configured, or Till)"
                ),
            ] + CommandWork.asking.options(of: Finix.program),
            details: """
                A Device that is kept from an earlier run is confirmed with Finix and used again.
                Put its identifier in the configuration as "device" to take payments with it, or put
                "provisioning" there in its place: then preparing does the same by itself.
                """
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .asking, of: Finix.program)
        let shop = options.shop
        return Counter(options: options, shop: shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            guard let devices = shop.finixDevices else { return .noFinix }
            let provisioner = FinixDeviceProvisioner(
                source: devices,
                store: FileFinixDeviceStore(path: options.devicesPath)
            )
            do throws(PaymentError) {
                let configured = shop.finixProvisioning
                let request = try FinixDeviceRequest(
                    environment: pointOfSale.account.environment,
                    merchant: pointOfSale.account.merchant,
                    reader: arguments["reader"] ?? "reader-simulated",
                    bundle: arguments["bundle"] ?? configured?.bundle ?? "com.example.shop",
                    name: arguments["name"] ?? configured?.name ?? "Till",
                    note: configured?.note
                )
                let id = try await provisioner.confirmedDevice(for: request)
                var object = subject.value.object
                object.outcome = "done"
                object.devices = [
                    DeviceObject(
                        id: id,
                        name: request.name,
                        serialNumber: request.reader,
                        isEnabled: true
                    )
                ]
                return Report(.success, object, lines: ["Device \(id) is enabled"])
            } catch {
                return .failure(error, subject.value)
            }
        }
    }

    private static let link = Command(
        CommandSyntax(
            "link",
            "have the merchant accept the reader's terms, if that is needed",
            options: [
                OptionSyntax("ask-only", help: "show no terms: whoever is here may not accept them")
            ] + CommandWork.preparing.options(of: Finix.program),
            details: """
                The link is asked about first, and the terms are shown only without one; then the
                reader is prepared. Exit codes: 0 linked and ready, 11 closed by the merchant,
                12 not linked or not ready, 20 nobody could find out.
                """
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .preparing, of: Finix.program)
        let setUp = SetUpOptions(mayAcceptTerms: !arguments.has("ask-only"))
        return Counter(options: options, shop: options.shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            do throws(PaymentRefusal) {
                return .setUp(try await pointOfSale.setUp(setUp).state, subject.value)
            } catch {
                return .refusal(error, subject.value)
            }
        }
    }

    private static let prepare = Command(
        CommandSyntax(
            "prepare",
            "make the reader ready",
            options: CommandWork.preparing.options(of: Finix.program)
        )
    ) { arguments throws(UsageError) in
        let options = try CommonOptions(arguments, for: .preparing, of: Finix.program)
        return Counter(options: options, shop: options.shop).run(order: nil, begins: true) {
            pointOfSale,
            subject in
            do throws(PaymentError) {
                try await pointOfSale.prepare()
                return .setUp(.done, subject.value)
            } catch {
                return .failure(error, subject.value)
            }
        }
    }
}
