import PaymentCore

extension RemoteWire {
    /// What a back office can do.
    struct Capabilities: Codable, Sendable {
        let followUps: [String]
        let canClose: Bool
        let canLink: Bool
        let absence: Absence
        /// By operation; a back end that names none protects none.
        var repeats: [String: Repeat]?

        init(_ capabilities: BackOfficeCapabilities) {
            followUps = capabilities.followUps.map(\.rawValue).sorted()
            canClose = capabilities.canClose
            canLink = capabilities.canLink
            absence = Absence(capabilities)
            repeats = Dictionary(
                uniqueKeysWithValues: capabilities.repeats.map { ($0.rawValue, Repeat($1)) }
            )
        }

        /// The capabilities; nil when a time or a count in them makes no sense.
        var capabilities: BackOfficeCapabilities? {
            guard absence.isSensible else { return nil }
            var capabilities = BackOfficeCapabilities()
            capabilities.followUps = Set(followUps.compactMap(AttemptKind.init))
            capabilities.canClose = canClose
            capabilities.canLink = canLink
            capabilities.appearsWithin = absence.appearsWithin.duration
            capabilities.absentListings = .init(
                count: absence.listings,
                spread: absence.spread.duration
            )
            for (name, protection) in repeats ?? [:] {
                guard let kind = AttemptKind(rawValue: name) else { continue }
                capabilities.repeats[kind] = protection.protection
            }
            return capabilities
        }
    }

    /// What protects a repeat; look-up only when it is not understood.
    struct Repeat: Codable, Sendable {
        let by: String
        var keptFor: Span?

        init(_ protection: RepeatProtection) {
            switch protection {
            case .idempotencyKey(let keptFor):
                by = "idempotencyKey"
                self.keptFor = Span(keptFor)
            case .uniqueReference: by = "uniqueReference"
            case .lookUpOnly: by = "lookUpOnly"
            }
        }

        var protection: RepeatProtection {
            switch (by, keptFor) {
            case ("idempotencyKey", let keptFor?): .idempotencyKey(keptFor: keptFor.duration)
            case ("uniqueReference", nil): .uniqueReference
            default: .lookUpOnly
            }
        }
    }

    /// When the absence of a record proves something.
    struct Absence: Codable, Sendable {
        let appearsWithin: Span
        let listings: Int
        let spread: Span

        init(_ capabilities: BackOfficeCapabilities) {
            appearsWithin = Span(capabilities.appearsWithin)
            listings = capabilities.absentListings.count
            spread = Span(capabilities.absentListings.spread)
        }

        var isSensible: Bool {
            listings > 0 && appearsWithin.duration >= .zero && spread.duration >= .zero
        }

        /// Whether it asks for at least as much as another rule does.
        func isAsStrict(as other: Absence) -> Bool {
            appearsWithin.duration >= other.appearsWithin.duration && listings >= other.listings
                && spread.duration >= other.spread.duration
        }
    }

    /// A duration, exactly.
    struct Span: Codable, Sendable {
        let seconds: Int64
        let attoseconds: Int64

        init(_ duration: Duration) { (seconds, attoseconds) = duration.components }

        var duration: Duration {
            Duration(secondsComponent: seconds, attosecondsComponent: attoseconds)
        }
    }
}
