/// Every text of a receipt and of a code's screen that is no message; English shows the meaning.
enum ReceiptLabel: String, Hashable, Sendable, CaseIterable {
    // Around it
    case simulated, receipt, customerCopy, merchantCopy
    // What was done
    case sale, hold, capture, release, refund
    // How it ended
    case approved, partlyApproved, held, captured, released, refunded, pending
    case declined, cancelled, failed, unresolved
    // Amounts
    case amount, tip, surcharge, total, askedFor, amountHeld, amountRefunded, amountReleased
    case stillToPay, amountInQuestion
    // The order, the card and the chip
    case order, part, card, read, contactless, paidBy, qrCode, approvalCode
    case application, applicationID, verification, verificationNone, verificationPIN
    case verificationDevice, accountType, responseCode, cryptogram
    // Where and when
    case time, validUntil, reference, attempt, receiptPage, merchant, location, acquirer
    // Notes
    case noteNothingCharged, noteUnresolved, noteHeld, notePending, noteAmountUnknown
    case codeTooWide
    // A code on screen
    case codeForReceipt, codeScan, codeWaiting, codeExpires, codeClosing

    /// The names of the values that stand in braces in the text.
    var placeholders: Set<String> {
        switch self {
        case .part: ["number", "count"]
        case .codeTooWide: ["columns"]
        case .codeScan: ["amount"]
        case .codeExpires: ["time"]
        default: []
        }
    }
}
