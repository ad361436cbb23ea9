// How attempts end, and what comes before.

extension JournalScanner {
    mutating func lookUp() throws(Unusual) -> JournalEntry.LookUp {
        try expect("{")
        let acquirerTime = skip("\"acquirerTime\":") ? try date(.time) : nil
        try expect(acquirerTime == nil ? "\"candidates\":" : ",\"candidates\":")
        let candidates = try number(.number)
        try expect(",\"complete\":")
        let complete = try bool()
        try expect(",\"conclusion\":")
        let conclusion = try string(.text)
        let deviceTime = skip(",\"deviceTime\":") ? try date(.time) : nil
        try expect(",\"found\":")
        let found = try number(.number)
        try expect(",\"provesAbsence\":")
        let provesAbsence = try bool()
        try expect("}")
        return JournalEntry.LookUp(
            found: Int(found),
            candidates: Int(candidates),
            complete: complete,
            acquirerTime: acquirerTime,
            conclusion: conclusion,
            provesAbsence: provesAbsence,
            deviceTime: deviceTime
        )
    }

    mutating func leftOpen() throws(Unusual) -> JournalEntry.LeftOpen {
        try expect("{")
        let error = skip("\"error\":") ? try error() : nil
        try expect(error == nil ? "\"phases\":[" : ",\"phases\":[")
        var phases: [String] = []
        while !skip("]") {
            if !phases.isEmpty { try expect(",") }
            phases.append(try string())
        }
        let saidMoved = skip(",\"saidMoved\":true")
        let isSentAgain = skip(",\"sentAgain\":true")
        try expect(",\"vendorRunning\":")
        let vendorRunning = try bool()
        try expect("}")
        return JournalEntry.LeftOpen(
            error: error,
            phases: phases,
            vendorRunning: vendorRunning,
            isSentAgain: isSentAgain,
            saidMoved: saidMoved
        )
    }

    mutating func ending() throws(Unusual) -> Ending {
        try expect("{")
        if skip("\"decline\":") {
            let decline = try decline()
            try expect(",\"outcome\":\"declined\"}")
            return .declined(decline)
        }
        if skip("\"error\":") {
            let error = try error()
            try expect(",\"outcome\":\"failed\"}")
            return .failed(error)
        }
        if skip("\"expiresAt\":") {
            let expiresAt = try date(.time)
            try expect(",\"outcome\":\"authorized\",\"receipt\":")
            let receipt = try receipt()
            try expect("}")
            return .authorized(Authorization(receipt: receipt, expiresAt: expiresAt))
        }
        if skip("\"outcome\":\"cancelled\"}") { return .cancelled }
        try expect("\"outcome\":")
        let outcome = try string()
        try expect(",\"receipt\":")
        let receipt = try receipt()
        if outcome == "partlyApproved" {
            try expect(",\"remaining\":")
            let remaining = try money()
            try expect("}")
            return .partlyApproved(receipt, remaining: remaining)
        }
        try expect("}")
        switch outcome {
        case "approved": return .approved(receipt)
        case "authorized": return .authorized(Authorization(receipt: receipt, expiresAt: nil))
        case "done": return .done(receipt)
        case "pending": return .pending(receipt)
        default: throw Unusual()
        }
    }

    private mutating func bool() throws(Unusual) -> Bool {
        if skip("true") { return true }
        try expect("false")
        return false
    }

    private mutating func error() throws(Unusual) -> PaymentError {
        try expect("{\"code\":")
        let code = PaymentError.Code(description: try string())
        let detail = skip(",\"detail\":") ? try string(.text) : nil
        let supportIdentifiers = skip(",\"supportIdentifiers\":") ? try texts() : [:]
        let vendorCode = skip(",\"vendorCode\":") ? try string(.text) : nil
        try expect("}")
        return PaymentError(
            code,
            vendorCode: vendorCode,
            detail: detail,
            supportIdentifiers: supportIdentifiers
        )
    }

    private mutating func decline() throws(Unusual) -> Decline {
        try expect("{")
        let card = skip("\"card\":") ? try card() : nil
        try expect(card == nil ? "\"category\":" : ",\"category\":")
        let category = Decline.Category(description: try string())
        let code = skip(",\"code\":") ? try string(.text) : nil
        let detail = skip(",\"detail\":") ? try string(.text) : nil
        try expect(",\"references\":")
        let references = try references(.kind, .value)
        try expect("}")
        return Decline(
            kept: category,
            code: code,
            detail: detail,
            references: references,
            card: card
        )
    }

    private mutating func receipt() throws(Unusual) -> Receipt {
        try expect("{\"account\":")
        let account = try account()
        let approvalCode = skip(",\"approvalCode\":") ? try string(.text) : nil
        try expect(",\"approved\":")
        let approved = try approved()
        try expect(",\"asked\":")
        let asked = try money()
        try expect(",\"attempt\":")
        let attempt = AttemptID(try string(.text))
        let card = skip(",\"card\":") ? try card() : nil
        try expect(",\"kind\":")
        let kind = try kind()
        let merchantName = skip(",\"merchantName\":") ? try string(.text) : nil
        try expect(",\"method\":")
        guard let method = PaymentMethod(rawValue: try string()) else { throw Unusual() }
        try expect(",\"order\":")
        let order = try order(.paidOrder)
        try expect(",\"references\":")
        let references = try references(.kind, .value)
        try expect(",\"supportIdentifiers\":")
        let supportIdentifiers = try texts()
        let surcharge = skip(",\"surcharge\":") ? try money() : nil
        try expect(",\"time\":")
        let time = try date(.time)
        let tip = skip(",\"tip\":") ? try money() : nil
        let url = skip(",\"url\":") ? try address() : nil
        try expect("}")
        return Receipt(
            kept: account,
            attempt: attempt,
            order: order,
            kind: kind,
            references: references,
            asked: asked,
            approved: approved,
            tip: tip,
            surcharge: surcharge,
            card: card,
            method: method,
            approvalCode: approvalCode,
            time: time,
            url: url,
            merchantName: merchantName,
            supportIdentifiers: supportIdentifiers
        )
    }

    /// The address of a receipt's page.
    private mutating func address() throws(Unusual) -> URL {
        guard let url = URL(string: try string(.address)) else { throw Unusual() }
        return url
    }

    private mutating func approved() throws(Unusual) -> ApprovedAmount {
        if skip("{\"certainty\":\"unknown\"}") { return .unknown }
        try expect("{\"amount\":")
        let amount = try money()
        if skip(",\"certainty\":\"confirmed\"}") { return .confirmed(amount) }
        try expect(",\"certainty\":\"reported\"}")
        return .reported(amount)
    }

    private mutating func card() throws(Unusual) -> CardSummary {
        try expect("{")
        var names = 0
        func isNext(_ name: StaticString, _ later: StaticString) -> Bool {
            guard skip(names == 0 ? name : later) else { return false }
            names += 1
            return true
        }
        let brand = isNext("\"brand\":", "\"brand\":") ? try string(.text) : nil
        let funding = isNext("\"funding\":", ",\"funding\":") ? try string(.text) : nil
        let lastFour = isNext("\"lastFour\":", ",\"lastFour\":") ? try string(.text) : nil
        try expect("}")
        return CardSummary(kept: brand, lastFour: lastFour, funding: funding)
    }
}
