extension ReaderState {
    /// What may be asked of a reader, or may happen to it.
    public enum Call: String, Hashable, Sendable, CaseIterable {
        /// Whether cards can be read.
        case support
        /// Whether the terms are accepted.
        case linkStatus
        /// Accept the terms.
        case link
        /// Accept the terms with another account.
        case relink
        /// Make a session.
        case prepare
        /// Collect a card.
        case read
        /// Ask for a PIN after a read.
        case capturePIN
        /// End the read.
        case cancelRead
        /// Give up the session.
        case close
        /// The app leaves the foreground.
        case background
        /// The app returns to the foreground.
        case foreground
    }

    /// What a state says to a call.
    public enum Verdict: Hashable, Sendable {
        /// Allowed; the state stays, at least at once.
        case stays
        /// Allowed, and moves the state.
        case moves(to: Phase)
        /// Answered without doing anything else.
        case answers(Bool)
        /// Refused; the state stays.
        case refused(ReaderError)
        /// Allowed once what runs has ended.
        case waits
    }

    /// What this state says to a call, without doing it.
    public func verdict(on call: Call) -> Verdict {
        switch call {
        case .support: .stays
        case .linkStatus: verdictOnLinkStatus
        case .link, .relink: verdictOnLinking(again: call == .relink)
        case .prepare: verdictOnPrepare
        case .read: verdictOnSession(use: .awaitingTap)
        case .capturePIN: verdictOnSession(use: .pinEntry(.capture))
        case .cancelRead: verdictOnCancel
        case .close: verdictOnClose
        case .background: verdictOnBackground
        case .foreground: verdictOnForeground
        }
    }

    private func refused(_ code: ReaderError.Code) -> Verdict { .refused(ReaderError(code)) }

    private var verdictOnLinkStatus: Verdict {
        switch phase {
        case .unsupported(let reason): .refused(reason)
        case _ where !isForeground: refused(.appInBackground)
        case .unlinked: .answers(false)
        case .linked: .answers(true)
        default: .answers(isLinked)
        }
    }

    private func verdictOnLinking(again: Bool) -> Verdict {
        switch phase {
        case .unsupported(let reason): .refused(reason)
        case _ where !isForeground: refused(.appInBackground)
        case .unlinked: again ? refused(.accountNotLinked) : .moves(to: .linked)
        case .linked: .stays
        case .ready: again ? .moves(to: .linked) : .stays
        case .invalidated where !isLinked && !again: .moves(to: .linked)
        case .invalidated: .stays
        case .preparing, .awaitingTap, .cardInField, .pinEntry: refused(.readerBusy)
        case .backgrounded: refused(.appInBackground)
        }
    }

    private var verdictOnPrepare: Verdict {
        switch phase {
        case .unsupported(let reason): .refused(reason)
        case _ where !isForeground: refused(.appInBackground)
        case .unlinked: refused(.accountNotLinked)
        case .linked: .moves(to: .preparing(progress: nil))
        case .ready: .stays
        case .invalidated:
            isLinked
                ? .moves(to: .preparing(progress: nil)) : refused(.accountNotLinked)
        case .preparing, .awaitingTap, .cardInField, .pinEntry: refused(.readerBusy)
        case .backgrounded: refused(.appInBackground)
        }
    }

    private func verdictOnSession(use next: Phase) -> Verdict {
        switch phase {
        case .unsupported: refused(.notPrepared)
        case _ where !isForeground: refused(.appInBackground)
        case .ready: .moves(to: next)
        case .awaitingTap, .cardInField, .pinEntry: refused(.readerBusy)
        case .backgrounded: refused(.appInBackground)
        // These two tell the caller more than that there is no session.
        case .invalidated(.expired): refused(.sessionExpired)
        case .invalidated(.tokenExpired): refused(.tokenExpired)
        case .unlinked, .linked, .preparing, .invalidated: refused(.notPrepared)
        }
    }

    private var verdictOnCancel: Verdict {
        switch phase {
        case .awaitingTap, .pinEntry(.capture): .moves(to: .ready)
        default: .answers(false)
        }
    }

    private var verdictOnClose: Verdict {
        switch phase {
        case .cardInField, .pinEntry: .waits
        case .invalidated: .stays
        default: .moves(to: .invalidated(.closed))
        }
    }

    private var verdictOnBackground: Verdict {
        switch phase {
        case .preparing: .moves(to: .backgrounded(preparationContinues: true))
        case .linked, .ready, .awaitingTap, .cardInField, .pinEntry:
            .moves(to: .backgrounded(preparationContinues: false))
        case .unsupported, .unlinked, .backgrounded, .invalidated: .stays
        }
    }

    private var verdictOnForeground: Verdict {
        guard case .backgrounded = phase else { return .stays }
        return .moves(to: isLinked ? .linked : .unlinked)
    }
}
