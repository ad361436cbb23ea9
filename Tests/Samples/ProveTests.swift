import Testing

@Suite struct ProveTests {
    @Test(.timeLimit(.minutes(5)))
    func `N-021 N-025 no schedule charges twice or tells what the ledger does not hold`() throws {
        let run = try Run(["--depth", "1"], of: "prove")
        #expect(run.code == 0, "\(run.output)")
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.suffix(5).dropFirst(2).first == "violations 0")
        #expect(lines.contains("seeded bugs found 8 of 8"))
        let points = try #require(lines.last?.split(separator: " ").compactMap { Int($0) })
        #expect(points.count == 2 && points[0] == points[1] && points[0] >= 8)
    }

    @Test(arguments: [("--depth 4", 64), ("--nonsense", 64), ("till fly", 64), ("--help", 0)])
    func `N-033 a command line that cannot be carried out is told`(line: String, code: Int32) throws
    {
        #expect(try Run(line.split(separator: " ").map(String.init), of: "prove").code == code)
    }
}
