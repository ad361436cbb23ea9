/// The three files that a program is started with.
enum StandardStreams {
    /// Takes the place of each that is closed, before a file that is opened later has it and is
    /// written over by what the program tells.
    static func hold() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The wrong way round, so that reading and writing fail as they did before. The lowest
            // number that is free is the one that is given.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
