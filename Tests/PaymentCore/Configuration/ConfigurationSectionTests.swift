import PaymentCore
import Testing

@Suite struct ConfigurationSectionTests {
    @Test func `N-033 reads every kind of value`() throws {
        let text = """
            {
              "name": "Corner Shop", "device": null, "provider": "finix", "tries": 3, "on": false,
              "patience": "250ms", "to": ["revolut"], "inner": {"a": "b"}, "backOffice": {"url": "u"}
            }
            """
        let problems = problems(in: text) { root in
            #expect(root.string("name") == "Corner Shop")
            #expect(root.optionalString("device") == nil)
            #expect(root.optionalString("absent") == nil)
            #expect(root.oneOf("provider", ["finix", "revolut"]) == "finix")
            #expect(root.wholeNumber("tries", in: 1...5) == 3)
            #expect(root.bool("on") == false)
            #expect(root.duration("patience") == .milliseconds(250))
            #expect(root.strings("to", among: ["finix", "revolut"]) == ["revolut"])
            #expect(root.section("inner")?.string("a") == "b")
            guard case .section(let office) = root.choice("backOffice", ["direct"]) else {
                Issue.record("no section")
                return
            }
            #expect(office.path == "backOffice" && office.string("url") == "u")
        }
        #expect(problems == [])
    }

    @Test func `N-033 takes the default of an absent key`() {
        let problems = problems(in: "{}") { root in
            #expect(root.string("a", default: "b") == "b")
            #expect(root.oneOf("a", ["b"], default: "b") == "b")
            #expect(root.wholeNumber("a", in: 1...2, default: 2) == 2)
            #expect(root.bool("a", default: true) == true)
            #expect(root.duration("a", default: .seconds(20)) == .seconds(20))
            #expect(root.strings("a", default: []) == [])
            #expect(root.optionalSection("a") == nil)
            #expect(root.sectionOrEmpty("a")?.string("b", default: "c") == "c")
            guard case .name("direct") = root.choice("a", ["direct"], default: "direct") else {
                Issue.record("no name")
                return
            }
        }
        #expect(problems == [])
    }

    // FC-100
    @Test(arguments: [
        (
            "\"fnix\"",
            "found \"fnix\"; accepted are \"finix\" and \"revolut\"; did you mean \"finix\"?"
        ),
        (
            "\"Revolut\"",
            "found \"Revolut\"; accepted are \"finix\" and \"revolut\"; did you mean \"revolut\"?"
        ),
        ("\"stripe\"", "found \"stripe\"; accepted are \"finix\" and \"revolut\""),
        ("\"\"", "found an empty text; accepted are \"finix\" and \"revolut\""),
        ("null", "found null; accepted are \"finix\" and \"revolut\""),
        ("[\"finix\"]", "found a list; accepted are \"finix\" and \"revolut\""),
    ])
    func `N-033 names the nearest valid name`(value: String, what: String) {
        let problems = problems(in: "{\"provider\": \(value)}") { root in
            #expect(root.oneOf("provider", ["finix", "revolut"], default: "finix") == nil)
        }
        #expect(problems == ["till.json:1:14: provider: \(what)"])
    }

