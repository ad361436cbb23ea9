import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import RevolutPayments
import RevolutSimulation
import Simulation

/// A merchant's back end beside an emulated Revolut, for tests.
struct RevolutOffice: Sendable {
    let world: SimulatedWorld
    let emulator: RevolutEmulator

    init(seed: UInt64 = 11) {
        var device = SimulatedDeviceConfiguration(timing: .instant)
        device.configured = 100
        world = SimulatedWorld(time: SimulatedTime(seed: seed), device: device)
        world.device.control.alwaysThisCard = SimulatedCard.named("visa-credit")
        emulator = RevolutEmulator(world: world)
    }

    var merchant: RevolutMerchant { merchant() }

    func merchant(
        version: String = "2026-04-20",
        transport: (any HTTPTransport)? = nil
    ) -> RevolutMerchant {
        RevolutMerchant(
            origin: RevolutEmulator.origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            apiVersion: version,
            transport: transport ?? emulator.host,
            environment: world.environment
        )
    }

    func run<Value: Sendable>(
        _ operation: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        try world.time.run { () async -> Result<Value, any Error> in
            do { return .success(try await operation()) } catch { return .failure(error) }
        }.get()
    }

    /// What a call is refused with; nil when it succeeds.
    func refusal<Value>(
        _ operation: @escaping @Sendable () async throws(WireError) -> Value
    ) throws -> WireError? {
        try world.time.run { () async -> WireError? in
            do throws(WireError) {
                _ = try await operation()
                return nil
            } catch {
                return error
            }
        }
    }
}
