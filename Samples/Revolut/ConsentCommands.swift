import CommandLineSupport
import ShopSupport

/// `revolut signin` and `revolut revoke`.
enum ConsentCommands {
    static let all = [signIn, revoke]

    private static let signIn = Revolut.command(
        "signin",
        "have the merchant consent, and the back end redeem the code",
        details: "A first payment does it by itself; after `revoke` only this helps.",
        work: .reading
    ) { visit in
        do throws(UsageError) {
            try await visit.desk.signIn()
            return .notes(.success, ["Signed in: device tokens can be had"], visit.subject) {
                $0.standing = visit.desk.standingCode
            }
        } catch {
            return .problem(.failed, [error.description])
        }
    }

    private static let revoke = Revolut.command(
        "revoke",
        "have the merchant withdraw the consent at Revolut",
        details: """
            Nobody tells the app: the next `pay` is refused a token twice in a row, and signs out.
            It ends with 12, since the kit was never given a token and nothing can be charged.
            """,
        work: .reading
    ) { visit in
        let count = visit.desk.revoke()
        guard count > 0 else {
            return .nothing("there is no consent to withdraw", visit.subject)
        }
        let line = "Withdrawn: \(count); the next token is refused"
        return .notes(.success, [line], visit.subject) { $0.withdrawn = count }
    }
}
