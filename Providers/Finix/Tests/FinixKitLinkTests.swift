import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@testable import FinixSimulation

@Suite struct FinixKitLinkTests {
    @Test(arguments: [true, false])
    func `F-023 F-027 a link answer, yes or no, is believed for its duration`(
        isLinked: Bool
    ) throws {
        let bench = FinixKitBench(linked: isLinked)
        let kit = bench.kit()
        let answers = try bench.run { () async -> [Bool] in
            var answers = [await kit.isAccountLinked()]
            if isLinked {
                bench.world.device.control.revokeLink()
            } else {
                bench.world.device.control.acceptTerms(merchant: "MUdemo")
            }
            await bench.wait(299)
            answers.append(await kit.isAccountLinked())
            await bench.wait(2)
            answers.append(await kit.isAccountLinked())
            return answers
        }
        #expect(answers == [isLinked, isLinked, !isLinked])
        #expect(bench.count("/tap_to_pay_token") == 2)
    }

    @Test func `F-026 F-040 a check that failed is not kept`() throws {
        let bench = FinixKitBench()
        let kit = bench.kit()
        bench.world.device.control.networkDown()
        let answers = try bench.run { () async -> [Bool] in
            let failed = await kit.isAccountLinked()
            bench.world.device.control.networkUp()
            return [failed, await kit.isAccountLinked()]
        }
        #expect(answers == [false, true])
        #expect(bench.count("/tap_to_pay_token") == 2)
    }

    @Test func `F-028 answers are kept by merchant and survive the app`() throws {
        let bench = FinixKitBench()
        bench.emulator.add(merchant: "MUother")
        let answers = try bench.run { () async -> [Bool] in
            let first = await bench.kit().isAccountLinked()
            let before = bench.requests.count
            let again = await bench.kit().isAccountLinked()
            let isKept = bench.requests.count == before
            return [first, again, isKept, await bench.kit(merchant: "MUother").isAccountLinked()]
        }
        #expect(answers == [true, true, true, false])
    }

    @Test(arguments: [
        "true", "true@", "@1", "yes@1767603600", "true@soon", "true@1767603300",
        "true@1767603601", "true@nan", "true@1767603599@2", "",
    ])
    func `F-029 an entry that cannot be read or is too old counts as absent`(entry: String) throws {
        let bench = FinixKitBench(linked: false)
        bench.phone.links.write(entry, for: "MUdemo")
        #expect(try bench.run { await bench.kit().isAccountLinked() } == false)
        #expect(bench.count("/tap_to_pay_token") == 1)
    }

    @Test(arguments: [0.0, -1])
    func `F-023 a duration of zero or less turns reading of the cache off`(duration: Double) throws
    {
        let bench = FinixKitBench()
        let kit = bench.kit(options: .init(linkStatusCacheDuration: duration))
        _ = try bench.run { () async -> Bool in
            _ = await kit.isAccountLinked()
            return await kit.isAccountLinked()
        }
        #expect(bench.count("/tap_to_pay_token") == 2)
    }

    @Test func `F-030 F-031 a refresh asks and keeps, a clearing only forgets`() throws {
        let bench = FinixKitBench(linked: false)
        let kit = bench.kit()
        let answers = try bench.run { () async -> [Bool] in
            var answers = [await kit.isAccountLinked()]
            bench.world.device.control.acceptTerms(merchant: "MUdemo")
            answers.append(await kit.isAccountLinked())
            answers.append(await kit.forceRefreshLinkStatus())
            answers.append(await kit.isAccountLinked())
            bench.world.device.control.revokeLink()
            kit.clearLinkStatus()
            answers.append(await kit.isAccountLinked())
            return answers
        }
        #expect(answers == [false, false, true, true, false])
    }

    @Test func `F-042 F-043 a kept no makes preparing fail until it is refreshed`() throws {
        let bench = FinixKitBench(linked: false)
        let kit = bench.kit()
        let ends = try bench.run { () async -> [String] in
            _ = await kit.isAccountLinked()
            bench.world.device.control.acceptTerms(merchant: "MUdemo")
            let stale = await KitCall.prepareReader.end(on: kit)
            _ = await kit.forceRefreshLinkStatus()
            return [stale, await KitCall.prepareReader.end(on: kit)]
        }
        #expect(ends == ["accountNotLinked", "ok"])
    }

    @Test(arguments: [
        (ReaderControl.TermsAnswer.closes, "accountLinkingCancelled"),
        (.fails, "accountLinkingFailed"), (.accepts, "ok"),
    ])
    func `F-037 F-039 what the merchant does with the terms is told, and a yes is kept`(
        answer: ReaderControl.TermsAnswer,
        expected: String
    ) throws {
        let bench = FinixKitBench(linked: false)
        let kit = bench.kit()
        bench.world.device.control.nextTerms([answer])
        let (end, tokens) = try bench.run { () async -> (String, Int) in
            let end = await KitCall.linkAccount.end(on: kit)
            let before = bench.count("/tap_to_pay_token")
            _ = await kit.isAccountLinked()
            return (end, bench.count("/tap_to_pay_token") - before)
        }
        #expect(end == expected)
        #expect((tokens == 0) == (expected == "ok"))
    }

    @Test func `F-036 without a sign-in to iCloud linking says so`() throws {
        let bench = FinixKitBench(linked: false)
        bench.world.device.control.throwAtNext(.linkAsked, ReaderError(.accountSignInRequired))
        let end = try bench.run { await KitCall.linkAccount.end(on: bench.kit()) }
        #expect(end == "accountLinkingRequiresiCloudSignIn")
    }
}
