import FinixPayments
import FinixSimulation
import Foundation
import PaymentCore
import PaymentTransport
import RevolutPayments
import RevolutSimulation
import Testing

/// A running `emulator` or `backend`, as a program of its own.
final class EmulatorProcess {
    private let process = Process()
    private let errors = Pipe()
    let origin: String
    let transport: any HTTPTransport

    /// Starts it on any free port; ends with the test.
    init(
        _ arguments: [String] = [],
        of program: String = "emulator",
        over transport: any HTTPTransport = LoopbackTransport()
    ) throws {
        self.transport = transport
        process.executableURL = try Run.program(program)
        process.arguments = ["--port", "0"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            let bytes = output.fileHandleForReading.availableData
            if bytes.isEmpty { break }
            line += String(decoding: bytes, as: UTF8.self)
        }
        let words = line.split(whereSeparator: \.isWhitespace)
        #expect(words.dropLast() == ["listening", "on"], "\(line)")
        origin = String(try #require(words.last))
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Ends it with a signal; its exit code, or the signal's number below zero.
    func end(_ signal: Int32) -> Int32 {
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        return process.terminationReason == .exit
            ? process.terminationStatus : -process.terminationStatus
    }

    /// What it said on standard error, once it has ended.
    var diagnostics: String {
        String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    // MARK: Requests

    /// Sends JSON and reads JSON.
    @discardableResult
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String? = nil,
        authorization: String? = nil,
        over other: (any HTTPTransport)? = nil
    ) async throws -> (status: Int, object: [String: Any]) {
        var request = HTTPRequest(method, origin, path, body: body.map { Data($0.utf8) })
        request.headers["Authorization"] = authorization
        if body != nil { request.headers["Content-Type"] = "application/json" }
        let response = try await (other ?? transport).send(request)
        let object = try? JSONSerialization.jsonObject(with: response.body) as? [String: Any]
        return (response.status, object ?? [:])
    }

    /// Takes a sale as Finix's kit does; its transfer's id.
    func sale(_ minorUnits: Int, card: String = "visa-credit") async throws -> String? {
        let tap = try await ask(
            .post,
            "/_emu/tap",
            #"{"card":"\#(card)","amount":\#(minorUnits),"currency":"USD"}"#
        )
        let payload = try #require(tap.object["base64"] as? String)
        let paid = try await ask(
            .post,
            "/card_reader/transfers",
            Self.payment(minorUnits, payload),
            authorization: Self.basic
        )
        return paid.object["id"] as? String
    }

    static func payment(_ minorUnits: Int, _ payload: String) -> String {
        """
        {"transaction_type":"SALE","amount":\(minorUnits),"currency":"USD",
         "merchant_id":"MU-demo","device_id":"DVsimulated",
         "tap_to_pay_card_data":"\(payload)"}
        """
    }

    static var basic: String {
        let pair = "\(FinixEmulator.username):\(FinixEmulator.password)"
        return "Basic " + Data(pair.utf8).base64EncodedString()
    }

    /// The movements in the ledger, such as `charge 1250`.
    func booked() async throws -> [String] {
        let ledger = try await ask(.get, "/_emu/ledger").object
        let entries = try #require(ledger["entries"] as? [[String: Any]])
        return entries.map { "\($0["kind"] ?? "?") \($0["minorUnits"] ?? "?")" }
    }

    // MARK: Back offices

    static let finix = Account(provider: "finix", merchant: "MU-demo", environment: .simulated)
    static let revolut = Account(provider: "revolut", merchant: "demo", environment: .simulated)

    var finixBackOffice: any BackOffice {
        FinixBackOffice(
            account: Self.finix,
            origin: origin,
            username: Secret(FinixEmulator.username),
            password: Secret(FinixEmulator.password),
            transport: transport,
            environment: .live
        )
    }

    var revolutBackOffice: any BackOffice {
        RevolutBackOffice(
            account: Self.revolut,
            origin: origin,
            apiKey: Secret(RevolutEmulator.apiKey),
            apiVersion: "2026-04-20",
            transport: transport,
            environment: .live
        )
    }
}

/// Questions to a back office about what an emulator has just booked.
enum Asking {
    static func sales(of account: Account) -> RecordQuery {
        RecordQuery(
            account: account,
            created: Date(timeIntervalSinceNow: -3_600)...Date(timeIntervalSinceNow: 3_600),
            kind: .sale
        )
    }

    static func attempt(
        _ account: Account,
        _ minorUnits: Int64,
        refunding record: AcquirerRecord? = nil
    ) throws -> PaymentAttempt {
        let amount = try Money(minorUnits: minorUnits, currency: .usd)
        let operation: PaymentAttempt.Operation =
            if let record {
                .refund(
                    Receipt(
                        of: AttemptID("first"),
                        began: .init(
                            account: account,
                            order: "o1",
                            kind: .sale,
                            amount: record.amount
                        ),
                        approval: record.approval,
                        now: record.createdAt
                    )
                )
            } else {
                .take(.sale(amount, for: "o1"))
            }
        return PaymentAttempt(
            id: AttemptID("attempt-\(minorUnits)"),
            account: account,
            operation: operation,
            startedAt: Date(),
            amount: amount
        )
    }
}

extension BackOfficeAnswer {
    var name: String {
        switch self {
        case .done: "done"
        case .pending: "pending"
        case .declined: "declined"
        case .notDone(let error): "notDone \(error.code)"
        case .unknown(let error): "unknown \(error.code)"
        }
    }
}
