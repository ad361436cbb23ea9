import CommandLineSupport
import PaymentCore
import ShopSupport

/// What a command has at hand once the shop is open.
struct RevolutVisit: Sendable {
    let pointOfSale: PointOfSale
    let desk: RevolutDesk
    let subject: PaymentSubject
    let order: Order?
}
