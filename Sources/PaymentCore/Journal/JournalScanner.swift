/// Reads the records that a journal has most of, in exactly the form in which it writes them.
///
/// Whatever looks different in any way is left to the decoder, which says what is wrong with it or
/// finds the same in it; a till that has taken a million payments must not wait for that.
struct JournalScanner {
    /// What the record before had too: most records of a journal name the same account.
    struct Memory {
        fileprivate var account: (text: [UInt8], value: Account)?
        fileprivate var currency: (text: [UInt8], value: Currency)?
    }

    /// Something that has to be looked at more closely.
    struct Unusual: Error {}

    let bytes: UnsafeRawBufferPointer
    var position = 0
    private var memory: Memory
    private let isMarking: Bool
    private var marks: [RecordShape.Mark] = []

    init(_ bytes: UnsafeRawBufferPointer, _ memory: Memory, isMarking: Bool) {
        self.bytes = bytes
        self.memory = memory
        self.isMarking = isMarking
    }

    /// Reads one record's JSON; nil when the decoder has to.
    static func entry(_ json: UnsafeRawBufferPointer, _ memory: inout Memory) -> JournalEntry? {
        var scanner = JournalScanner(json, memory, isMarking: false)
        guard let entry = try? scanner.entry() else { return nil }
        memory = scanner.memory
        return entry
    }

    /// Reads one record's JSON, and where in it other records may have other texts.
    static func markedEntry(
        _ json: UnsafeRawBufferPointer,
        _ memory: inout Memory
    ) -> (JournalEntry, [RecordShape.Mark])? {
        var scanner = JournalScanner(json, memory, isMarking: true)
        guard let entry = try? scanner.entry() else { return nil }
        memory = scanner.memory
        return (entry, scanner.marks)
    }

    /// Takes note that a text may be another one in other records of the same shape.
    mutating func mark(_ place: Range<Int>, _ part: RecordShape.Part?) {
        guard isMarking, let part else { return }
        marks.append(.init(part: part, place: place))
    }

    private mutating func entry() throws(Unusual) -> JournalEntry {
        try expect("{\"at\":")
        let at = try date(.at)
        try expect(",\"attempt\":")
        let attempt = AttemptID(try string(.attempt))
        let fact = try fact()
        try expect("}")
        guard position == bytes.count else { throw Unusual() }
        return JournalEntry(at: at, attempt: attempt, fact: fact)
    }

    private mutating func fact() throws(Unusual) -> JournalEntry.Fact {
        if skip(",\"began\":") { return .began(try began()) }
        if skip(",\"noted\":") { return .noted(try reference(.kind, .value)) }
        if skip(",\"lookedUp\":") { return .lookedUp(try lookUp()) }
        if skip(",\"leftOpen\":") { return .leftOpen(try leftOpen()) }
        try expect(",\"by\":")
        guard let evidence = JournalEntry.Evidence(rawValue: try string()) else { throw Unusual() }
        try expect(",\"ended\":")
        return .ended(try ending(), by: evidence)
    }

    private mutating func began() throws(Unusual) -> JournalEntry.Began {
        try expect("{\"account\":")
        let account = try account()
        try expect(",\"amount\":")
        let amount = try money(.amount)
        let ceiling = skip(",\"ceiling\":") ? try money() : nil
        let choice = skip(",\"choice\":") ? try string(.text) : nil
        let device = skip(",\"device\":") ? try string(.text) : nil
        let followUp = skip(",\"followUp\":") ? FollowUpID(try string(.text)) : nil
        try expect(",\"kind\":")
        let kind = try kind()
        let merchantName = skip(",\"merchantName\":") ? try string(.text) : nil
        try expect(",\"order\":")
        let order = try order(.order)
        let parent = skip(",\"parent\":") ? AttemptID(try string(.text)) : nil
        let parentReferences = skip(",\"parentReferences\":") ? try references(.text, .text) : nil
        let software = skip(",\"software\":") ? try texts() : nil
        let surcharge = skip(",\"surcharge\":") ? try money() : nil
        let tip = skip(",\"tip\":") ? try money() : nil
        try expect("}")
        var began = JournalEntry.Began(
            account: account,
            order: order,
            kind: kind,
            amount: amount,
            tip: tip,
            surcharge: surcharge,
            merchantName: merchantName,
            device: device,
            followUp: followUp,
            parent: parent,
            ceiling: ceiling,
            parentReferences: parentReferences,
            software: software
        )
        began.choice = choice
        return began
    }
}

// MARK: Parts of a record

extension JournalScanner {
    mutating func account() throws(Unusual) -> Account {
        if let known = memory.account, skip(known.text) { return known.value }
        let start = position
        try expect("{\"environment\":")
        guard let environment = Account.Environment(rawValue: try string()) else { throw Unusual() }
        let location = skip(",\"location\":") ? try string() : nil
        try expect(",\"merchant\":")
        let merchant = try string()
        try expect(",\"provider\":")
        let provider = try string()
        try expect("}")
        let account = Account(
            provider: provider,
            merchant: merchant,
            environment: environment,
            location: location
        )
        memory.account = (Array(bytes[start..<position]), account)
        return account
    }

    mutating func money(_ part: RecordShape.Part = .number) throws(Unusual) -> Money {
        try expect("{\"currency\":")
        let currency = try currency()
        try expect(",\"minorUnits\":")
        let minorUnits = try number(part)
        try expect("}")
        return Money(checked: minorUnits, currency: currency)
    }

    private mutating func currency() throws(Unusual) -> Currency {
        if let known = memory.currency, skip(known.text) { return known.value }
        let start = position
        guard let currency = Currency(code: try string()) else { throw Unusual() }
        memory.currency = (Array(bytes[start..<position]), currency)
        return currency
    }

    mutating func kind() throws(Unusual) -> AttemptKind {
        guard let kind = AttemptKind(rawValue: try string()) else { throw Unusual() }
        return kind
    }

    mutating func order(_ part: RecordShape.Part) throws(Unusual) -> Order {
        let content = try content(part)
        if let order = Order(kept: content) { return order }
        guard let order = try? Order(text: try text(content)) else { throw Unusual() }
        return order
    }

    mutating func references(
        _ kind: RecordShape.Part,
        _ value: RecordShape.Part
    ) throws(Unusual) -> [AcquirerReference] {
        try expect("[")
        if skip("]") { return [] }
        var references = [try reference(kind, value)]
        while skip(",") { references.append(try reference(kind, value)) }
        try expect("]")
        return references
    }

    private mutating func reference(
        _ kindPart: RecordShape.Part,
        _ valuePart: RecordShape.Part
    ) throws(Unusual) -> AcquirerReference {
        try expect("{\"kind\":")
        let kind = try string(kindPart)
        try expect(",\"value\":")
        let value = try string(valuePart)
        try expect("}")
        return AcquirerReference(kept: kind, value: value)
    }

    mutating func texts() throws(Unusual) -> [String: String] {
        try expect("{")
        if skip("}") { return [:] }
        var texts: [String: String] = [:]
        repeat {
            let name = try string()
            try expect(":")
            guard texts.updateValue(try string(.text), forKey: name) == nil else { throw Unusual() }
        } while skip(",")
        try expect("}")
        return texts
    }
}
