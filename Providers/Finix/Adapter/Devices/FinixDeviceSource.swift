public import PaymentCore

/// Whoever can see to it that a phone has an activated Device.
///
/// A back end asks Finix itself with ``FinixDevices``; a phone, which holds no API key, asks that
/// back end with ``FinixDeviceEndpoint``. ``FinixDeviceProvisioner`` keeps what either says.
public protocol FinixDeviceSource: Sendable {
    /// Finds an enabled Device, or activates one, or creates and activates one.
    ///
    /// - Parameter request: Phone, app and merchant.
    /// - Returns: Finix's identifier of the Device, which Finix has said is enabled.
    /// - Throws: ``PaymentError``; no money moves by any of this.
    func provision(_ request: FinixDeviceRequest) async throws(PaymentError) -> String

    /// Whether Finix has a Device of that identifier for this phone and merchant, and enabled.
    ///
    /// - Parameters:
    ///   - device: An identifier kept from earlier.
    ///   - request: Phone, app and merchant.
    /// - Returns: False where Finix knows no such Device, or has it switched off.
    /// - Throws: ``PaymentError`` when nobody could find out.
    func isEnabled(
        _ device: String,
        for request: FinixDeviceRequest
    ) async throws(PaymentError) -> Bool
}
