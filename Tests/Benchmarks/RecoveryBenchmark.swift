import Foundation
import PaymentCore

/// Opening a journal that has grown.
enum RecoveryBenchmark {
    static func run(_ options: BenchOptions) async throws -> [Finding] {
        let sizes = options.isQuick ? [200, 2_000] : [10_000, 100_000, 1_000_000]
        var findings: [Finding] = []
        var times: [Double] = []
        for records in sizes {
            let opened = try await opening(records)
            times.append(opened.time)
            let isLast = records == sizes.last
            if isLast {
                // The limit is that of a million records, in proportion.
                let limit = 4e8 * Double(records) / 1e6
                findings.append(
                    .limit("recovery.\(records)", [opened.time], .nanoseconds, limit)
                        .gated(within: 1_000)
                )
                let memory = 16e6 + 400 * Double(opened.open)
                findings.append(.limit("recovery.memory", [opened.memory], .bytes, memory))
            } else {
                let time = Unit.nanoseconds.text(opened.time)
                findings.append(.told("recovery.\(records)", time))
            }
        }
        let confirmed = try await opening(sizes[sizes.count - 1], areConfirmed: true)
        findings.append(.told("recovery.confirmed", Unit.nanoseconds.text(confirmed.time)))
        let growth = zip(times.dropFirst(), times).map { $0 / $1 }
        findings.append(
            .limit("recovery.decade", [growth.max() ?? 0], .each("times"), 11)
        )
        return findings
    }

    struct Opened {
        let time: Double
        let memory: Double
        let open: Int
    }

    static func opening(_ records: Int, areConfirmed: Bool = false) async throws -> Opened {
        let folder = try ScratchFolder()
        let path = folder.path + "/a.journal"
        let open = try await GrownJournal.write(records, to: path, areConfirmed: areConfirmed)
        let before = try ProcessMemory.kept
        let clock = ContinuousClock()
        let start = clock.now
        let journal = try await FileAttemptJournal.open(path: path, environment: .live)
        let time = (clock.now - start).nanoseconds
        let memory = try ProcessMemory.kept - before
        let found = journal.read { $0.open.count }
        guard found == open else { throw Unexpected("\(found) open attempts of \(open)") }
        await journal.close()
        return Opened(time: time, memory: max(0, memory), open: open)
    }
}

/// A journal of many records, 1 % of its attempts open, and its last line cut.
enum GrownJournal {
    /// Writes the file, with or without the looks that confirm each payment; how many are open.
    static func write(
        _ records: Int,
        to path: String,
        areConfirmed: Bool = false
    ) async throws -> Int {
        let sample = "bench-000000000"
        let journal = try await FileAttemptJournal.open(path: path, environment: .live)
        let entries = try Entries(name: sample)
        if areConfirmed {
            try await entries.writeConfirmed(to: journal)
        } else {
            try await entries.write(to: journal)
        }
        await journal.close()
        let lines = try Data(contentsOf: URL(fileURLWithPath: path)).split(separator: 0x0A)
        guard lines.count >= 3 else { throw Unexpected("\(lines.count) lines") }
        let templates = lines.dropFirst().map { Template($0, sample) }
        var bytes = Array(lines[0]) + [0x0A]
        var (written, open, number) = (0, 0, 0)
        while written < records {
            number += 1
            let isOpen = number % 100 == 0 || written + templates.count > records
            if isOpen { open += 1 }
            for template in isOpen ? templates.prefix(1) : templates[...] {
                bytes += template.line(number)
                written += 1
            }
        }
        bytes += templates[templates.count - 1].line(number).prefix(100)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return open
    }

    /// A line in which a number is put, again and again.
    private struct Template {
        private let json: [UInt8]
        private let places: [Int]

        init(_ line: Data, _ sample: String) {
            let json = Array(line.dropFirst(9))
            let name = Array(sample.utf8)
            self.json = json
            places = (0...(json.count - name.count)).filter {
                json[$0..<($0 + name.count)].elementsEqual(name)
            }
        }

        func line(_ number: Int) -> [UInt8] {
            var json = json
            var digits = Array(String(number).utf8)
            digits = [UInt8](repeating: 0x30, count: 9 - digits.count) + digits
            for place in places {
                for index in 0..<9 { json[place + 6 + index] = digits[index] }
            }
            let sum = String(Self.checksum(json), radix: 16)
            return Array((String(repeating: "0", count: 8 - sum.count) + sum + " ").utf8)
                + json + [0x0A]
        }

        private static let table: [UInt32] = (0..<256).map { byte in
            (0..<8).reduce(UInt32(byte)) { sum, _ in
                sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xedb8_8320
            }
        }

        private static func checksum(_ bytes: [UInt8]) -> UInt32 {
            var sum = ~UInt32(0)
            for byte in bytes {
                sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)]
            }
            return ~sum
        }
    }
}
