import Foundation
import Testing

@Suite struct LeakTests {
    /// Numbers that are no card's: the limits of 64-bit integers.
    private static let allowed: Set<String> = [
        "9223372036854775807", "9223372036854775808", "9223372036854775809",
    ]

    @Test func `L-1 no file of the repository holds a full card number`() throws {
        let files = try Repository.files { path in
            ["swift", "md", "json", "csv", "sh", ""].contains((path as NSString).pathExtension)
        }
        #expect(files.count > 100)
        for file in files {
            guard let text = try? Repository.text(file) else { continue }
            for run in Self.digitRuns(in: text) where Self.passesLuhn(run) {
                #expect(Self.allowed.contains(run), "\(file): \(run.prefix(6))…\(run.suffix(4))")
            }
        }
    }

    /// Runs of 12 to 19 digits, with single blanks and dashes inside them taken out.
    static func digitRuns(in text: String) -> [String] {
        var runs: [String] = []
        var run: [UInt8] = []
        var gap: UInt8?
        func end() {
            if 12...19 ~= run.count { runs.append(String(decoding: run, as: UTF8.self)) }
            run = []
        }
        for byte in text.utf8 {
            switch byte {
            case 48...57:
                run.append(byte)
                gap = nil
            case 32,
                45 where gap == nil && !run.isEmpty:
                gap = byte
            default:
                end()
                gap = nil
            }
        }
        end()
        return runs
    }

    static func passesLuhn(_ digits: String) -> Bool {
        guard digits.contains(where: { $0 != "0" }) else { return false }
        let sum = digits.utf8.reversed().enumerated().reduce(0) { sum, digit in
            let value = Int(digit.element) - 48
            guard digit.offset % 2 == 1 else { return sum + value }
            return sum + (value > 4 ? value * 2 - 9 : value * 2)
        }
        return sum % 10 == 0
    }

    @Test func `L-1 the scan itself finds a number however it is spaced`() {
        let number = "4" + String(repeating: "1", count: 15)
        let spaced = "x 4111" + String(repeating: " 1111", count: 3) + "."
        #expect(Self.digitRuns(in: "card \(number),") == [number])
        #expect(Self.digitRuns(in: spaced) == [number])
        #expect(Self.passesLuhn(number))
        #expect(!Self.passesLuhn("4" + String(repeating: "1", count: 14) + "2"))
    }
}
