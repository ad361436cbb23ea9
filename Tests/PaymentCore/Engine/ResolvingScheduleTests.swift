import Testing

@testable import PaymentCore

@Suite struct ResolvingScheduleTests {
    private let one = AttemptID("one")
    private let two = AttemptID("two")

    /// The seconds at which something is asked about, looking at every beat.
    private func seconds(
        _ schedule: inout ResolvingSchedule,
        _ attempt: AttemptID,
        open: [AttemptID],
        over span: ClosedRange<Int>
    ) -> [Int] {
        stride(from: span.lowerBound, through: span.upperBound, by: 30).filter { second in
            schedule.due(open, at: .seconds(second)).contains(attempt)
        }
    }

    @Test func `N-017 an open payment is asked about often at first, and hourly at last`() {
        var schedule = ResolvingSchedule()
        let asked = seconds(&schedule, one, open: [one], over: 30...15_000)
        #expect(asked == [30, 90, 210, 450, 930, 1_890, 3_810, 7_410, 11_010, 14_610])
    }

    @Test func `N-017 one that was open before delays no other`() {
        var schedule = ResolvingSchedule()
        _ = seconds(&schedule, one, open: [one], over: 30...4_000)
        #expect(
            seconds(&schedule, two, open: [one, two], over: 4_020...4_300) == [4_020, 4_080, 4_200]
        )
    }

    @Test func `N-017 what was not open for a while begins anew`() {
        var schedule = ResolvingSchedule()
        _ = seconds(&schedule, one, open: [one], over: 30...4_000)
        #expect(schedule.due([], at: .seconds(4_020)) == [])
        #expect(schedule.due([one], at: .seconds(4_050)) == [one])
    }
}
