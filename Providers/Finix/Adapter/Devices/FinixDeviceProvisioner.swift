public import PaymentCore
import Synchronization

/// Hands out a phone's Device: the kept one, or one that is provisioned once for all who ask.
public final class FinixDeviceProvisioner: Sendable {
    private let source: any FinixDeviceSource
    private let store: any FinixDeviceStore
    private let running = Mutex<[String: OneShot<Outcome>]>([:])

    private enum Outcome: Sendable {
        case device(String)
        case failed(PaymentError)
        /// Whoever provisioned gave up; somebody else must.
        case abandoned
    }

    /// Creates a provisioner.
    ///
    /// - Parameters:
    ///   - source: Who provisions.
    ///   - store: Where identifiers are kept from launch to launch.
    public init(source: any FinixDeviceSource, store: any FinixDeviceStore) {
        self.source = source
        self.store = store
    }

    /// The Device for a phone, app and merchant.
    ///
    /// A kept one is handed out without asking Finix. Concurrent requests for the same are one;
    /// giving up on one gives up no other.
    ///
    /// - Parameter request: Phone, app and merchant.
    /// - Returns: Finix's identifier of the Device.
    /// - Throws: ``PaymentError``, and nothing is kept.
    public func device(for request: FinixDeviceRequest) async throws(PaymentError) -> String {
        while true {
            let (round, leads) = join(request.key)
            if leads {
                let result = await keptOrNew(request)
                end(request.key, round, with: result)
                return try result.get()
            }
            switch await round.value() {
            case .device(let device): return device
            case .failed(let error): throw error
            case .abandoned:
                guard !Task.isCancelled else {
                    throw PaymentError(.interrupted, detail: "provisioning was given up")
                }
            }
        }
    }

    /// Does something that needs the Device and moves no money, such as preparing the reader.
    ///
    /// If it fails because the Device is switched off, the Device is forgotten and provisioned
    /// anew, and the action is done once more; never a third time. Where the error leaves open
    /// whether it is the Device, whoever provisions is asked.
    ///
    /// - Parameters:
    ///   - request: Phone, app and merchant.
    ///   - action: Gets the Device's identifier.
    /// - Returns: What the action returned.
    /// - Throws: The action's error, or why there is no Device.
    public func withDevice<Value>(
        for request: FinixDeviceRequest,
        _ action: (String) async throws(PaymentError) -> Value
    ) async throws(PaymentError) -> Value {
        let kept = try await device(for: request)
        do throws(PaymentError) {
            return try await action(kept)
        } catch {
            guard await isUseless(kept, after: error, for: request) else { throw error }
        }
        let anew = try await device(for: request)
        do throws(PaymentError) {
            return try await action(anew)
        } catch {
            await heard(error, about: anew, for: request)
            throw error
        }
    }

    /// Whether an error means that the Device does not work; then it is forgotten.
    private func isUseless(
        _ device: String,
        after error: PaymentError,
        for request: FinixDeviceRequest
    ) async -> Bool {
        if await heard(error, about: device, for: request) { return true }
        guard Self.mayHideDevice.contains(error.code) else { return false }
        return (try? await isEnabled(device, for: request)) == false
    }

    /// A Device that Finix does not know, or has switched off, gets no token; the SDK then says
    /// that the account is not linked, or only that there is no token.
    private static let mayHideDevice: [PaymentError.Code] = [
        .tokenUnavailable, .accountNotLinked, .linkStatusUnknown,
    ]

    /// Forgets a Device if an error says that Finix has it switched off.
    ///
    /// Called with the error of a payment, it makes the next one find a Device that works.
    ///
    /// - Parameters:
    ///   - error: What went wrong.
    ///   - device: The Device that was used.
    ///   - request: Phone, app and merchant.
    /// - Returns: Whether the error said so.
    @discardableResult
    public func heard(
        _ error: PaymentError,
        about device: String,
        for request: FinixDeviceRequest
    ) async -> Bool {
        guard error.code == .deviceDisabled else { return false }
        await forget(device, for: request)
        return true
    }

    /// The Device that is kept; nobody is asked for one.
    ///
    /// - Parameter request: Phone, app and merchant.
    /// - Returns: Finix's identifier of it, or nil where none is kept.
    public func kept(for request: FinixDeviceRequest) async -> String? {
        await store.value(for: request.key).flatMap { FinixWire.isIdentifier($0) ? $0 : nil }
    }

    /// Asks whether the kept Device still works, and provisions another if not.
    ///
    /// - Parameter request: Phone, app and merchant.
    /// - Returns: A Device that Finix has enabled.
    /// - Throws: ``PaymentError`` when nobody could find out.
    public func confirmedDevice(
        for request: FinixDeviceRequest
    ) async throws(PaymentError) -> String {
        if let kept = await store.value(for: request.key),
            try await !source.isEnabled(kept, for: request)
        {
            await forget(kept, for: request)
        }
        return try await device(for: request)
    }

    private func forget(_ device: String, for request: FinixDeviceRequest) async {
        // Somebody else may have provisioned another in the meantime.
        guard await store.value(for: request.key) == device else { return }
        await store.set(nil, for: request.key)
    }

    private func keptOrNew(
        _ request: FinixDeviceRequest
    ) async -> Result<String, PaymentError> {
        if let kept = await kept(for: request) { return .success(kept) }
        do throws(PaymentError) {
            let device = try await source.provision(request)
            await store.set(device, for: request.key)
            return .success(device)
        } catch {
            return .failure(error)
        }
    }

    private func join(_ key: String) -> (round: OneShot<Outcome>, leads: Bool) {
        running.withLock { running in
            if let round = running[key] { return (round, false) }
            let round = OneShot<Outcome>()
            running[key] = round
            return (round, true)
        }
    }

    private func end(
        _ key: String,
        _ round: OneShot<Outcome>,
        with result: Result<String, PaymentError>
    ) {
        running.withLock { $0[key] = nil }
        switch result {
        case .success(let device): round.resolve(.device(device))
        case .failure(let error): round.resolve(Task.isCancelled ? .abandoned : .failed(error))
        }
    }
}

extension FinixDeviceProvisioner: FinixDeviceSource {
    /// The kept Device if Finix still has it enabled, or a new one; so that a back end merges and
    /// remembers what phones ask.
    ///
    /// A phone asks its back end only when it has no Device, or none that works.
    public func provision(_ request: FinixDeviceRequest) async throws(PaymentError) -> String {
        try await confirmedDevice(for: request)
    }

    /// Asks the source, and forgets a Device that does not work.
    public func isEnabled(
        _ device: String,
        for request: FinixDeviceRequest
    ) async throws(PaymentError) -> Bool {
        let isEnabled = try await source.isEnabled(device, for: request)
        if !isEnabled { await forget(device, for: request) }
        return isEnabled
    }
}
