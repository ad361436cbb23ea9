public import PaymentCore

/// Why a call on a card reader did not do what was asked, in the words of no vendor.
///
/// It carries names and numbers alone: no text that came from a card or a system reaches it.
public struct ReaderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong; decide by this.
    public let code: Code
    /// Whether a payload may have left the reader.
    ///
    /// As long as none was submitted nothing was charged.
    public let payloadMayExist: Bool
    /// A number that came with it, such as the one inside a failed preparation.
    public let number: Int?
    /// Who cancelled, where that is known.
    public let by: Canceller?
    /// Until when it lasts, where that is known.
    public let until: Date?
    /// The name of the system's own case; never a text that came with it.
    public let underlying: String?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: What went wrong.
    ///   - number: A number that came with it.
    ///   - by: Who cancelled.
    ///   - payloadMayExist: Overrides what the table says about the code.
    ///   - until: Until when it lasts.
    ///   - underlying: The name of the system's own case.
    public init(
        _ code: Code,
        number: Int? = nil,
        by: Canceller? = nil,
        payloadMayExist: Bool? = nil,
        until: Date? = nil,
        underlying: String? = nil
    ) {
        self.code = code
        self.number = number
        self.by = by
        self.payloadMayExist = payloadMayExist ?? code.entry.payloadMayExist
        self.until = until
        self.underlying = underlying
    }

    /// What may be done next.
    public var retry: Retry { code.entry.retry }

    /// The code, with what came with it.
    public var description: String {
        let parts = [number.map(String.init), by?.rawValue].compactMap(\.self)
        return parts.isEmpty ? code.name : "\(code.name)(\(parts.joined(separator: ", ")))"
    }

    /// Who ended a read that was not finished.
    public enum Canceller: String, Hashable, Sendable, CaseIterable {
        /// The app asked for it.
        case app
        /// The task that awaited the read was cancelled.
        case task
        /// The customer closed the sheet; a live reader does not say so.
        case customer
        /// The system, or somebody it does not name.
        case system
    }

    /// What may be done after an error.
    public enum Retry: String, Hashable, Sendable, CaseIterable {
        /// Not on this device or with this configuration.
        case never
        /// A person must do something first.
        case user
        /// With a new token.
        case token
        /// Prepare again, then the same call.
        case prepare
        /// Prepare again and repeat the call, once; then give up.
        case prepareOnce
        /// The same call again.
        case same
        /// Wait, then the same call.
        case later
        /// When the app is in the foreground again.
        case onForeground
        /// With another card.
        case otherCard
        /// With another way to pay.
        case otherMethod
        /// There is nothing to repair.
        case done
    }
}

extension ReaderError {
    /// The error of a preparation that failed with a text; only the first number in it is kept.
    public static func prepareFailed(text: String) -> ReaderError {
        ReaderError(.prepareFailed, number: firstNumber(in: text))
    }

    /// A read that somebody ended before a card was detected.
    public static func readCancelled(by canceller: Canceller) -> ReaderError {
        ReaderError(.readCancelled, by: canceller)
    }
}
