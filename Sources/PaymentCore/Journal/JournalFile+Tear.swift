extension JournalFile {
    /// Where the content of a file ends whose last byte that is not NUL is known.
    ///
    /// What is written into the last page of a journal that is open reaches the medium by the sector.
    /// A crash may leave the later sectors of a write that nobody was told about, and NUL bytes in the
    /// place of earlier ones, which no record holds: there the content ends.
    ///
    /// - Parameters:
    ///   - last: The offset after the last byte that is not NUL.
    ///   - size: How long the file is.
    /// - Returns: The offset of the first sector of the last page that was not written, or `last`.
    /// - Throws: ``JournalError`` when the file cannot be read.
    func endOfContent(before last: Int64, size: Int64) throws(JournalError) -> Int64 {
        // A journal that was closed ends with its content.
        guard last > 0, disk.page > 1, size % disk.page == 0 else { return last }
        let start = (last - 1) / disk.page * disk.page
        let bytes = try read(at: start, count: Int(last - start))
        guard let gap = bytes.firstIndex(of: 0),
            let gapEnd = bytes[gap...].firstIndex(where: { $0 != 0 }),
            gapEnd % Self.sector == 0,
            gap % Self.sector == 0 || bytes[gap - 1] == JournalFormat.newline
        else { return last }
        return start + Int64(gap)
    }

    private static let sector = 512
}
