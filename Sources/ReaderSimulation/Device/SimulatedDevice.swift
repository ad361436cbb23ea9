public import Simulation

/// A phone with a reader in it; it survives the end of the app that uses it.
///
/// It remembers who accepted the terms and how far it is configured, and nothing about sessions.
public final class SimulatedDevice: Sendable {
    let machine: ReaderMachine

    /// Creates a device in a simulation.
    public init(time: SimulatedTime, configuration: SimulatedDeviceConfiguration = .init()) {
        machine = ReaderMachine(time: time, configuration: configuration)
    }

    /// What the world around the device does; for tests and tools, never for an app.
    public var control: ReaderControl { ReaderControl(machine) }
}
