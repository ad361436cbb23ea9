import PaymentCore
import Testing

@Suite struct JSONTextTests {
    @Test func `N-033 keeps order, number text and places`() throws {
        let text = "{\r\n  \"é👩‍👩‍👧\": [1.50, -2e+3],\n\t\"b\": {\"c\": null}, \"d\": true\r}"
        let root = try #require(JSONText.read(text).value)
        guard case .object(let members) = root.content else {
            Issue.record("no object")
            return
        }
        #expect(members.map(\.key) == ["é👩‍👩‍👧", "b", "d"])
        #expect(members.map(\.place) == [place(2, 3), place(3, 2), place(3, 20)])
        #expect(members.map(\.value.place) == [place(2, 9), place(3, 7), place(3, 25)])
        guard case .array(let numbers) = members[0].value.content else {
            Issue.record("no list")
            return
        }
        #expect(numbers.map(\.content) == [.number("1.50"), .number("-2e+3")])
        #expect(numbers.map(\.place) == [place(2, 10), place(2, 16)])
    }

    @Test(arguments: [
        (#""""#, JSONText.Content.string("")),
        (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")),
        (#""\u00e9\u00E9\u0000""#, .string("éé\u{0}")),
        (#""\ud83d\ude00x""#, .string("😀x")),
        ("\"\u{7F}é😀\"", .string("\u{7F}é😀")),
        ("0", .number("0")), ("-0", .number("-0")), ("0.5E-7", .number("0.5E-7")),
        ("123456789012345678901234567890", .number("123456789012345678901234567890")),
        ("true", .bool(true)), ("false", .bool(false)), ("null", .null),
        ("[]", .array([])), ("{ }", .object([])),
        // FC-080
        ("\u{FEFF} \r\n\t null \r\n", .null),
    ])
    func `N-033 reads what the standard allows`(text: String, content: JSONText.Content) {
        let reading = JSONText.read(text)
        #expect(reading.value?.content == content)
        #expect(reading.faults.isEmpty)
    }

    @Test func `N-033 does not count a byte-order mark as a character`() {
        #expect(JSONText.read("\u{FEFF}{}").value?.place == place(1, 1))
    }

    @Test(arguments: [
        ("", 1, 1, "found an empty file"),
        (" \n\t ", 1, 1, "found an empty file"),
        ("\u{FEFF}", 1, 1, "found an empty file"),
        ("\u{FEFF}\u{FEFF}{}", 1, 1, "found a second byte-order mark"),
        ("{\n  // why\n}", 2, 3, "found a comment; accepted is a key in double quotes"),
        ("{\"a\": 1 /* why */}", 1, 9, "found a comment; accepted are \",\" and \"}\""),
        ("# why\n{}", 1, 1, "found a comment"),
        ("{\"a\": 1,\n}", 1, 8, "found a comma before \"}\""),
        ("[1, 2 ,]", 1, 7, "found a comma before \"]\""),
        ("[1,,2]", 1, 4, "found \",\"; accepted are an object"),
        ("{,}", 1, 2, "found \",\"; accepted is a key"),
        ("{'a': 1}", 1, 2, "found a single quote"),
        ("{\"a\": “b”}", 1, 7, "found the quotation mark “"),
        ("{a: 1}", 1, 2, "found a key without quotes"),
        ("{\"é\" 1}", 1, 6, "found a word without quotes; accepted is \":\""),
        ("{\"a\": 1 \"b\": 2}", 1, 9, "found \"\"\"; accepted are \",\" and \"}\""),
        ("[NaN]", 1, 2, "found NaN"), ("[-Infinity]", 1, 2, "found a minus sign"),
        ("[True]", 1, 2, "found True"), ("[truer]", 1, 2, "found a word without quotes"),
        ("[01]", 1, 2, "found a number with a leading zero"),
        ("[-01]", 1, 2, "found a number with a leading zero"),
        ("[+1]", 1, 2, "found a plus sign"), ("[.5]", 1, 2, "found a number that starts"),
        ("[1.]", 1, 2, "found a number without digits after its point"),
        ("[1e+]", 1, 2, "found a number without digits in its exponent"),
        ("[0x10]", 1, 2, "found a number with other characters"),
        ("[-]", 1, 2, "found a minus sign without a number"),
        ("[\"a\nb\"]", 1, 4, "found a line break inside a text"),
        ("[\"a\tb\"]", 1, 4, "found the control character U+0009"),
        ("[\"a\u{0}\"]", 1, 4, "found the control character U+0000"),
        (#"["\x"]"#, 1, 3, "found a backslash that starts no escape"),
        (#"["\"#, 1, 3, "found a backslash that starts no escape"),
        (#"["\u12"]"#, 1, 3, #"found \u without four hexadecimal digits"#),
        (#"["\u+123"]"#, 1, 3, #"found \u without four hexadecimal digits"#),
        (#"["ab\ud83d"]"#, 1, 5, "found half of a surrogate pair"),
        (#"["\ud83d\u0041"]"#, 1, 3, "found half of a surrogate pair"),
        (#"["\ude00\ud83d"]"#, 1, 3, "found half of a surrogate pair"),
        ("[\"abc", 1, 6, "found the end of the file inside a text"),
        ("{\"a\": [1", 1, 9, "found the end of the file; accepted are \",\" and \"]\""),
        ("{\"a\":", 1, 6, "found the end of the file"),
        ("{}\n{}", 2, 1, "found \"{\"; accepted is nothing after the end"),
        ("[1]]", 1, 4, "found \"]\"; accepted is nothing"),
        ("[1\u{A0}]", 1, 3, "found the character U+00A0"),
        ("[1\u{0}]", 1, 3, "found the character U+0000"),
        ("\r\r\n\n[x]", 4, 2, "found a word without quotes"),
    ])
    func `N-033 reports wrong syntax with its place`(
        text: String,
        line: Int,
        column: Int,
        what: String
    ) throws {
        let reading = JSONText.read(text)
        let fault = try #require(reading.faults.first)
        #expect(reading.value == nil && reading.faults.count == 1)
        #expect(fault.place == place(line, column))
        #expect(fault.text.hasPrefix(what), "\(fault.text)")
        #expect(fault.text.contains("accepted"))
    }

    @Test(arguments: [
        ([0x5B, 0x0A, 0x22, 0xC3, 0xA9, 0xE9, 0x22, 0x5D], 2, 3, "found the byte 0xE9"),
        ([0x22, 0xED, 0xA0, 0x80, 0x22], 1, 2, "found the byte 0xED"),
        ([0x22, 0xC0, 0xAF, 0x22], 1, 2, "found the byte 0xC0"),
        ([0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], 1, 1, "found UTF-16 text"),
    ])
    func `N-033 refuses what is no UTF-8 text`(
        bytes: [UInt8],
        line: Int,
        column: Int,
        what: String
    ) throws {
        let fault = try #require(JSONText.read(bytes).faults.first)
        #expect(fault.place == place(line, column))
        #expect(fault.text.hasPrefix(what) && fault.text.contains("accepted"))
    }

    @Test func `N-033 refuses ten megabytes`() throws {
        let bytes = [UInt8](repeating: 0x20, count: 10_000_000)
        let fault = try #require(JSONText.read(bytes).faults.first)
        #expect(fault.text == "found 10000000 bytes; accepted are at most 1048576")
        let longest = Array("{}".utf8) + bytes.prefix(JSONText.longest - 2)
        #expect(JSONText.read(longest).value != nil)
        #expect(JSONText.read(longest + [0x20]).value == nil)
    }

    @Test func `N-033 reads 64 levels and refuses the next`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        }
        #expect(JSONText.read(nested(64)).value != nil)
        let fault = try #require(JSONText.read(nested(65)).faults.first)
        #expect(fault.place == place(1, 65))
        let endless = [UInt8](repeating: UInt8(ascii: "["), count: JSONText.longest)
        #expect(JSONText.read(endless).faults.map(\.place) == [place(1, 65)])
    }

    @Test func `N-033 reports every repeated key with both places`() {
        let text = """
            {
              "a": {"b": 1, "c": [{"x": 0, "\\u0078": 1}], "b": 2},
              "odd key": 1, "a": 2, "a": 3, "odd key": 1
            }
            """
        let reading = JSONText.read(text)
        #expect(reading.value != nil)
        #expect(reading.faults.map(\.path) == ["a.c[0].x", "a.b", "a", "a", "[\"odd key\"]"])
        #expect(
            reading.faults.map(\.place) == [
                place(2, 32), place(2, 47), place(3, 17), place(3, 25), place(3, 33),
            ]
        )
        #expect(reading.faults[1].text.hasPrefix("repeated key; the first is at line 2, column 9"))
    }

    @Test func `N-033 reports repeated keys before a syntax error, and its path`() {
        let faults = JSONText.read(#"{"a": 1, "a": [1, {"b": tru}]}"#).faults
        #expect(faults.map(\.path) == ["a", "a[1].b"])
        #expect(faults.map(\.place) == [place(1, 10), place(1, 25)])
    }

    @Test func `N-014 repeats no word and no number of a broken text`() {
        for text in ["{\"k\": sk_live_1}", "{\"k\": 4242-4242}", "{\"k\": \"sk_live_1\n\"}"] {
            let fault = JSONText.read(text).faults.first
            #expect(fault?.text.contains("sk_live") == false)
            #expect(fault?.text.contains("4242") == false)
        }
    }

    @Test func `N-033 never traps on a text that is cut or damaged anywhere`() {
        let good = Array(#"{"a": [1.5e3, "\ud83d\ude00é", {"b": true}], "c": null}"#.utf8)
        for cut in good.indices.dropFirst() {
            #expect(JSONText.read(Array(good[..<cut])).faults.count == 1)
            for byte in UInt8.min...UInt8.max {
                var damaged = good
                damaged[cut] = byte
                let reading = JSONText.read(damaged)
                #expect(reading.value != nil || !reading.faults.isEmpty)
            }
        }
    }

    private func place(_ line: Int, _ column: Int) -> JSONText.Place {
        JSONText.Place(line: line, column: column)
    }
}
