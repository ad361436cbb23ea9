extension JournalEntry: Codable {
    private enum CodingKeys: String, CodingKey {
        case at, attempt, began, noted, lookedUp, leftOpen, ended, by, settled, contradicted
    }

    /// Reads an entry: `at`, `attempt` and one member named after the fact.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        at = try container.decode(Date.self, forKey: .at)
        attempt = try container.decode(AttemptID.self, forKey: .attempt)
        if let began = try container.decodeIfPresent(Began.self, forKey: .began) {
            fact = .began(began)
        } else if let noted = try container.decodeIfPresent(AcquirerReference.self, forKey: .noted)
        {
            fact = .noted(noted)
        } else if let lookUp = try container.decodeIfPresent(LookUp.self, forKey: .lookedUp) {
            fact = .lookedUp(lookUp)
        } else if let leftOpen = try container.decodeIfPresent(LeftOpen.self, forKey: .leftOpen) {
            fact = .leftOpen(leftOpen)
        } else if let ending = try container.decodeIfPresent(Ending.self, forKey: .ended) {
            fact = .ended(ending, by: try container.decode(Evidence.self, forKey: .by))
        } else if let verdict = try container.decodeIfPresent(
            PersonalVerdict.self,
            forKey: .settled
        ) {
            fact = .settled(verdict)
        } else {
            fact = .contradicted(try container.decode(Ending.self, forKey: .contradicted))
        }
    }

    /// Writes an entry: `at`, `attempt` and one member named after the fact.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(at, forKey: .at)
        try container.encode(attempt, forKey: .attempt)
        switch fact {
        case .began(let began): try container.encode(began, forKey: .began)
        case .noted(let reference): try container.encode(reference, forKey: .noted)
        case .lookedUp(let lookUp): try container.encode(lookUp, forKey: .lookedUp)
        case .leftOpen(let leftOpen): try container.encode(leftOpen, forKey: .leftOpen)
        case .ended(let ending, let evidence):
            try container.encode(ending, forKey: .ended)
            try container.encode(evidence, forKey: .by)
        case .settled(let verdict): try container.encode(verdict, forKey: .settled)
        case .contradicted(let ending): try container.encode(ending, forKey: .contradicted)
        }
    }
}

extension PersonalVerdict.Decision: Codable {
    private enum CodingKeys: String, CodingKey {
        case moved, reference
    }

    /// Reads `moved` and, where the person found one, `reference`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let reference = try container.decodeIfPresent(AcquirerReference.self, forKey: .reference)
        self = try container.decode(Bool.self, forKey: .moved) ? .moved(reference) : .notMoved
    }

    /// Writes `moved` and, where the person found one, `reference`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(self != .notMoved, forKey: .moved)
        if case .moved(let reference?) = self {
            try container.encode(reference, forKey: .reference)
        }
    }
}

extension Ending: Codable {
    private enum CodingKeys: String, CodingKey {
        case outcome, receipt, remaining, expiresAt, decline, error
    }

    /// Reads an ending: `outcome` and what belongs to it.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let outcome = try container.decode(String.self, forKey: .outcome)
        func receipt() throws -> Receipt { try container.decode(Receipt.self, forKey: .receipt) }
        switch outcome {
        case "approved": self = .approved(try receipt())
        case "partlyApproved":
            self = .partlyApproved(
                try receipt(),
                remaining: try container.decode(Money.self, forKey: .remaining)
            )
        case "authorized":
            self = .authorized(
                Authorization(
                    receipt: try receipt(),
                    expiresAt: try container.decodeIfPresent(Date.self, forKey: .expiresAt)
                )
            )
        case "declined": self = .declined(try container.decode(Decline.self, forKey: .decline))
        case "cancelled": self = .cancelled
        case "failed": self = .failed(try container.decode(PaymentError.self, forKey: .error))
        case "done": self = .done(try receipt())
        case "pending": self = .pending(try receipt())
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .outcome,
                in: container,
                debugDescription: "unknown outcome \(outcome)"
            )
        }
    }

    /// Writes an ending: `outcome` and what belongs to it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .outcome)
        try container.encodeIfPresent(receipt, forKey: .receipt)
        switch self {
        case .partlyApproved(_, let remaining):
            try container.encode(remaining, forKey: .remaining)
        case .authorized(let authorization):
            try container.encodeIfPresent(authorization.expiresAt, forKey: .expiresAt)
        case .declined(let decline): try container.encode(decline, forKey: .decline)
        case .failed(let error): try container.encode(error, forKey: .error)
        case .approved, .cancelled, .done, .pending: break
        }
    }
}

extension JournalEntry.LeftOpen: Codable {
    private enum CodingKeys: String, CodingKey {
        case error
        case phases
        case vendorRunning
        case isSentAgain = "sentAgain"
        case saidMoved
    }

    /// Reads the fact; a journal of an earlier version names no repeat and no word of a vendor's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            error: try container.decodeIfPresent(PaymentError.self, forKey: .error),
            phases: try container.decode([String].self, forKey: .phases),
            vendorRunning: try container.decode(Bool.self, forKey: .vendorRunning),
            isSentAgain: try container.decodeIfPresent(Bool.self, forKey: .isSentAgain) ?? false,
            saidMoved: try container.decodeIfPresent(Bool.self, forKey: .saidMoved) ?? false
        )
    }

    /// Writes the fact; `sentAgain` and `saidMoved` only where it is so.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(error, forKey: .error)
        try container.encode(phases, forKey: .phases)
        try container.encode(vendorRunning, forKey: .vendorRunning)
        if isSentAgain { try container.encode(true, forKey: .isSentAgain) }
        if saidMoved { try container.encode(true, forKey: .saidMoved) }
    }
}
