import PaymentCore
import Synchronization

/// One flow of the simulated kit: where it is, and what it tells.
final class RevolutKitFlow: Sendable {
    let script: RevolutKitScript
    let onDidCharge: RevolutTapToPayKit.OnDidCharge
    let completion: @Sendable () -> Void
    private let machine: Mutex<RevolutKitMachine>

    init(
        _ kind: RevolutKitMachine.Kind,
        script: RevolutKitScript,
        onDidCharge: @escaping RevolutTapToPayKit.OnDidCharge = { _, _ in },
        completion: @escaping @Sendable () -> Void = {}
    ) {
        machine = Mutex(RevolutKitMachine(kind))
        self.script = script
        self.onDidCharge = onDidCharge
        self.completion = completion
    }

    func enter(_ state: RevolutKitMachine.State) { machine.withLock { $0.enter(state) } }

    /// Where the flow is, and how it came there.
    var value: RevolutKitMachine { machine.withLock { $0 } }

    /// How one payment of a flow ends.
    enum End: Sendable {
        case paid(receipt: URL?)
        case failed
        case cancelled
        case signedOut
    }

    /// One payment of a flow.
    struct Payment: Sendable {
        let amount: Int64
        let currency: String
        var description: String?
        var byCode = false
    }
}
