import AcquirerSimulation
import PaymentTransport
import Simulation

extension RevolutKitRun {
    /// Takes payments until the merchant closes the kit.
    func series(_ currency: String) async {
        screen.show(.sheet)
        flow.enter(.authorising)
        guard await pairs() else {
            tell(service.isSignedOut ? .signedOut : .failed)
            return
        }
        while true {
            flow.enter(.amountEntry)
            screen.show(.sheet)
            guard let typed = phone.stage.hands.nextPayment() else { break }
            flow.enter(.methodChoice)
            let end = await charge(
                .init(
                    amount: Int64(clamping: typed.amount),
                    currency: currency,
                    byCode: typed.byCode
                )
            )
            phone.world.time.trace.add("kit", "\(end)")
            if case .signedOut = end { return tell(end) }
            report(end)
            // The merchant reads how it ended, and closes that.
            try? await phone.world.time.clock.sleep(for: .seconds(1))
        }
        dismiss()
        flow.completion()
    }

    /// Tells how a payment ended, unless the script ends it without a word.
    func report(_ end: RevolutKitFlow.End) {
        switch end {
        case .paid(let receipt):
            flow.enter(.reported)
            screen.show(.result("paid"))
            flow.onDidCharge(receipt.map { .init(url: $0) }, .success(()))
        case .cancelled where flow.script.cancelShape == .completionAlone: break
        case .failed, .cancelled, .signedOut:
            flow.enter(.reported)
            screen.show(.result("not paid"))
            flow.onDidCharge(nil, .failure(.internalError))
        }
    }

    /// Sets the reader up, introduces the merchant to it once, and offers a payment to try.
    func setUp(
        _ currency: String,
        introduces: Bool
    ) async -> (RevolutTapToPayKit.Receipt?, Result<Void, RevolutTapToPayKit.Error>) {
        screen.show(.sheet)
        flow.enter(.authorising)
        defer { dismiss() }
        guard await pairs() else {
            if service.isSignedOut { service.tellLogout() }
            return (nil, .failure(.internalError))
        }
        guard await ready() == .ready else { return (nil, .failure(.internalError)) }
        if introduces, phone.stage.installation.introduce() {
            flow.enter(.introduction)
            screen.show(.introduction)
            try? await phone.world.time.clock.sleep(for: .seconds(3))
        }
        flow.enter(.offer)
        screen.show(.offer)
        guard phone.stage.hands.takesTestPayment else { return (nil, .success(())) }
        let end = await charge(.init(amount: 1, currency: currency))
        phone.world.time.trace.add("kit", "\(end)")
        if case .signedOut = end { service.tellLogout() }
        guard case .paid(let receipt) = end else { return (nil, .failure(.internalError)) }
        flow.enter(.reported)
        return (receipt.map { .init(url: $0) }, .success(()))
    }

    /// Makes the kit's first call, which needs a token.
    private func pairs() async -> Bool { (try? await service.send(.get, "/orders")) != nil }
}
