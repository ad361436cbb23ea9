public import PaymentCore

/// Reads and writes JSON bodies.
public enum JSONBody {
    /// Encodes a value with sorted members, so that equal values give equal bytes.
    public static func encode(
        _ value: some Encodable,
        dates: JSONEncoder.DateEncodingStrategy = .deferredToDate
    ) throws(PaymentError) -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = dates
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw PaymentError(.requestRejected, detail: "the request cannot be written as JSON")
        }
    }

    /// Decodes a body; a byte-order mark before it is skipped.
    ///
    /// - Parameters:
    ///   - type: What to read.
    ///   - body: The bytes.
    ///   - dates: How the body writes times.
    /// - Returns: What the body says.
    /// - Throws: ``PaymentError`` with `malformedAnswer` that names the member; the body itself is
    ///   never part of it.
    public static func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        dates: JSONDecoder.DateDecodingStrategy = .deferredToDate
    ) throws(PaymentError) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = dates
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let isMarked = body.first == mark[0] && body.starts(with: mark)
        do {
            return try decoder.decode(type, from: isMarked ? body.dropFirst(mark.count) : body)
        } catch {
            throw PaymentError(.malformedAnswer, detail: place(of: error))
        }
    }

    private static func place(of error: any Error) -> String {
        let (problem, context): (String, DecodingError.Context) =
            switch error as? DecodingError {
            case .typeMismatch(_, let context): ("has an unexpected type", context)
            case .valueNotFound(_, let context): ("is null", context)
            case .keyNotFound(let key, let context): ("lacks \(key.stringValue)", context)
            case .dataCorrupted(let context): ("cannot be read", context)
            default: ("cannot be read", .init(codingPath: [], debugDescription: ""))
            }
        let path = context.codingPath
            .map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }
            .joined()
        return path.isEmpty ? "the body \(problem)" : "\(path) \(problem)"
    }
}
