/// Writes the records that a journal has most of, byte for byte as the encoder writes them.
///
/// The counterpart of ``JournalScanner``. Whatever is different in any way is left to the encoder: a
/// text that needs escapes, a web address, a far year, a fact that is rare.
struct JournalWriter {
    /// Something that only the encoder knows how to write.
    private struct Unusual: Error {}

    /// What has been written.
    private(set) var bytes: [UInt8] = []

    /// Prepares to write so many records.
    init(records: Int) { bytes.reserveCapacity(records * Self.usualLength) }

    /// More than most records need.
    private static let usualLength = 768

    /// Writes one record's line; the encoder's JSON is asked for only where it is needed.
    mutating func line(_ entry: JournalEntry, encoded: () throws -> Data) rethrows {
        let start = bytes.count
        bytes.append(contentsOf: Self.noChecksum)
        do throws(Unusual) {
            try write(entry)
        } catch {
            bytes.removeLast(bytes.count - start - Self.noChecksum.count)
            bytes.append(contentsOf: try encoded())
        }
        endLine(from: start)
    }

    /// Writes a line of JSON that exists already.
    mutating func line(_ json: StaticString) {
        let start = bytes.count
        bytes.append(contentsOf: Self.noChecksum)
        put(json)
        endLine(from: start)
    }

    /// The JSON of one record; nil when the encoder has to write it.
    static func json(_ entry: JournalEntry) -> [UInt8]? {
        var writer = JournalWriter(records: 1)
        do throws(Unusual) {
            try writer.write(entry)
            return writer.bytes
        } catch {
            return nil
        }
    }

    private static let noChecksum = Array("00000000 ".utf8)

    private mutating func endLine(from start: Int) {
        bytes.withUnsafeMutableBytes { bytes in
            let json = UnsafeRawBufferPointer(rebasing: bytes[(start + Self.noChecksum.count)...])
            let digits = CRC32.digits(CRC32.checksum(json))
            bytes.storeBytes(of: digits, toByteOffset: start, as: UInt64.self)
        }
        bytes.append(JournalFormat.newline)
    }

    private mutating func write(_ entry: JournalEntry) throws(Unusual) {
        put("{\"at\":")
        try write(entry.at)
        put(",\"attempt\":")
        try write(entry.attempt.description)
        switch entry.fact {
        case .began(let began):
            put(",\"began\":")
            try write(began)
        case .noted(let reference):
            put(",\"noted\":")
            try write(reference)
        case .ended(let ending, let evidence):
            put(",\"by\":")
            try write(evidence.rawValue)
            put(",\"ended\":")
            try write(ending)
        case .lookedUp, .leftOpen, .settled, .contradicted: throw Unusual()
        }
        put("}")
    }

    private mutating func write(_ ending: Ending) throws(Unusual) {
        switch ending {
        case .approved(let receipt):
            put("{\"outcome\":\"approved\",\"receipt\":")
            try write(receipt)
        case .done(let receipt):
            put("{\"outcome\":\"done\",\"receipt\":")
            try write(receipt)
        case .pending(let receipt):
            put("{\"outcome\":\"pending\",\"receipt\":")
            try write(receipt)
        case .cancelled: put("{\"outcome\":\"cancelled\"")
        case .partlyApproved, .authorized, .declined, .failed: throw Unusual()
        }
        put("}")
    }

    private mutating func write(_ began: JournalEntry.Began) throws(Unusual) {
        guard began.series == nil else { throw Unusual() }
        put("{\"account\":")
        try write(began.account)
        put(",\"amount\":")
        try write(began.amount)
        try write(",\"ceiling\":", began.ceiling)
        try write(",\"choice\":", began.choice)
        try write(",\"device\":", began.device)
        try write(",\"followUp\":", began.followUp?.description)
        put(",\"kind\":")
        try write(began.kind.rawValue)
        try write(",\"merchantName\":", began.merchantName)
        put(",\"order\":")
        try write(began.order)
        try write(",\"parent\":", began.parent?.description)
        if let references = began.parentReferences {
            put(",\"parentReferences\":")
            try write(references)
        }
        if let software = began.software {
            put(",\"software\":")
            try write(software)
        }
        try write(",\"surcharge\":", began.surcharge)
        try write(",\"tip\":", began.tip)
        put("}")
    }

