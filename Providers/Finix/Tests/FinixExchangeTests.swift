import Foundation
import PaymentCore
import Testing

@testable import FinixPayments

/// What the client sends, byte for byte, as files; `FINIX_RECORD=1` writes them anew.
@Suite struct FinixExchangeTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/exchanges")

    private static let names = [
        "authorizations-capture", "authorizations-fetch", "authorizations-list",
        "authorizations-list-2", "authorizations-void", "devices-activate", "devices-create",
        "devices-fetch",
        "devices-list", "merchants-fetch", "reversals-create", "reversals-list", "transfers-fetch",
        "transfers-fetch-2", "transfers-list",
    ]

    private static func recorded(_ name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name + ".txt"), encoding: .utf8)
    }

    @Test func `F-153 F-154 every request is sent as it was recorded, one exchange a file`() throws
    {
        let stage = FinixStage(card: "visa-credit")
        let exchanges = try stage.shop.run { try await stage.exchanges() }
        #expect(exchanges.keys.sorted() == Self.names)
        if ProcessInfo.processInfo.environment["FINIX_RECORD"] != nil {
            for (name, text) in exchanges {
                let file = Self.folder.appending(path: name + ".txt")
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
        }
        for (name, text) in exchanges {
            let expected = try Self.recorded(name)
            #expect(text == expected, "\(name)")
        }
    }

    @Test(arguments: names)
    func `F-151 F-161 a recorded exchange names its version and no secret`(name: String) throws {
        let text = try Self.recorded(name)
        #expect(text.contains("\nFinix-Version: 2022-02-01\n"))
        #expect(text.contains("\nAccept: application/hal+json\n"))
        #expect(text.contains("\nAuthorization: <redacted>\n"))
        #expect(!text.contains("Basic "))
        let makes = ["reversals-create"].contains(name)
        let request = text.split(separator: "\n200").first ?? ""
        #expect(request.split(separator: "\n201").first?.contains("idempotency_id") == makes)
    }

    @Test func `F-147 what is in a query is encoded`() throws {
        let line = try Self.recorded("devices-list").split(separator: "\n")[1]
        #expect(line.contains("serial_number=reader%201/%C3%A4"))
    }

    @Test func `no file is left of an exchange that is not sent any more`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == Self.names.map { $0 + ".txt" }.sorted())
    }
}
