import ReaderSimulation
import Testing

@Suite struct AppleErrorTests {
    @Test(
        arguments: [
            ("unsupported", .deviceUnsupported), ("notAllowed", .notEntitled),
            ("readNotAllowed", .notEntitled), ("prepareExpired", .sessionExpired),
            ("readerSessionExpired", .sessionExpired), ("tokenExpired", .tokenExpired),
            ("readerNotAvailable", .readerBusy), ("paymentCardDeclined", .cardDeclinedOffline),
            ("vasReadFail", .loyaltyReadFailed), ("storeAndForwardNotAllowed", .offlineNotAllowed),
            ("fromTheYear2031", .unknown),
        ] as [(String, ReaderError.Code)]
    )
    func `E-60 a case of the system becomes the code that says the same`(
        name: String,
        code: ReaderError.Code
    ) {
        let error = ReaderError.apple(name)
        #expect(error.code == code)
        #expect(error.underlying == name)
    }

    @Test func `D-2 what a call ends with after the app left is an interruption`() {
        for name in ["readCancelled", "serviceConnectionError", "noReaderSession"] {
            let error = ReaderError.apple(name, leftForeground: true, cardWasDetected: true)
            #expect(error.code == .interrupted && error.payloadMayExist)
            #expect(ReaderError.apple(name).code != .interrupted)
        }
        #expect(ReaderError.apple("cardReadFailed", leftForeground: true).code == .cardReadFailed)
    }

    @Test func `S-025 the number of a later error is kept`() {
        let error = ReaderError.apple("unknown", text: "code 4711")
        #expect(error.number == 4_711 && error.payloadMayExist)
    }

    @Test func `D-3 before the tap limit a cancel that nobody asked for is the system's`() {
        #expect(ReaderError.apple("readCancelled").by == .system)
        #expect(ReaderError.apple("readCancelled", cancelledBy: .app).by == .app)
    }
}
