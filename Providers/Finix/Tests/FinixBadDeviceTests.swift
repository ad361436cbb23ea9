import AcquirerSimulation
import Foundation
import PaymentCore
import PaymentTransport
import ReaderSimulation
import Simulation
import Testing

@testable import FinixPayments

/// Every field of an answer about Devices or merchants, spoiled; and every error of preparing.
@Suite struct FinixBadDeviceTests {
    private static let device: [String: String] = [
        "id": #""DVa1""#, "enabled": "true", "model": #""IOS_TAP_TO_PAY""#, "merchant": #""MU1""#,
        "name": #""Till""#, "description": "null", "serial_number": #""reader-1""#,
        "app_bundle_id": #""shop.example""#, "tags": "{}",
        "created_at": #""2026-01-02T03:04:05.6Z""#, "updated_at": #""2026-01-02T03:04:06Z""#,
    ]
    private static let merchant: [String: String] = [
        "id": #""MU1""#, "merchant_name": #""Shop""#, "mid": #""m-1""#,
        "onboarding_state": #""APPROVED""#, "processing_enabled": "true",
        "processor_details": #"{ "mid": "m-1" }"#,
    ]
    /// Without these a Device is not known to be this phone's, or to work.
    private static let needed: Set<String> = [
        "id", "enabled", "model", "merchant", "serial_number",
    ]

    private static func cases(_ fields: [String: String]) -> [(String, Int)] {
        fields.keys.sorted().flatMap { field in
            FinixBadInputTests.spoiled.indices.map { (field, $0) }
        }
    }

    private static func body(_ fields: [String: String], _ field: String, _ index: Int) -> String {
        var members = fields
        members[field] = FinixBadInputTests.spoiled[index]
        let lines = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
        return "{ \(lines.joined(separator: ", ")) }"
    }

    private static let empty = #"{ "_embedded": { "devices": [] }, "page": {} }"#

    /// Provisions with these answers, the last one for ever.
    private func provision(_ bodies: [String]) throws -> Result<String, PaymentError> {
        let desk = FinixDeviceDesk()
        let answers = bodies.map { HTTPResponse(status: 200, body: Data($0.utf8)) }
        let source = FinixDeviceDesk.source(over: FixedTransport(answers), desk.time)
        let request = try desk.request()
        return try desk.run { () throws(PaymentError) in try await source.provision(request) }
    }

    @Test(arguments: cases(device))
    func `F-133 F-139 a spoiled Device is never taken for one that works`(
        field: String,
        index: Int
    ) throws {
        let body = Self.body(Self.device, field, index)
        // In the list, as what was created, and as what was activated.
        let listed = #"{ "_embedded": { "devices": [ \#(body) ] }, "page": {} }"#
        for bodies in [[listed, body], [Self.empty, body], [Self.empty, body, Self.empty, body]] {
            let result = try provision(bodies)
            let spoilt = FinixBadInputTests.spoiled[index]
            guard Self.needed.contains(field) else {
                #expect((try? result.get()) == "DVa1" || result.code != nil)
                continue
            }
            // Only a true "enabled" and an identifier of one piece leave it what it was.
            let isStill =
                field == "enabled" && spoilt == "true"
                || field == "id" && spoilt == "\"500\""
            if !isStill { #expect(result.code != nil, "\(body.prefix(200))") }
        }
    }

    @Test func `F-139 the good Device that these are spoiled from is taken`() throws {
        let body = Self.body(Self.device, "description", 1)
        let listed = #"{ "_embedded": { "devices": [ \#(body) ] }, "page": {} }"#
        #expect(try provision([listed]).get() == "DVa1")
        #expect(try provision([Self.empty, body]).get() == "DVa1")
    }

    @Test(arguments: cases(merchant))
    func `F-157 a spoiled merchant is told as far as it can be read, or is an error`(
        field: String,
        index: Int
    ) throws {
        let result = try read(Self.body(Self.merchant, field, index))
        switch result {
        case .success(let merchant): #expect(merchant.id == "MU1")
        case .failure(let error): #expect(error.code == .malformedAnswer)
        }
        if field == "id" { #expect(result.code != nil) }
    }

    @Test func `F-012 a merchant's number comes from either place`() throws {
        let good = try read(Self.body(Self.merchant, "mid", 1)).get()
        #expect(good.processorNumber == "m-1" && good.isProcessingEnabled == true)
        #expect(good.name == "Shop" && good.onboardingState == "APPROVED")
        #expect(try read("{ }").code == .malformedAnswer)
    }

    private func read(_ body: String) throws -> Result<FinixMerchant, PaymentError> {
        let time = SimulatedTime()
        let office = FinixBackOffice(
            account: Account(provider: "finix", merchant: "MU1", environment: .sandbox),
            origin: "https://finix.example",
            username: Secret("u"),
            password: Secret("p"),
            transport: FixedTransport(200, body),
            environment: time.environment
        )
        return try time.run { () async -> Result<FinixMerchant, PaymentError> in
            do throws(PaymentError) {
                return .success(try await office.merchant())
            } catch {
                return .failure(error)
            }
        }
    }

    // MARK: - Apple's errors of preparing

    /// What preparing ends with for each of Apple's errors that come twice, as repeated once.
    private static let preparing: [(apple: String, code: PaymentError.Code)] = [
        ("networkError", .preparationFailed), ("serviceConnectionError", .preparationFailed),
        ("osVersionNotSupported", .preparationFailed), ("passcodeDisabled", .preparationFailed),
        ("notAllowed", .preparationFailed), ("notReady", .preparationFailed),
        ("prepareExpired", .preparationFailed), ("tokenExpired", .tokenInvalid),
        ("readerBusy", .preparationFailed), ("readerMemoryFull", .preparationFailed),
        ("requestInterrupted", .preparationFailed), ("unsupported", .deviceUnsupported),
        ("unknown", .preparationFailed), ("accountDeactivated", .accountDeactivated),
        ("accountNotLinked", .accountNotLinked), ("deviceBanned", .deviceRestricted),
        ("emptyReaderToken", .tokenUnavailable), ("invalidMerchant", .merchantInvalid),
        ("invalidReaderToken", .tokenInvalid), ("merchantBlocked", .merchantBlocked),
        ("modelNotSupported", .deviceUnsupported), ("prepareFailed", .preparationFailed),
        ("networkAuthenticationError", .networkUnavailable),
        ("backgroundRequestNotAllowed", .inBackground), ("newError", .preparationFailed),
    ]

    @Test(arguments: preparing)
    func `F-095 each of Apple's errors of preparing can be raised, and moves no money`(
        apple: String,
        code: PaymentError.Code
    ) throws {
        let stage = FinixStage(card: "visa-credit")
        try stage.shop.run {
            for _ in 0..<2 { stage.control.throwAtNext(.prepareStarted, .apple(apple)) }
            let pointOfSale = try await stage.open()
            await stage.prepare(pointOfSale)
            try await stage.pay("o1", with: pointOfSale)
            stage.control.clearFaults()
            await stage.prepare(pointOfSale)
            try await stage.pay("o2", with: pointOfSale)
        }
        #expect(stage.told == ["\(code)", "failed notPrepared", "ready", "approved"])
        #expect(stage.ledger == ["charge 1250"])
    }
}
