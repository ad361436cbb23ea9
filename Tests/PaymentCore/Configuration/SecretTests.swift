import PaymentCore
import Testing

@Suite struct SecretTests {
    struct Holder { var secret: Secret? = Secret("hunter2") }

    @Test func `N-034 prints as redacted however it is printed`() {
        let secret = Secret("hunter2")
        var texts = ["\(secret)", String(describing: secret), String(reflecting: secret)]
        texts += ["\([secret])", "\(Holder())", String(reflecting: [1: secret])]
        var dumped = ""
        dump(Holder(), to: &dumped)
        texts.append(dumped)
        var printed = ""
        print(secret, Holder(), to: &printed)
        texts.append(printed)
        #expect(texts.allSatisfy { $0.contains("<redacted>") && !$0.contains("hunter2") })
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(secret.reveal() == "hunter2")
    }

    @Test func `N-034 has no coded form`() {
        let secret: Any = Secret("hunter2")
        #expect(!(secret is any Encodable) && !(secret is any Decodable))
    }

    // FC-101
    @Test(arguments: ["", "\n", "\r\n", " ", " \t\r\n\n"])
    func `N-034 takes line ends and blanks off the end of a secret`(end: String) throws {
        for entry in [#"{ "env": "KEY" }"#, #"{ "file": "key" }"#] {
            let result = read(entry, value: "\u{FEFF}pass wörd" + end)
            #expect(result.secret?.reveal() == "pass wörd")
            #expect(result.problems == [])
        }
    }

    @Test(arguments: [
        ("", "is empty"), (" \r\n", "is empty"), ("hunter2\nhunter2", "has line breaks"),
        ("\nhunter2", "has line breaks"), ("hunter2\u{0}", "has line breaks"),
        ("hun\u{200B}ter2", "invisible characters"),
    ])
    func `N-034 refuses an unusable secret without repeating it`(value: String, what: String) {
        for entry in [#"{ "env": "KEY" }"#, #"{ "file": "key" }"#] {
            let result = read(entry, value: value)
            #expect(result.secret == nil && result.problems.count == 1)
            #expect(result.problems.first?.contains(what) == true)
            #expect(result.problems.first?.contains("hunter2") == false)
        }
    }

    @Test(arguments: [
        (#"{ "env": "OTHER" }"#, "18: inner.key: the environment variable OTHER is not set"),
        (#"{ "env": "hunter2" }"#, "18: inner.key: the environment variable that is named here"),
        (#"{ "file": "hunter2" }"#, "18: inner.key: the secret file that is named here does not"),
        (#""hunter2""#, "18: inner.key: found a text; accepted is { \"env\": \"NAME\" } or"),
        ("12345", "18: inner.key: found a number; accepted is"),
        ("{}", "18: inner.key: found an empty object; accepted is"),
        (#"{"env":"A","file":"b"}"#, "18: inner.key: found more than one source"),
        (
            #"{"evn":"hunter2"}"#,
            "19: inner.key.evn: unknown key; accepted are \"env\" and \"file\"; did"
        ),
        (#"{"env":12345}"#, "25: inner.key.env: found a number; accepted is a text"),
        (#"{"env":""}"#, "25: inner.key.env: found an empty text"),
        (#"{"file":"a\u0000b"}"#, "26: inner.key.file: found a text; accepted is"),
        ("null", "18: inner.key: found null; accepted is"),
    ])
    func `N-034 names what is wrong with an entry`(entry: String, what: String) throws {
        let result = read(entry, value: nil)
        let problem = try #require(result.problems.first)
        #expect(result.secret == nil && result.problems.count == 1)
        #expect(problem.hasPrefix("configuration:1:" + what), "\(problem)")
        #expect(!problem.contains("hunter2") && !problem.contains("12345"))
    }

    // FC-102
    @Test func `N-034 reports a missing secret under its full path`() {
        let problems = problems("{}", .app { _ in nil }) { root in
            #expect(root.sectionOrEmpty("credentials")?.secret("password") == nil)
        }
        #expect(
            problems == [
                "configuration:1:1: credentials.password: missing; "
                    + "accepted is { \"env\": \"NAME\" } or { \"file\": \"path\" }"
            ]
        )
    }

    @Test func `N-034 asks the app first, by path`() {
        let sources = SecretSources.app { path in
            path == "credentials.password" ? Secret("hunter2\n") : nil
        }
        for text in ["{}", #"{"credentials": {"password": {"env": "UNSET"}}}"#] {
            let problems = problems(text, sources) { root in
                let section = root.sectionOrEmpty("credentials")
                #expect(section?.secret("password")?.reveal() == "hunter2")
            }
            #expect(problems == [])
        }
    }

    @Test func `N-034 looks nothing up where nothing is needed`() {
        let sources = SecretSources(
            environment: { _ in
                Issue.record("looked up")
                return nil
            },
            file: { _ in
                Issue.record("read")
                return []
            }
        )
        let text = #"{"a": {"env": "A"}, "b": {"file": "b"}, "c": 1}"#
        let problems = problems(text, sources) { root in
            for key in ["a", "b", "c", "d"] { #expect(root.secret(key, isNeeded: false) == nil) }
        }
        #expect(problems.map { $0.prefix(21) } == ["configuration:1:46: c"])
    }

    private func read(_ entry: String, value: String?) -> (secret: Secret?, problems: [String]) {
        let sources = SecretSources(
            environment: { $0 == "KEY" ? value : nil },
            file: { path in
                guard path == "key", let value else { throw BoundedFile.Failure.missing }
                return Array(value.utf8)
            }
        )
        var secret: Secret?
        let problems = problems("{\"inner\": {\"key\":\(entry)}}", sources) { root in
            secret = root.section("inner")?.secret("key")
        }
        return (secret, problems)
    }

    private func problems(
        _ text: String,
        _ sources: SecretSources,
        _ body: (ConfigurationSection) -> Void
    ) -> [String] {
        do throws(ConfigurationProblems) {
            _ = try ConfigurationSection.read(Array(text.utf8), secrets: sources) { root -> Bool? in
                body(root)
                return true
            }
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
