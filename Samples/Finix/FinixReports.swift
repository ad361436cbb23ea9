import CommandLineSupport
import FinixPayments
import FinixSimulation
import PaymentCore
import ShopSupport

extension Report {
    /// The report of a configuration that leads to no Finix that could be asked.
    static var noFinix: Report {
        .problem(.configuration, ["finix: the configuration lets nobody ask Finix's books"])
    }
}

extension SimulatedShop {
    /// What finds and makes Devices at the emulated Finix.
    var finixDevices: FinixDevices? {
        guard let emulator = emulatedFinix else { return nil }
        return FinixDevices(
            world: .simulated,
            origin: FinixEmulator.origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: emulator.host,
            environment: environment
        )
    }
}
