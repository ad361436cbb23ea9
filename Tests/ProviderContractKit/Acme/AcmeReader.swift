public import PaymentCore

/// The seam to the reader that Acme's payments are read with; a shim over the vendor's kit.
public protocol AcmeReader: Sendable {
    /// Whether this device can read cards.
    var isSupported: Bool { get }
    /// Makes the reader ready with a token of Acme's.
    func prepare(token: String) async throws(AcmeReaderError)
    /// Reads a card, and returns its sealed payload.
    func read(_ amount: Money, kind: PaymentRequest.Kind) async throws(AcmeReaderError) -> String
    /// Ends the read that runs; no effect otherwise.
    func cancel() async
}

/// Why a reader has no payload; nothing can have been submitted.
public struct AcmeReaderError: Error, Sendable {
    /// Whether somebody wished the read to end.
    public let isCancelled: Bool
    /// What went wrong.
    public let code: PaymentError.Code

    /// Creates an error.
    public init(isCancelled: Bool = false, _ code: PaymentError.Code) {
        self.isCancelled = isCancelled
        self.code = code
    }
}
