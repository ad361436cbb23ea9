import Testing

/// What programs tell about themselves.
@Suite struct HelpTests {
    @Test(arguments: ["checkout", "finix", "revolut", "reader", "contract", "prove"])
    func `every command has a help that fits into a hundred columns`(program: String) throws {
        let help = try Run(["--help"], of: program).output
        let commands = help.matches(of: /\n  ([a-z]+)/).map { String($0.output.1) }
        #expect(commands.count > 1)
        for words in [["--help"]] + commands.map({ [$0, "--help"] }) {
            let run = try Run(words, of: program)
            #expect(run.code == 0 && run.output.contains("\n\n"))
            let wide = run.output.split(separator: "\n").filter { $0.count > 100 }
            #expect(wide.isEmpty, "\(words): \(wide)")
        }
    }
}
