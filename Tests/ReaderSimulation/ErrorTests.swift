import ReaderSimulation
import Testing

@Suite struct ErrorTests {
    @Test func `E-60 the table has sixty names, each once`() {
        #expect(ReaderError.Code.all.count == 60)
        #expect(Set(ReaderError.Code.all.map(\.name)).count == 60)
        #expect(ReaderError.Code.all.map(\.tableNumber) == Array(1...60))
    }

    @Test(
        arguments: [
            (1, "deviceUnsupported", .never, false), (5, "notEntitled", .prepareOnce, false),
            (9, "accountNotLinked", .user, false), (10, "accountAlreadyLinked", .done, false),
            (18, "tokenExpired", .token, false), (20, "sessionExpired", .prepare, false),
            (22, "readerBusy", .later, false), (27, "appInBackground", .onForeground, false),
            (34, "readCancelled", .same, false), (37, "readFailed", .same, true),
            (38, "cardDeclinedOffline", .otherCard, true),
            (40, "anotherInterfaceNeeded", .otherMethod, false),
            (52, "offlineIssuerChanged", .user, true),
            (56, "resultExpired", .same, true), (60, "unknown", .prepareOnce, true),
        ] as [(Int, String, ReaderError.Retry, Bool)]
    )
    func `E-01 codes say what may be done and whether a payload may exist`(
        number: Int,
        name: String,
        retry: ReaderError.Retry,
        payloadMayExist: Bool
    ) {
        let error = ReaderError(.init(name))
        #expect(error.code.tableNumber == number)
        #expect(error.retry == retry)
        #expect(error.payloadMayExist == payloadMayExist)
    }

    @Test func `S-025 a code of a later version is kept, and a payload may exist`() {
        let error = ReaderError(.init("handsTooCold"), number: 77)
        #expect(error.code.tableNumber == nil)
        #expect(error.payloadMayExist && error.retry == .prepareOnce)
        #expect(error.description == "handsTooCold(77)")
    }

    @Test(
        arguments: [
            ("2011", 2_011), ("Prepare failed (2023) at 10:15", 2_023), ("secure pairing", nil),
            ("", nil), ("card 4242 4242", 4_242), ("99999999999999999999999", nil),
        ] as [(String, Int?)]
    )
    func `E-19 only the first number of a text is kept`(text: String, number: Int?) {
        let error = ReaderError.prepareFailed(text: text)
        #expect(error.code == .prepareFailed)
        #expect(error.number == number)
    }
}
