import CommandLineSupport
import Foundation
import PaymentCore

/// Claims that outlive the process: a line of JSON for each, on the disk before it is granted.
///
/// The last line, cut short by a crash, was never granted and is left out.
actor ClaimFile: OrderClaims {
    private let path: String
    private let table: OrderClaimTable
    private let file: FileHandle

    private struct Line: Codable {
        var claim: OrderClaim?
        var release: AttemptID?
    }

    init(_ path: String) throws(ClaimFileError) {
        self.path = path
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ClaimFileError("\(path): the claims cannot be written") }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The file itself is locked, under whatever name it was opened.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw ClaimFileError("\(path): another back end keeps its claims there")
        }
        let (kept, length) = try Self.read(path)
        table = kept
        guard ftruncate(descriptor, off_t(length)) == 0 else {
            throw ClaimFileError("\(path): the claims cannot be written")
        }
    }

    func claim(_ claim: OrderClaim) async throws(PaymentError) -> OrderClaimAnswer {
        let isKnown = table.all.contains { $0.isSame(as: claim) }
        let answer = try await table.claim(claim)
        guard answer == .granted, !isKnown else { return answer }
        do throws(PaymentError) {
            try append(Line(claim: claim))
        } catch {
            try await table.release(claim)
            throw error
        }
        return answer
    }

    func release(_ claim: OrderClaim) async throws(PaymentError) {
        guard table.all.allSatisfy({ $0.attempt != claim.attempt || $0.isSame(as: claim) }) else {
            return
        }
        try append(Line(release: claim.attempt))
        try await table.release(claim)
    }

    func claims(
        ofTill till: String,
        since: Date
    ) async throws(PaymentError) -> [OrderClaim] {
        try await table.claims(ofTill: till, since: since)
    }

    /// Writes a line, and returns once it is on the disk; what could not be written is cut off.
    private func append(_ line: Line) throws(PaymentError) {
        guard isInPlace else {
            throw PaymentError(.cannotRecord, detail: "the claims' file was moved or replaced")
        }
        let end: UInt64
        do {
            end = try file.seekToEnd()
        } catch {
            throw PaymentError(.cannotRecord, detail: "the claims cannot be kept")
        }
        do {
            try file.write(contentsOf: try JSONEncoder().encode(line) + Data("\n".utf8))
            try file.synchronize()
        } catch {
            try? file.truncate(atOffset: end)
            throw PaymentError(.cannotRecord, detail: "the claims cannot be kept")
        }
    }

    /// Whether the file is still what its name stands for.
    private var isInPlace: Bool {
        var (named, held) = (stat(), stat())
        return stat(path, &named) == 0 && fstat(file.fileDescriptor, &held) == 0
            && named.st_ino == held.st_ino && named.st_dev == held.st_dev
    }

    /// What a file holds, and how many of its bytes are whole lines.
    private static func read(_ path: String) throws(ClaimFileError) -> (OrderClaimTable, Int) {
        let bytes: [UInt8]
        do throws(BoundedFile.Failure) {
            bytes = try BoundedFile.read(path, limit: 256 << 20)
        } catch {
            if error == .missing { return (OrderClaimTable(), 0) }
            throw ClaimFileError("\(path): the claims \(error)")
        }
        let length = (bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        var claims: [OrderClaim] = []
        var released: Set<AttemptID> = []
        for (index, text) in bytes.prefix(length).split(separator: UInt8(ascii: "\n")).enumerated()
        {
            guard let line = try? JSONDecoder().decode(Line.self, from: Data(text)) else {
                throw ClaimFileError("\(path): line \(index + 1) is no claim; move the file away")
            }
            if let claim = line.claim { claims.append(claim) }
            if let attempt = line.release {
                claims.removeAll { $0.attempt == attempt }
                released.insert(attempt)
            }
        }
        return (OrderClaimTable(claims, released: released), length)
    }
}

/// Why claims cannot be kept.
struct ClaimFileError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
