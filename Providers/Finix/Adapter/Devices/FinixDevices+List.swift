public import PaymentCore
import PaymentTransport

/// A Device as Finix has it on its records.
public struct FinixDevice: Hashable, Sendable {
    /// Finix's identifier.
    public let id: String
    /// What the dashboard calls it.
    public let name: String?
    /// The identifier of the phone's reader.
    public let serialNumber: String?
    /// Whether payments may be taken on it.
    public let isEnabled: Bool
}

extension FinixDevices {
    /// Every Device of a merchant, as Finix lists them.
    ///
    /// - Parameter merchant: Finix's merchant, `MU…`.
    /// - Returns: The merchant's Devices, newest first.
    /// - Throws: ``PaymentError`` when the list could not be read to its end.
    public func devices(of merchant: String) async throws(PaymentError) -> [FinixDevice] {
        let found: (rows: [FinixWire.Device], problem: String?)
        do throws(WireError) {
            found = try await list([(name: "merchant_id", value: merchant)])
        } catch {
            throw error.error
        }
        if let problem = found.problem { throw PaymentError(.malformedAnswer, detail: problem) }
        return found.rows.filter { $0.merchant == merchant }.map { $0.summary }
    }
}

extension FinixWire.Device {
    fileprivate var summary: FinixDevice {
        FinixDevice(id: id, name: name, serialNumber: serial_number, isEnabled: isEnabled)
    }
}