    // FC-103
    @Test func `N-033 never chooses a provider by the order of keys`() {
        let text = #"{ "providers": { "finix": {}, "revolut": {} } }"#
        let problems = problems(in: text) { root in
            let names = root.section("providers")?.keys ?? []
            #expect(root.oneOf("provider", names) == nil)
        }
        #expect(
            problems
                == ["till.json:1:1: provider: missing; accepted are \"finix\" and \"revolut\""]
        )
    }

    @Test(arguments: [
        ("1.5", "1.5"), ("1.0", "1.0"), ("1e2", "1e2"), ("0", "0"), ("101", "101"), ("-1", "-1"),
        ("99999999999999999999", "a number of 20 characters"), ("\"5\"", "\"5\""),
        ("true", "true"),
    ])
    func `N-033 accepts whole numbers in their range only`(value: String, found: String) {
        let problems = problems(in: "{\"n\":\(value)}") { root in
            #expect(root.wholeNumber("n", in: 1...100) == nil)
        }
        #expect(
            problems
                == ["till.json:1:6: n: found \(found); accepted is a whole number from 1 to 100"]
        )
    }

    @Test(arguments: [
        ("20s", Duration.seconds(20)), ("2m", .seconds(120)), ("48h", .seconds(172_800)),
        ("0s", .zero),
    ])
    func `N-033 reads durations`(text: String, duration: Duration) {
        let problems = problems(in: "{\"d\":\"\(text)\"}") { root in
            #expect(root.duration("d") == duration)
        }
        #expect(problems == [])
    }

    @Test(arguments: [
        "", "s", "20", "20 s", " 20s", "+20s", "-1s", "1.5s", "020s", "20S", "20sec", "1m30s",
        "٢s", "9999999999h", "999999999h", "20\u{301}s",
    ])
    func `N-033 refuses durations of another shape`(text: String) throws {
        let problems = problems(in: "{\"d\":\"\(text)\"}") { root in
            #expect(root.duration("d", default: .seconds(1)) == nil)
        }
        let problem = try #require(problems.first)
        #expect(problems.count == 1 && problem.contains("such as \"20s\""))
    }

    @Test func `N-033 names what a value of a wrong type is and should be`() {
        let text = """
            {"a":1,
             "b":"yes",
             "c":[],
             "d":"x",
             "e":7,
             "f":"\\u0000",
             "g":"\(String(repeating: "k", count: 40))"}
            """
        let problems = problems(in: text) { root in
            _ = (root.string("a"), root.bool("b"), root.section("c"), root.strings("d"))
            _ = (root.duration("e"), root.string("f"), root.bool("g"), root.string("h"))
        }
        #expect(
            problems.map { $0.replacing("till.json:", with: "") } == [
                "1:1: h: missing; accepted is a text",
                "1:6: a: found 1; accepted is a text",
                "2:6: b: found \"yes\"; accepted are true and false",
                "3:6: c: found a list; accepted is an object",
                "4:6: d: found \"x\"; accepted is a list of texts",
                "5:6: e: found 7; accepted is a whole number with ms, s, m or h, such as \"20s\", "
                    + "from 0.0 seconds to 31622400.0 seconds",
                "6:6: f: found a text with control or invisible characters; accepted is a text",
                "7:6: g: found a text of 40 characters; accepted are true and false",
            ]
        )
    }

    @Test func `N-033 checks each element of a list`() {
        let text = #"{"to": ["finix", "revolt", 3, "finix"]}"#
        let problems = problems(in: text) { root in
            #expect(root.strings("to", among: ["finix", "revolut"]) == nil)
            root.reject("to", index: 0, "is not configured")
        }
        #expect(
            problems.map { $0.replacing("till.json:1:", with: "") } == [
                "9: to[0]: is not configured",
                "18: to[1]: found \"revolt\"; accepted are \"finix\" and \"revolut\"; "
                    + "did you mean \"revolut\"?",
                "28: to[2]: found 3; accepted are \"finix\" and \"revolut\"",
                "31: to[3]: found \"finix\" again; accepted is each entry once",
            ]
        )
    }

    @Test func `N-033 reports unknown keys with the nearest accepted one`() {
        let text = #"{"a": {"mercant": "M", "line\nbreak": 1}, "zzz": 1}"#
        let problems = problems(in: text) { root in
            let inner = root.section("a")
            #expect(inner?.string("merchant", default: "X") == "X")
            _ = inner?.optionalString("device")
            inner?.finish()
            root.finish()
        }
        #expect(
            problems.map { $0.replacing("till.json:1:", with: "") } == [
                "8: a.mercant: unknown key; accepted are \"merchant\" and \"device\"; "
                    + "did you mean \"merchant\"?",
                "24: a[\"line\\nbreak\"]: unknown key; accepted are \"merchant\" and \"device\"",
                "43: zzz: unknown key; accepted is \"a\"",
            ]
        )
    }

    @Test func `N-033 finds unknown keys that a reader forgot to ask about`() {
        let problems = problems(in: #"{"a": {"b": 1}}"#) { root in _ = root.section("a") }
        #expect(problems == ["till.json:1:8: a.b: unknown key; accepted is nothing"])
    }

    @Test func `N-033 reports three faults and a repeated key in the order they stand`() {
        let text = """
            {
              "provider": "fnix",
              "settling": { "patience": 20, "patience": 30 },
              "journa": "till.journal"
            }
            """
        let problems = problems(in: text) { root in
            _ = root.optionalString("journal")
            _ = root.section("settling")?.duration("patience", in: .zero ... .seconds(60))
            _ = root.oneOf("provider", ["finix", "revolut"])
            root.finish()
        }
        #expect(
            problems.map { $0.split(separator: ":").prefix(4).joined(separator: ":") } == [
                "till.json:2:15: provider", "till.json:3:29: settling.patience",
                "till.json:3:33: settling.patience", "till.json:4:3: journa",
            ]
        )
    }

    @Test(arguments: [
        ("[]", "till.json:1:1: found a list; accepted is an object"),
        ("{", "till.json:1:2: found the end of the file; accepted is a key in double quotes"),
    ])
    func `N-033 reads nothing of what is no object`(text: String, problem: String) {
        let problems = problems(in: text) { _ in Issue.record("was read") }
        #expect(problems == [problem])
    }

    @Test func `N-033 throws when a reader gives up without a reason`() {
        #expect(throws: ConfigurationProblems.self) {
            try ConfigurationSection.read(Array("{}".utf8), secrets: .app { _ in nil }) { _ in
                Int?.none
            }
        }
    }

    @Test func `N-014 prints no value of a section`() throws {
        let text = Array(#"{"apiKey": "sk_live_1"}"#.utf8)
        _ = try ConfigurationSection.read(text, secrets: .app { _ in nil }) { root in
            var dumped = ""
            dump(root, to: &dumped)
            #expect(!"\(root) \(String(reflecting: root)) \(dumped)".contains("sk_live_1"))
            return root.string("apiKey")
        }
    }

    private func problems(
        in text: String,
        _ body: (ConfigurationSection) -> Void
    ) -> [String] {
        do throws(ConfigurationProblems) {
            _ = try ConfigurationSection.read(
                Array(text.utf8),
                file: "till.json",
                secrets: .app { _ in nil }
            ) { root -> Bool? in
                body(root)
                return true
            }
            return []
        } catch {
            return error.problems.map(\.description)
        }
    }
}
