public import PaymentCore

/// Writes moments for people and programs.
public enum Timestamp {
    /// The moment in UTC with milliseconds.
    public static func text(_ date: Date) -> String {
        JournalDate.format(date) ?? "\(date)"
    }
}
