import AcquirerSimulation
import PaymentCore
import PaymentTransport

/// Called by libFuzzer with bytes of its choice: reading must end, without a trap, and come to the
/// same whether the bytes come at once or in pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let pieces = 1 + Int(bytes.first ?? 0) % 7
    guard tell(bytes, pieces: .max) == tell(bytes, pieces: pieces) else {
        fatalError("pieces of \(pieces) are read in another way")
    }
    return 0
}

/// Everything that the bytes come to.
private func tell(_ bytes: UnsafeBufferPointer<UInt8>, pieces: Int) -> [String] {
    var reader = HTTPRequestReader()
    var told: [String] = []
    var rest = bytes[...]
    repeat {
        reader.append(rest.prefix(pieces))
        rest = rest.dropFirst(pieces)
        reading: while true {
            switch reader.next() {
            case .needsMore: break reading
            case .needsContinue: continue
            case .request(let request, let keepsAlive):
                let fields = request.headers.list.map { "\($0.name):\($0.value)" }
                told.append("\(request) \(request.query) \(fields) \(keepsAlive)")
                told.append(request.body.map { "\(Array($0))" } ?? "-")
            case .problem(let problem, let hidesBody):
                return told + ["\(problem.status) \(problem) \(hidesBody)"]
            }
        }
    } while !rest.isEmpty
    return told
}
