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
        var query = [(name: "merchant_id", value: merchant), (name: "limit", value: "100")]
        var found: [FinixDevice] = []
        var seen: Set<String> = []
        for _ in 0..<FinixBackOffice.mostPages {
            let page = try await page(query)
            guard page.unreadable == 0 else {
                throw PaymentError(.malformedAnswer, detail: "a Device in the list is unreadable")
            }
            found += page.rows.filter { $0.merchant == merchant }.map { $0.summary }
            guard let cursor = page.nextCursor else { return found }
            guard seen.insert(cursor).inserted else {
                throw PaymentError(.malformedAnswer, detail: "the list repeats a cursor")
            }
            query.removeAll { $0.name == "after_cursor" }
            query.append((name: "after_cursor", value: cursor))
        }
        throw PaymentError(.malformedAnswer, detail: "the list does not end")
    }

    private func page(
        _ query: [(name: String, value: String)]
    ) async throws(PaymentError) -> FinixWire.Page<FinixWire.Device> {
        do throws(WireError) {
            return try await api.get(
                "/devices",
                query: query,
                as: FinixWire.Page<FinixWire.Device>.self
            ).body
        } catch {
            throw error.error
        }
    }
}

extension FinixWire.Device {
    fileprivate var summary: FinixDevice {
        FinixDevice(id: id, name: name, serialNumber: serial_number, isEnabled: isEnabled)
    }
}
