import PaymentCore
import Synchronization

/// A phone's Device, and the driver over the SDK that was made for it.
///
/// The SDK takes a Device once and for all, so another Device means another driver.
final class FinixTill: Sendable {
    private let merchant: String?
    private let make: @Sendable (String) -> any FinixDriver
    private let source: Source?
    private let state: Mutex<State>

    /// Where the Device comes from if nobody names it.
    struct Source: Sendable {
        let provisioner: FinixDeviceProvisioner
        /// Asks the reader for its identifier.
        let request: @Sendable () async throws(PaymentError) -> FinixDeviceRequest
    }

    private struct State {
        var device: String?
        /// The Device that the journal was told for the payment that begins.
        var told: String?
        var request: FinixDeviceRequest?
        var driver: any FinixDriver
    }

    /// A till whose Device is known.
    init(driver: any FinixDriver, device: String, merchant: String? = nil) {
        self.merchant = merchant
        make = { _ in driver }
        source = nil
        state = Mutex(State(device: device, driver: driver))
    }

    /// A till whose Device is provisioned when it is first needed.
    init(
        merchant: String,
        source: Source,
        make: @escaping @Sendable (_ device: String) -> any FinixDriver
    ) {
        self.merchant = merchant
        self.make = make
        self.source = source
        // Until a Device is known this one is only asked whether the phone can read cards.
        state = Mutex(State(driver: make("")))
    }

    /// The driver for the Device; one without a Device as long as none is known.
    var driver: any FinixDriver { state.withLock { $0.driver } }

    /// What support asks for when a phone cannot be made ready.
    var supportIdentifiers: [String: String] {
        let (device, reader) = state.withLock { ($0.device, $0.request?.reader) }
        return ["merchant": merchant, "device": device, "readerIdentifier": reader]
            .compactMapValues(\.self)
    }

    /// The driver if a Device is known or kept; Finix is not asked for one.
    func knownDriver() async -> (any FinixDriver)? {
        if state.withLock({ $0.device }) == nil, let source,
            let request = try? await request(source),
            let kept = await source.provisioner.kept(for: request)
        {
            return use(kept, replacing: false)
        }
        return state.withLock { $0.device == nil ? nil : $0.driver }
    }

    /// The Device that the next payment is taken on, as far as it is known.
    func deviceOfPayment() async -> String? {
        _ = await knownDriver()
        return state.withLock { state in
            state.told = state.device
            return state.device
        }
    }

    /// The driver for the Device that the journal was told; nil if it would be another one.
    var driverOfPayment: (any FinixDriver)? {
        state.withLock { state in
            guard let device = state.device, state.told == nil || state.told == device else {
                return nil
            }
            return state.driver
        }
    }

    /// Does something that moves no money with the driver for the Device.
    ///
    /// Where the Device is provisioned it is done once more on another, if it turns out that
    /// Finix has this one switched off.
    func withDriver<Value>(
        _ action: (any FinixDriver) async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        guard let source else { return try await action(driver) }
        let request = try await request(source)
        return try await source.provisioner.withDevice(for: request) {
            (device) throws(PaymentError) in
            try await action(use(device, replacing: true))
        }
    }

    /// Forgets the Device if a payment's error says that Finix has it switched off.
    func heard(_ error: PaymentError) async {
        guard let source, let (device, request) = state.withLock({ Self.used($0) }) else { return }
        await source.provisioner.heard(error, about: device, for: request)
    }

    private static func used(_ state: State) -> (String, FinixDeviceRequest)? {
        guard let device = state.device, let request = state.request else { return nil }
        return (device, request)
    }

    /// The reader is asked once in each launch: its identifier may have changed since the last.
    private func request(_ source: Source) async throws(PaymentError) -> FinixDeviceRequest {
        if let request = state.withLock({ $0.request }) { return request }
        let request = try await source.request()
        state.withLock { $0.request = request }
        return request
    }

    private func use(_ device: String, replacing: Bool) -> any FinixDriver {
        state.withLock { state in
            guard state.device != device, replacing || state.device == nil else {
                return state.driver
            }
            state.device = device
            state.driver = make(device)
            return state.driver
        }
    }
}
