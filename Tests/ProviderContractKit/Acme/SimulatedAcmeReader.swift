public import AcquirerSimulation
public import PaymentCore
import ReaderSimulation

/// Joins the world's reader to Acme's seam, as a shim joins the vendor's kit.
public struct SimulatedAcmeReader: AcmeReader {
    private let reader: SimulatedReader

    /// Joins the reader of a world.
    public init(_ world: SimulatedWorld) { reader = world.reader }

    /// Whether this device can read cards.
    public var isSupported: Bool { reader.support() == .supported }

    /// Links and prepares.
    public func prepare(token: String) async throws(AcmeReaderError) {
        let token = ReaderToken(text: token, merchant: "acme-merchant")
        do throws(ReaderError) {
            try await reader.link(token: token)
        } catch {
            guard error.code == .accountAlreadyLinked else { throw AcmeReaderError(.linkFailed) }
        }
        do throws(ReaderError) {
            try await reader.prepare(token: token)
        } catch {
            throw AcmeReaderError(.preparationFailed)
        }
    }

    /// Reads a card.
    public func read(
        _ amount: Money,
        kind: PaymentRequest.Kind
    ) async throws(AcmeReaderError) -> String {
        let request = ReadRequest(
            kind: kind == .refundToCard ? .refund : .purchase,
            minorUnits: amount.minorUnits,
            currency: amount.currency.code
        )
        do throws(ReaderError) {
            return try await reader.read(request).payload.reveal()
        } catch {
            switch error.code {
            case .readCancelled: throw AcmeReaderError(isCancelled: true, .interrupted)
            case .tapTimedOut: throw AcmeReaderError(.tapTimedOut)
            case .notPrepared, .sessionExpired: throw AcmeReaderError(.notPrepared)
            default: throw AcmeReaderError(.cardNotRead)
            }
        }
    }

    /// Ends the read that runs.
    public func cancel() async { _ = await reader.cancelRead() }
}