    private mutating func write(_ receipt: Receipt) throws(Unusual) {
        guard receipt.url == nil else { throw Unusual() }
        put("{\"account\":")
        try write(receipt.account)
        try write(",\"approvalCode\":", receipt.approvalCode)
        put(",\"approved\":")
        try write(receipt.approved)
        put(",\"asked\":")
        try write(receipt.asked)
        put(",\"attempt\":")
        try write(receipt.attempt.description)
        if let card = receipt.card {
            put(",\"card\":")
            try write(card)
        }
        put(",\"kind\":")
        try write(receipt.kind.rawValue)
        try write(",\"merchantName\":", receipt.merchantName)
        put(",\"method\":")
        try write(receipt.method.rawValue)
        put(",\"order\":")
        try write(receipt.order)
        put(",\"references\":")
        try write(receipt.references)
        put(",\"supportIdentifiers\":")
        try write(receipt.supportIdentifiers)
        try write(",\"surcharge\":", receipt.surcharge)
        put(",\"time\":")
        try write(receipt.time)
        try write(",\"tip\":", receipt.tip)
        put("}")
    }
}

// MARK: Parts of a record

extension JournalWriter {
    private mutating func write(_ account: Account) throws(Unusual) {
        put("{\"environment\":")
        try write(account.environment.rawValue)
        try write(",\"location\":", account.location)
        put(",\"merchant\":")
        try write(account.merchant)
        put(",\"provider\":")
        try write(account.provider)
        put("}")
    }

    private mutating func write(_ name: StaticString, _ money: Money?) throws(Unusual) {
        guard let money else { return }
        put(name)
        try write(money)
    }

    private mutating func write(_ money: Money) throws(Unusual) {
        put("{\"currency\":")
        try write(money.currency.code)
        put(",\"minorUnits\":")
        try write(String(money.minorUnits), quoted: false)
        put("}")
    }

    private mutating func write(_ approved: ApprovedAmount) throws(Unusual) {
        switch approved {
        case .confirmed(let money):
            put("{\"amount\":")
            try write(money)
            put(",\"certainty\":\"confirmed\"}")
        case .reported(let money):
            put("{\"amount\":")
            try write(money)
            put(",\"certainty\":\"reported\"}")
        case .unknown: put("{\"certainty\":\"unknown\"}")
        }
    }

    private mutating func write(_ card: CardSummary) throws(Unusual) {
        guard let brand = card.brand else { throw Unusual() }
        put("{\"brand\":")
        try write(brand)
        try write(",\"funding\":", card.funding)
        try write(",\"lastFour\":", card.lastFour)
        put("}")
    }

    private mutating func write(_ order: Order) throws(Unusual) {
        try write(order.part == nil ? order.id : order.description)
    }

    private mutating func write(_ references: [AcquirerReference]) throws(Unusual) {
        put("[")
        for (index, reference) in references.enumerated() {
            if index > 0 { put(",") }
            try write(reference)
        }
        put("]")
    }

    private mutating func write(_ reference: AcquirerReference) throws(Unusual) {
        put("{\"kind\":")
        try write(reference.kind)
        put(",\"value\":")
        try write(reference.value)
        put("}")
    }

    private mutating func write(_ texts: [String: String]) throws(Unusual) {
        put("{")
        for (index, text) in texts.sorted(by: { $0.key < $1.key }).enumerated() {
            // Names of anything but small letters have an order that is the encoder's affair.
            guard texts.count == 1 || text.key.utf8.allSatisfy({ 0x61...0x7A ~= $0 }) else {
                throw Unusual()
            }
            if index > 0 { put(",") }
            try write(text.key)
            put(":")
            try write(text.value)
        }
        put("}")
    }
}

// MARK: Bytes

extension JournalWriter {
    private mutating func put(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start,
                count: text.utf8CodeUnitCount
            )
        )
    }

    private mutating func write(_ name: StaticString, _ text: String?) throws(Unusual) {
        guard let text else { return }
        put(name)
        try write(text)
    }

    /// Writes a text that needs no escapes.
    private mutating func write(_ text: String, quoted: Bool = true) throws(Unusual) {
        if quoted { bytes.append(UInt8(ascii: "\"")) }
        let isPlain = text.utf8.withContiguousStorageIfAvailable { text in
            bytes.append(contentsOf: text)
            return text.reduce(true) { isPlain, byte in
                isPlain && byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            }
        }
        guard isPlain == true else { throw Unusual() }
        if quoted { bytes.append(UInt8(ascii: "\"")) }
    }

    private mutating func write(_ date: Date) throws(Unusual) {
        bytes.append(UInt8(ascii: "\""))
        guard JournalDate.write(date, to: &bytes) else { throw Unusual() }
        bytes.append(UInt8(ascii: "\""))
    }
}
