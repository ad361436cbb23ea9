/// What keeps a request that is sent again from acting twice at an acquirer.
///
/// Whatever it is, one attempt has one key for ever, so that a repeat after a restart is the same
/// request.
public enum RepeatProtection: Hashable, Sendable {
    /// The attempt's key goes along, and the acquirer gives its first answer again.
    ///
    /// - Parameter keptFor: For how long the acquirer is sure to know the key.
    case idempotencyKey(keptFor: Duration)
    /// The attempt's key goes along, and the acquirer makes no second record with it.
    case uniqueReference
    /// Nothing: a repeat may act again, so it is never sent, and the books are asked.
    case lookUpOnly

    /// Whether a repeat's answer is the first request's.
    var bringsFirstAnswer: Bool {
        if case .idempotencyKey = self { true } else { false }
    }

    /// Whether a request that was first sent so long ago can be sent again.
    func allowsRepeat(after elapsed: Duration) -> Bool {
        switch self {
        case .idempotencyKey(let keptFor): elapsed >= .zero && elapsed <= keptFor
        case .uniqueReference: true
        case .lookUpOnly: false
        }
    }
}
