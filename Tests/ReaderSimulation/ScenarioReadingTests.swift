import PaymentCore
import ReaderSimulation
import Testing

@Suite struct ScenarioReadingTests {
    private func problems(_ body: String) -> [String] {
        let text = #"{"schema": "reader-scenario/1", "name": "n"\#(body)}"#
        do throws(ConfigurationProblems) {
            _ = try Scenario.read(Array(text.utf8), file: "s.json")
            return []
        } catch {
            return error.problems.map { "\($0.path): \($0.text)" }
        }
    }

    @Test(
        arguments: [
            (#", "scrpt": []"#, "scrpt: unknown key", "did you mean \"script\"?"),
            (#", "script": [{"step": "presnt"}]"#, "script[0].step: ", "\"present\"?"),
            (
                #", "script": [{"step": "present", "card": "vsa-credit"}]"#,
                "script[0].card: ", "\"visa-credit\"?"
            ),
            (
                #", "script": [{"step": "present", "card": "visa-credit", "after": "3 s"}]"#,
                "script[0].after: ", "\"20s\""
            ),
            (#", "script": [{"step": "waitFor", "event": "redyForTap"}]"#, "script[0].event", "?"),
            (
                #", "script": [{"step": "presentMany", "cards": ["slow"]}]"#, "script[0].cards",
                "two"
            ),
            (#", "script": [{"step": "network", "state": "flap(x)x"}]"#, "script[0].state", "up"),
            (#", "script": [{"step": "network", "state": "flap(x)"}]"#, "script[0].state", "flap"),
            (#", "script": [{"step": "network", "state": "flap(0)"}]"#, "script[0].state", "flap"),
            (
                #", "script": [{"step": "terms", "answer": "accepts", "after": "1s"}]"#,
                "script[0].after", ""
            ),
            (#", "script": [{"step": "pin", "pin": "1234"}]"#, "script[0].pin: ", "correct"),
            (#", "script": [{"step": "issuer", "answer": "decline(x)"}]"#, "answer: ", "REASON"),
            (
                #", "script": [{"step": "repeat", "times": 2, "steps": [{"step": "x"}]}]"#,
                "script[0].steps[0].step: ", "accepted"
            ),
            (#", "faults": [{"at": "sheetShow", "do": "hang"}]"#, "faults[0].at: ", "sheetShown"),
            (#", "faults": [{"at": "sheetShown", "do": "hnag"}]"#, "faults[0].do: ", "\"hang\"?"),
            (#", "faults": [{"at": "sheetShown(3)", "do": "hang"}]"#, "faults[0].at: ", "accepted"),
            (
                #", "faults": [{"at": "configuration(41)", "do": "hang"}]"#, "faults[0].at: ",
                "PERCENT"
            ),
            (#", "faults": [{"at": "stored", "do": "hang"}]"#, "faults[0].at: ", "not simulated"),
            (
                #", "faults": [{"at": "sheetShown", "do": "throw(x)"}]"#, "faults[0].do: ",
                "throw(CODE)"
            ),
            (
                #", "faults": [{"at": "sheetShown", "do": "delay(3)"}]"#, "faults[0].do: ",
                "delay(TIME)"
            ),
            (
                #", "faults": [{"at": "sheetShown", "do": "hang", "chance": 1.5}]"#,
                "faults[0].chance: ", "0 to 1"
            ),
            (#", "magic": "adyn""#, "magic: ", "\"adyen\"?"),
            (#", "timing": {"tpa": "3s"}"#, "timing.tpa: ", "\"tap\"?"),
            (#", "limits": {"eur": {}}"#, "limits.eur: ", "EUR"),
            (#", "limits": {"EUR": {"cvm": -1}}"#, "limits.EUR.cvm: ", "from 0"),
            (#", "token": {"fetches": ["expird"]}"#, "token.fetches[0]: ", "\"expired\"?"),
            (#", "expect": {"events": ["readyForTab"]}"#, "expect.events[0]: ", "\"readyForTap\"?"),
            (#", "expect": {"except": ["I-15"]}"#, "expect.except[0]: ", "accepted"),
            (#", "device": {"linked": "shop"}"#, "device.linked: ", "list"),
            (#", "seed": -1"#, "seed: ", "from 0"),
            (#", "standIn": {"finix": "failTwice"}"#, "standIn.finix: ", "\"failsTwice\"?"),
            (#", "standIn": {"fnix": "failsOnce"}"#, "standIn.fnix: ", "unknown key"),
            (
                #", "script": [{"step": "crash"}, {"step": "waitFor", "event": "readyForTap"}]"#,
                "script[1]: ", "can never run"
            ),
            (
                #", "script": [{"step": "repeat", "times": 3, "steps": [{"step": "remove"}]}, "#
                    + #"{"step": "crash"}, {"step": "waitFor", "event": "readyForTap"}]"#,
                "script[2]: ", "can never run"
            ),
            (
                #", "script": [{"step": "issuer", "partial": 3, "answer": "reverse"}]"#,
                "script[0].partial: ", "\"approve\""
            ),
            (#", "token": {"fetches": ["slow(-3s)"]}"#, "token.fetches[0]: ", "slow(TIME)"),
            (
                #", "faults": [{"at": "sheetShown", "do": "hang", "chance": -0.5}]"#,
                "faults[0].chance: ", "0 to 1"
            ),
            (
                #", "faults": [{"at": "sheetShown", "do": "delay(999999999h)"}]"#,
                "faults[0].do: ", "delay(TIME)"
            ),
        ]
    )
    func `S-006 S-015 what is wrong is told with its path before anything runs`(
        body: String,
        path: String,
        hint: String
    ) {
        let found = problems(body)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(path) == true, "\(found)")
        #expect(found.first?.contains(hint) == true, "\(found)")
    }

    @Test func `S-006 repeats of repeats are not multiplied without a bound`() {
        var steps = #"[{"step": "remove"}]"#
        for _ in 0..<8 { steps = #"[{"step": "repeat", "times": 100, "steps": \#(steps)}]"# }
        let found = problems(#", "script": \#(steps)"#)
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains("10000") == true, "\(found)")
    }

    @Test func `N-033 all problems are told at once`() {
        #expect(problems(#", "seed": "x", "magic": "y", "script": [{"step": "z"}]"#).count == 3)
        #expect(!problems(#", "schema": "reader-scenario/2""#).isEmpty)
    }

    @Test func `S-006 everything that can be written is read`() throws {
        let text = #"""
            {
              "schema": "reader-scenario/1", "name": "all", "note": "n", "seed": 9,
              "fidelity": "open", "magic": "stripe",
              "device": { "linked": ["a"], "configured": 50, "nfc": false, "bannedUntil": "1h" },
              "timing": { "preset": "slow", "tap": "9s", "jitter": 5 },
              "token": { "lifetime": "1h", "patience": "1m", "fetches": ["ok", "ok", "slow(2s)"] },
              "limits": { "EUR": { "cvm": 100, "contactless": null } },
              "sale": { "kind": "refund", "amount": 5, "currency": "JPY", "count": 2 },
              "script": [
                { "step": "repeat", "times": 2, "steps": [{ "step": "present", "card": "slow" }] },
                { "step": "issuer", "partial": 3, "delay": "1s" },
                { "step": "network", "state": "flap(2)" },
                { "step": "waitFor", "event": "preparationProgress(40)", "optional": true }
              ],
              "faults": [
                { "at": "configuration(40)", "when": "after", "nth": 2, "chance": 0.25,
                  "do": "throw(prepareFailed, 2011)", "optional": true }
              ],
              "standIn": { "finix": "failsTwice" },
              "expect": { "outcome": "approved", "charges": 1, "except": ["I-7"] }
            }
            """#
        let scenario = try Scenario.read(Array(text.utf8))
        #expect(scenario.script.count == 5)
        #expect(scenario.faults.first?.chance == 25 && scenario.faults.first?.percent == 40)
        #expect(scenario.device.timing.tap == .seconds(9))
        #expect(scenario.device.limits["EUR"] == ReaderLimits(cvm: 100))
        #expect(scenario.tokens.behaviors == [.ok, .ok, .slow(.seconds(2))])
        #expect(scenario.expect.exceptions == ["I-7"])
        #expect(scenario.standIns == ["finix": "failsTwice"])
    }
}
