/// Where journals are kept by default.
enum JournalPlace {
    /// The place of a program's journal.
    static func path(program: String) -> String {
        let name = program.replacing("/", with: "-").replacing("\0", with: "-")
        let isUsable = !["", ".", ".."].contains(name)
        return "\(JournalSystem.stateFolder)/\(isUsable ? name : "payments")/payments.journal"
    }

    /// Creates the folder of a journal if it is one of the default places, and no other.
    static func prepare(_ path: String) throws(JournalError) {
        let folder = BoundedFile.folder(of: path)
        guard BoundedFile.folder(of: folder) == JournalSystem.stateFolder else { return }
        var created = ""
        for component in folder.split(separator: "/") {
            created += "/\(component)"
            do {
                try JournalSystem.createFolder(created)
            } catch {
                // Folders on the way may exist where nothing may be created.
                if (try? JournalSystem.isFolder(created)) == true { continue }
                throw JournalError("\(path): the folder \(created) cannot be created: \(error)")
            }
        }
    }
}
