import Foundation
import Testing

/// Two tills of one shop, and the back end that grants their orders.
@Suite(.ownThreads) struct BackendTests {
    private func backend(_ arguments: [String] = []) throws -> EmulatorProcess {
        try EmulatorProcess(arguments, of: "backend")
    }

    private func pay(_ order: String, at till: Till, _ origin: String, _ more: String = "") throws
        -> Run
    {
        try till.run("pay 12.50 USD --order \(order) --claims \(origin) \(more)")
    }

    @Test func `N-021 an order that one till has is refused at another, at the back end's word`()
        throws
    {
        let backend = try backend()
        let (first, second) = (try Till(), try Till())
        #expect(try pay("o1", at: first, backend.origin).code == 0)
        let refused = try pay("o1", at: second, backend.origin, "--till till-2")
        #expect(refused.code == 13)
        #expect(refused.errors.contains("of till till-1 (12.50 USD)"))
        #expect(try pay("o2", at: second, backend.origin, "--till till-2").code == 0)
        #expect(try second.booked("charge") == [1_250])
        #expect(backend.end(SIGTERM) == 0)
    }

    @Test func `N-021 an order that was declined at one till is free for the other`() throws {
        let backend = try backend()
        let (first, second) = (try Till(), try Till())
        #expect(try pay("o1", at: first, backend.origin, "--card declined-funds").code == 10)
        #expect(try pay("o1", at: second, backend.origin, "--till till-2").code == 0)
    }

    @Test func `N-021 an unresolved order stays with its till`() throws {
        let backend = try backend()
        let (first, second) = (try Till(), try Till())
        let lost = "--simulate answer-lost --simulate back-office-down"
        #expect(try pay("o1", at: first, backend.origin, lost).code == 20)
        #expect(try pay("o1", at: second, backend.origin, "--till till-2").code == 13)
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `N-021 claims outlive the back end, however it ends`(signal: Int32) throws {
        let file = try Till().path + "-claims"
        defer {
            for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: file + end) }
        }
        let (first, second) = (try Till(), try Till())
        let one = try backend(["--claims", file])
        #expect(try pay("o1", at: first, one.origin).code == 0)
        #expect(try pay("o2", at: first, one.origin, "--card declined-funds").code == 10)
        _ = one.end(signal)
        // A line that a crash has cut was never granted.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(#"{"claim":{"order":"o3""#.utf8))
        try handle.close()
        let two = try backend(["--claims", file])
        #expect(try pay("o1", at: second, two.origin, "--till till-2").code == 13)
        #expect(try pay("o2", at: second, two.origin, "--till till-2").code == 0)
        #expect(try pay("o3", at: second, two.origin, "--till till-2").code == 0)
    }

    @Test func `N-021 one file of claims serves one back end, under whatever name`() throws {
        let folder = try Till()
        let file = folder.path + "/claims"
        let first = try backend(["--claims", file])
        try FileManager.default.createSymbolicLink(
            atPath: file + ".link",
            withDestinationPath: file
        )
        let second = try Run(["--port", "0", "--claims", file + ".link"], of: "backend")
        #expect(second.code == 73)
        #expect(second.errors.contains("another back end"))
        // Who moves the file away stops the claims, and with them the payments.
        try FileManager.default.moveItem(atPath: file, toPath: file + ".moved")
        let till = try Till()
        #expect(try pay("o1", at: till, first.origin).code == 13)
        #expect(try till.booked("charge").isEmpty)
    }

    @Test func `N-021 without the back end nothing is charged`() throws {
        let backend = try backend()
        _ = backend.end(SIGTERM)
        let till = try Till()
        let refused = try pay("o1", at: till, backend.origin)
        #expect(refused.code == 13)
        #expect(refused.errors.contains("nothing was charged"))
        #expect(try till.booked("charge").isEmpty)
    }

    @Test func `N-052 a token that is not the app's claims nothing`() throws {
        let backend = try backend(["--token", "another"])
        let till = try Till()
        #expect(try pay("o1", at: till, backend.origin).code == 13)
        let run = try till.run(
            "pay 12.50 USD --order o1 --claims \(backend.origin)",
            environment: ["SHOP_TOKEN": "another"]
        )
        #expect(run.code == 0)
    }

    @Test(arguments: [
        (["--port", "x"], 64, "from 0 to 65535"),
        (["--account", "finix"], 64, "PROVIDER/MERCHANT"),
        (["--token", ""], 64, "visible ASCII"), (["--claims", ""], 64, "path of a file"),
        (["--claims", "/nowhere/claims"], 73, "cannot be written"), (["serve"], 64, "unexpected"),
        (["--help"], 0, "usage: backend"), (["--version"], 0, "backend "),
    ])
    func `N-033 a wrong command line of the back end says what is accepted`(
        arguments: [String],
        code: Int32,
        part: String
    ) throws {
        let run = try Run(arguments, of: "backend")
        #expect(run.code == code)
        #expect((run.output + run.errors).contains(part))
    }

    @Test(arguments: ["https://127.0.0.1:1", "http://example.com", "x", "http://127.0.0.1/path"])
    func `N-033 claims are asked for on this machine alone`(origin: String) throws {
        let run = try pay("o1", at: try Till(), origin)
        #expect(run.code == 64)
        #expect(run.errors.contains("a loopback origin"))
    }
}
