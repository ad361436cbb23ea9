public import CommandLineSupport
public import PaymentCore

/// Reads what people type after a command's name.
public enum OrderWords {
    /// An order and its part.
    public static func order(_ text: String, as name: String) throws(UsageError) -> Order {
        do throws(OrderError) {
            return try Order(text: text)
        } catch {
            throw UsageError("\(name): \(error)")
        }
    }

    /// The caller's own name for a follow-up; nil when none is given.
    public static func followUp(_ arguments: Arguments) throws(UsageError) -> FollowUpID? {
        try arguments.value("id", accepted: "1 to 128 visible characters") { text in
            let isVisible = text == text.onOneLine && text.contains { !$0.isWhitespace }
            return isVisible && text.count <= 128 ? FollowUpID(text) : nil
        }
    }

    /// A currency.
    public static func currency(_ code: String, of command: String) throws(UsageError) -> Currency {
        do throws(CurrencyCodeError) {
            return try Currency.parse(code)
        } catch {
            throw UsageError("\(command): CURRENCY: \(error)")
        }
    }

    /// An amount of more than zero.
    public static func money(
        _ amount: String,
        _ code: String,
        of command: String
    ) throws(UsageError) -> Money {
        let currency = try currency(code, of: command)
        let money: Money
        do throws(AmountTextError) {
            money = try Money.parse(amount, currency: currency)
        } catch {
            throw UsageError("\(command): AMOUNT: \(error)")
        }
        guard !money.isZero else {
            throw UsageError("\(command): AMOUNT: zero moves nothing; accepted is more than zero")
        }
        return money
    }
}
