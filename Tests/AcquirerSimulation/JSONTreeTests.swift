import AcquirerSimulation
import Foundation
import PaymentTransport
import Simulation
import Testing

@Suite struct JSONTreeTests {
    /// The same values for Foundation's encoder.
    private struct Same: Encodable {
        let tree: JSONTree

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch tree {
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .flag(let flag): try container.encode(flag)
            case .null: try container.encodeNil()
            case .list(let list): try container.encode(list.map(Same.init))
            case .object(let members): try container.encode(members.mapValues(Same.init))
            }
        }
    }

    private static let texts = [
        "", "plain", "a/b", "\"quoted\"", "back\\slash", "line\nbreak\r\t", "\u{8}\u{c}\u{0}\u{1f}",
        "\u{7f}\u{80}\u{2028}\u{2029}", "café", "e\u{301}", "東京", "👩‍👩‍👧", "\u{FEFF}", "<&>'",
    ]

    private func tree(_ generator: inout SeededGenerator, depth: Int) -> JSONTree {
        let text = Self.texts[Int(generator.next() % UInt64(Self.texts.count))]
        switch generator.next() % (depth > 3 ? 4 : 6) {
        case 0: return .text(text)
        case 1: return .number(Int64(bitPattern: generator.next()))
        case 2: return .flag(generator.next() % 2 == 0)
        case 3: return .null
        case 4:
            return .list((0..<generator.next() % 4).map { _ in tree(&generator, depth: depth + 1) })
        default:
            var members: [String: JSONTree] = [:]
            for _ in 0..<generator.next() % 5 {
                let name = Self.texts[Int(generator.next() % UInt64(Self.texts.count))]
                members[name] = tree(&generator, depth: depth + 1)
            }
            return .object(members)
        }
    }

    @Test func `a tree is written as Foundation's encoder writes it, to the byte`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let tree = tree(&generator, depth: 0)
            let expected = try encoder.encode(Same(tree: tree))
            let written = HTTPResponse.json(200, tree).body
            #expect(written == expected, "\(String(decoding: expected, as: UTF8.self))")
        }
    }

    @Test func `what is written is read again`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<500 {
            let members = ["a": tree(&generator, depth: 1), "b": tree(&generator, depth: 1)]
            let body = HTTPResponse.json(200, .object(members)).body
            let read = try #require(JSONTree.members(of: body))
            #expect(HTTPResponse.json(200, .object(read)).body == body)
        }
    }
}
