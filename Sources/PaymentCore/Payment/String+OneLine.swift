extension String {
    /// The text on one line, without power over what is shown around it.
    ///
    /// Control codes, line ends and marks that turn the direction become blanks; joiners stay, since
    /// names and emoji need them.
    package var onOneLine: String {
        func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
            ConfigurationWording.isInvisible(scalar) && !(0x200C...0x200D ~= scalar.value)
        }
        guard unicodeScalars.contains(where: isHarmful) else { return self }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars { scalars.append(isHarmful(scalar) ? " " : scalar) }
        return String(scalars)
    }
}
