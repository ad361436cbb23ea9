import AcquirerSimulation
import Foundation
import PaymentCore
import PaymentTransport
import Testing

/// A phone, the app's own back end and an acquirer, each behind a socket of its own.
@Suite(.ownThreads) struct RemoteBackOfficeLoopbackTests {
    private struct Session: TokenProvider {
        let text: String

        func token() -> AccessToken { AccessToken(text) }
    }

    private func withPhone(
        _ carrier: EmulatorTests.Carrier,
        token: String = "session-a",
        _ body: (RemoteBackOffice, EmulatorProcess) async throws -> Void
    ) async throws {
        let emulator = try EmulatorProcess()
        let books = emulator.finixBackOffice
        let service = RemoteBackOfficeService([EmulatorProcess.finix: books]) { token in
            token.reveal() == "session-a" ? [EmulatorProcess.finix] : nil
        }
        let server = try LoopbackServer()
        async let running: Void = server.run { .answer(await service.answer($0)) }
        let phone = RemoteBackOffice(
            account: EmulatorProcess.finix,
            origin: server.origin,
            capabilities: books.capabilities,
            transport: carrier.transport,
            tokenProvider: Session(text: token),
            environment: .live
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(phone, emulator)) } catch { result = .failure(error) }
        server.stop()
        await running
        try result.get()
    }

    @Test(arguments: EmulatorTests.Carrier.allCases)
    func `N-025 a phone without a key sees the acquirer's books and refunds`(
        carrier: EmulatorTests.Carrier
    ) async throws {
        try await withPhone(carrier) { phone, emulator in
            let id = try await emulator.sale(1_250)
            let query = Asking.sales(of: EmulatorProcess.finix)
            let listing = try await phone.records(query)
            #expect(listing.records.map(\.reference.value) == [id])
            #expect(listing.records == (try await emulator.finixBackOffice.records(query).records))
            #expect(try await phone.remoteCapabilities() == phone.capabilities)
            let paid = try #require(listing.records.first)
            let refund = try Asking.attempt(EmulatorProcess.finix, 250, refunding: paid)
            #expect(["done", "pending"].contains((await phone.perform(refund)).name))
            #expect(try await emulator.booked() == ["charge 1250", "refund 250"])
        }
    }

    @Test(arguments: EmulatorTests.Carrier.allCases)
    func `N-052 a wrong token is refused as the app's login, and nothing moves`(
        carrier: EmulatorTests.Carrier
    ) async throws {
        try await withPhone(carrier, token: "session-b") { phone, emulator in
            _ = try await emulator.sale(1_250)
            let query = Asking.sales(of: EmulatorProcess.finix)
            let paid = try #require(try await emulator.finixBackOffice.records(query).records.first)
            let refund = try Asking.attempt(EmulatorProcess.finix, 250, refunding: paid)
            #expect((await phone.perform(refund)).name == "notDone appLoginExpired")
            let error = await #expect(throws: PaymentError.self) { try await phone.records(query) }
            #expect(error?.code == .appLoginExpired)
            #expect(try await emulator.booked() == ["charge 1250"])
        }
    }

    @Test func `N-011 an answer that the acquirer loses is unknown on the phone, and booked`()
        async throws
    {
        try await withPhone(.socket) { phone, emulator in
            _ = try await emulator.sale(1_250)
            let query = Asking.sales(of: EmulatorProcess.finix)
            let paid = try #require(try await phone.records(query).records.first)
            let fault = #"{"acquirer":"finix","method":"POST","times":2,"fault":"lose-answer"}"#
            try await emulator.ask(.post, "/_emu/faults", fault)
            let refund = try Asking.attempt(EmulatorProcess.finix, 250, refunding: paid)
            #expect((await phone.perform(refund)).name.hasPrefix("unknown"))
            #expect(try await emulator.booked() == ["charge 1250", "refund 250"])
        }
    }
}
