import AcquirerSimulation
import PaymentCore
import ReaderSimulation
import Simulation
import Testing

@Suite struct FinixCancelTests {
    /// How a sale went that was cancelled at some moment.
    struct Cancelled {
        var told = ""
        var finished = 0
        var answers: [Cancellation] = []
        var charged: Int64 = 0
    }

    /// Takes one sale, and asks for its cancellation between two steps of the whole program.
    private func sale(
        cancelledAtStep step: Int,
        byTask: Bool,
        schedule: UInt64? = nil
    ) throws -> Cancelled {
        let shop = FinixShop(schedule: schedule)
        let opened = Shared<PointOfSale?>(nil)
        let payment = Shared<Task<Told?, Never>?>(nil)
        let answers = Shared<[Cancellation]>([])
        let steps = Shared(0)
        var driving = Driving()
        driving.betweenSteps = {
            guard let pointOfSale = opened.value else { return }
            steps.value += 1
            guard steps.value == step else { return }
            if byTask {
                payment.value?.cancel()
            } else {
                Task(executorPreference: shop.world.time.executor) {
                    answers.value.append(await pointOfSale.cancel("o1"))
                }
            }
        }
        let told = try shop.run(driving: driving) { () async throws -> Told? in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            opened.value = pointOfSale
            let task = Task(executorPreference: shop.world.time.executor) {
                try? await shop.take(1_250, "o1", with: pointOfSale)
            }
            payment.value = task
            return await task.value
        }
        shop.world.time.runUntilIdle()
        var result = Cancelled()
        result.told = told?.name ?? "nothing"
        result.finished =
            told?.events.filter { event in
                if case .finished = event.kind { true } else { false }
            }.count ?? 0
        result.answers = answers.value
        result.charged = shop.charged
        return result
    }

    // FC-042, FC-043
    @Test(arguments: [false, true])
    func `N-015 a cancel at any step is told as the ledger has it`(byTask: Bool) throws {
        var names: Set<String> = []
        for step in 1..<120 {
            let result = try sale(cancelledAtStep: step, byTask: byTask)
            names.insert(result.told)
            #expect(result.finished == 1)
            #expect(["approved", "cancelled"].contains(result.told), "step \(step)")
            #expect(result.charged == (result.told == "approved" ? 1_250 : 0), "step \(step)")
            if result.answers == [.tooLate] || result.answers == [.nothingRunning] {
                #expect(result.told == "approved", "step \(step)")
            }
        }
        #expect(names == ["approved", "cancelled"])
    }

    @Test func `N-015 a cancel at any step is told truly under other schedules too`() throws {
        for schedule in UInt64(0)..<12 {
            for step in stride(from: 1, to: 100, by: 3) {
                let result = try sale(cancelledAtStep: step, byTask: false, schedule: schedule)
                #expect(result.charged == (result.told == "approved" ? 1_250 : 0))
                #expect(result.finished == 1)
            }
        }
    }

    // FC-044, FC-046
    @Test func `N-015 a cancel names its order and touches no other payment`() throws {
        let shop = FinixShop()
        let answers = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            var answers = [await pointOfSale.cancel("o1").rawValue]
            answers.append(try await shop.take(1_250, "o1", with: pointOfSale).name)
            answers.append(await pointOfSale.cancel("o1").rawValue)
            let late = Shared<Cancellation?>(nil)
            let second = try await shop.take(500, "o2", with: pointOfSale) { event, pointOfSale in
                guard case .presentCard = event.kind else { return }
                Task(executorPreference: shop.world.time.executor) {
                    late.value = await pointOfSale.cancel("o1")
                }
            }
            answers += [second.name, late.value?.rawValue ?? "none"]
            return answers
        }
        #expect(
            answers == [
                "nothingRunning", "approved", "nothingRunning", "approved", "nothingRunning",
            ]
        )
        #expect(shop.charged == 1_750)
    }

    // FC-039
    @Test func `N-023 of two takes in one instant one runs and one is refused`() throws {
        let shop = FinixShop()
        let names = try shop.run { () async throws -> [String] in
            let pointOfSale = try await shop.open()
            try await pointOfSale.prepare()
            return await withTaskGroup(of: String.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        do {
                            return try await shop.take(1_250, "o1", with: pointOfSale).name
                        } catch {
                            return (error as? PaymentRefusal)?.code ?? "\(error)"
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        #expect(Set(names) == ["approved", "busy"])
        #expect(shop.charged == 1_250)
    }

    @Test func `N-041 concurrent preparations are one`() throws {
        let shop = FinixShop()
        try shop.run {
            let pointOfSale = try await shop.open()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<5 { group.addTask { try? await pointOfSale.prepare() } }
            }
        }
        let tokens = shop.world.time.trace.lines.map(\.text).filter {
            $0.hasSuffix("GET /tap_to_pay_token received")
        }
        #expect(tokens.count == 2)
    }
}
