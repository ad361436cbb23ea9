/// Why a message cannot be read; names no part of its content.
public struct HTTPReadProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status with which a server answers such a request.
    public let status: Int
    /// What is wrong, and what is accepted.
    public let description: String

    /// Creates a problem.
    public init(_ status: Int, _ description: String) {
        self.status = status
        self.description = description
    }
}
