public import PaymentCore
import PaymentTransport

/// A merchant as Finix has it on its records.
public struct FinixMerchant: Hashable, Sendable {
    /// Finix's identifier, `MU…`.
    public let id: String
    /// The name that the merchant signed up with.
    public let name: String?
    /// The processor's number of the merchant, which versions of the SDK before 1.2.0 ask for.
    public let processorNumber: String?
    /// How far signing up has come, such as `APPROVED`; an open set.
    public let onboardingState: String?
    /// Whether payments may be taken; nil when Finix does not say.
    public let isProcessingEnabled: Bool?
}

extension FinixBackOffice {
    /// The account's merchant, as Finix has it.
    ///
    /// - Returns: What Finix's records say.
    /// - Throws: ``PaymentError`` when Finix could not be asked, or told of somebody else.
    public func merchant() async throws(PaymentError) -> FinixMerchant {
        let path = "/merchants/\(account.merchant)"
        let found: FinixWire.Merchant
        do throws(WireError) {
            found = try await api.get(path, as: FinixWire.Merchant.self).body
        } catch {
            throw error.error
        }
        guard found.id == account.merchant else {
            throw PaymentError(.malformedAnswer, detail: "Finix told of another merchant")
        }
        return FinixMerchant(
            id: found.id,
            name: found.merchant_name,
            processorNumber: found.mid ?? found.processor_details?.mid,
            onboardingState: found.onboarding_state,
            isProcessingEnabled: found.processing_enabled
        )
    }
}

extension FinixWire {
    /// A merchant.
    struct Merchant: Decodable, Sendable {
        @Identifier var id: String
        var merchant_name: String?
        var mid: String?
        var onboarding_state: String?
        var processing_enabled: Bool?
        var processor_details: Processor?

        struct Processor: Decodable, Sendable {
            var mid: String?
        }
    }
}
