import Foundation
import PaymentCore
import ReaderSimulation
import Simulation

/// What every benchmark that takes payments needs.
enum Shop {
    static let account = Account(provider: "bench", merchant: "M1", environment: .simulated)

    static var dollar: Currency {
        get throws {
            guard let dollar = Currency(code: "USD") else { throw Absence("no US dollar") }
            return dollar
        }
    }

    static func money(_ minorUnits: Int64) throws -> Money {
        try Money(minorUnits: minorUnits, currency: try dollar)
    }

    static func open(
        _ provider: any PaymentProvider,
        journal: any AttemptJournal = MemoryAttemptJournal(),
        environment: PaymentEnvironment = .live
    ) async throws -> PointOfSale {
        try await PointOfSale.open(
            PointOfSaleConfiguration(
                text: #"{ "provider": "bench", "providers": { "bench": {} } }"#
            ),
            providers: [
                ProviderFactory(name: "bench") { _, _ in
                    Acquirer(account: account, provider: provider, backOffice: nil)
                }
            ],
            journal: journal,
            environment: environment
        )
    }

    /// Takes so many payments one after the other; everything but an approval is an error.
    static func take(
        _ orders: Range<Int>,
        at pointOfSale: PointOfSale,
        onEvent: ((PaymentEvent) -> Void)? = nil
    ) async throws {
        let amount = try money(1_250)
        for number in orders {
            let order = try Order(id: "o\(number)")
            let request = PaymentRequest.sale(amount, for: order)
            let outcome =
                if let onEvent {
                    try await pointOfSale.take(request, onEvent: onEvent)
                } else {
                    try await pointOfSale.take(request)
                }
            guard case .approved = outcome else { throw Unexpected("\(outcome)") }
        }
    }
}

/// A benchmark got an answer that it does not measure.
struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = "unexpected: " + description }
}

/// An acquirer that approves at once: what is left is the cost of the point of sale itself.
struct ApprovingProvider: PaymentProvider {
    let capabilities: ProviderCapabilities = {
        var capabilities = ProviderCapabilities()
        capabilities.kinds = [.sale]
        return capabilities
    }()

    func readiness() -> ProviderReadiness {
        ProviderReadiness(isSupported: true, link: .linked, isPrepared: true)
    }
    func device() -> String? { "D1" }
    func prepare() {}
    func cancel(_ attempt: AttemptID) -> Cancellation { .asked }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        context.report(.presentCard)
        context.report(.cardRead)
        context.report(.submitting)
        return Self.approval(of: attempt)
    }

    static func approval(of attempt: PaymentAttempt) -> ProviderAnswer {
        .approved(
            Approval(
                references: [AcquirerReference(kind: "payment", value: attempt.id.description)],
                amount: .confirmed(attempt.amount),
                card: CardSummary(brand: "VISA", lastFour: "4242"),
                method: .tap,
                approvalCode: "A1B2C3"
            )
        )
    }
}

/// An acquirer that reads a card at a simulated reader, and then approves.
struct ReadingProvider: PaymentProvider {
    let reader: SimulatedReader
    let capabilities = ApprovingProvider().capabilities

    func readiness() -> ProviderReadiness { ApprovingProvider().readiness() }
    func device() -> String? { "D1" }
    func prepare() {}
    func cancel(_ attempt: AttemptID) -> Cancellation { .asked }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        do throws(ReaderError) {
            try await reader.prepare(token: ReaderToken("token"))
            context.report(.presentCard)
            _ = try await reader.read(
                ReadRequest(
                    kind: .purchase,
                    minorUnits: attempt.amount.minorUnits,
                    currency: attempt.amount.currency.code
                )
            )
        } catch {
            return .notCharged(PaymentError(.readerBusy, detail: "\(error.code)"))
        }
        context.report(.cardRead)
        context.report(.submitting)
        return ApprovingProvider.approval(of: attempt)
    }

    /// A device on which nothing takes any time.
    static func device(_ time: SimulatedTime) -> SimulatedDevice {
        var timing = ReaderTiming.instant
        timing.answer = .zero
        timing.laterPreparation = .zero
        timing.firstPreparation = .zero
        timing.sheet = .zero
        timing.tap = .zero
        timing.cardData = .zero
        timing.completion = .zero
        timing.dismissal = .zero
        let configuration = SimulatedDeviceConfiguration(
            timing: timing,
            linkedMerchants: ["merchant-1"],
            configured: 100
        )
        let device = SimulatedDevice(time: time, configuration: configuration)
        device.control.alwaysThisCard = SimulatedCard.named("visa-credit")
        return device
    }
}
