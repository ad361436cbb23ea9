/// How wide the lines of a receipt in text are.
public struct TextWidth: Hashable, Sendable {
    /// The columns of a line; nil where lines are as long as they need to be.
    public let columns: Int?

    private init(checked columns: Int?) { self.columns = columns }

    /// Creates a width.
    ///
    /// - Parameter columns: From 26, which the notice of a simulated receipt takes, to 400.
    /// - Throws: ``TextWidthError``, which says what is accepted.
    public init(columns: Int) throws(TextWidthError) {
        guard Self.accepted.contains(columns) else { throw TextWidthError(columns: columns) }
        self.columns = columns
    }

    /// The widths that are accepted.
    public static let accepted = 26...400
    /// A narrow receipt printer: 32 columns.
    public static let narrow = Self(checked: 32)
    /// A common receipt printer: 42 columns.
    public static let standard = Self(checked: 42)
    /// A wide receipt printer: 48 columns.
    public static let wide = Self(checked: 48)
    /// One line for each row, as long as it needs to be.
    public static let free = Self(checked: nil)
}

/// A width that no receipt can have.
public struct TextWidthError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The columns that were asked for.
    public let columns: Int

    /// What was wrong and what is accepted.
    public var description: String {
        "\(columns) columns; accepted is \(TextWidth.accepted.lowerBound) to \(TextWidth.accepted.upperBound)"
    }
}
