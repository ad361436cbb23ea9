extension PaymentEngine {
    /// Keeps the reader ready and asks about open payments, until the task is cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.keepPrepared() }
            group.addTask { await self.keepResolving() }
        }
    }

    /// The app is on the screen again; whatever session the reader had is gone.
    func foreground() async {
        occasions += 1
        feed.update { $0.isForeground = true }
        await tellReadiness()
    }

    /// The app leaves the screen; the system may take the reader's session meanwhile.
    func background() {
        doubtful = Set(acquirers.map(\.account))
        feed.update {
            $0.isForeground = false
            $0.readiness?.isPrepared = false
        }
    }

    // MARK: The reader

    /// Prepares at the beginning, after each payment, and on each return to the foreground.
    private func keepPrepared() async {
        var handled = -1
        var version = 0
        while let (next, state) = await feed.state(after: version) {
            version = next
            guard state.isForeground, state.running == nil, occasions > handled else { continue }
            handled = occasions
            await prepareAgainAndAgain(until: {
                let now = self.feed.now
                return self.occasions > handled || !now.isForeground || now.running != nil
            })
        }
    }

    /// Prepares, and again after growing pauses, as long as that may help.
    private func prepareAgainAndAgain(until isOver: () -> Bool) async {
        var pause = Duration.seconds(5)
        while !Task.isCancelled, !isOver() {
            do throws(PaymentError) {
                return try await prepare()
            } catch {
                // What a person has to do first is not helped by trying.
                let helped: Set<PaymentError.Recovery> = [
                    .tryAgain, .tryLater, .prepareAgain, .checkConnection,
                ]
                guard helped.contains(error.recovery) else { return }
            }
            guard (try? await environment.clock.sleep(for: pause)) != nil else { return }
            pause = min(pause * 2, .seconds(300))
        }
    }

    // MARK: The books

    /// Asks about each open payment after growing pauses, as long as it is open.
    private func keepResolving() async {
        let elapsed = environment.clock.stopwatch()
        var schedule = ResolvingSchedule()
        while !Task.isCancelled {
            guard (try? await environment.clock.sleep(for: ResolvingSchedule.beat)) != nil else {
                return
            }
            await releaseClaims()
            let open = await unresolved().map(\.attempt)
            guard feed.now.isForeground else {
                // On return everything is asked about anew.
                schedule = ResolvingSchedule()
                continue
            }
            guard feed.now.running == nil else { continue }
            for attempt in schedule.due(open, at: elapsed()) where !Task.isCancelled {
                _ = await resolve(attempt)
            }
        }
    }
}
