/// What a loopback server puts up with.
public struct LoopbackLimits: Hashable, Sendable {
    /// The largest head of a request, in bytes.
    public var headBytes = 16_384
    /// The most fields of a request.
    public var fields = 100
    /// The largest body of a request, in bytes.
    public var bodyBytes = 1 << 20
    /// The most connections at the same time; more wait to be accepted.
    public var connections = 512
    /// How long a client may take for the head of a request, from its first byte.
    public var headTime = Duration.seconds(10)
    /// How long a client may take for the body of a request.
    public var bodyTime = Duration.seconds(30)
    /// How long a connection may stay open without a request.
    public var idleTime = Duration.seconds(60)
    /// How long a client may take to receive an answer.
    public var writeTime = Duration.seconds(30)
    /// How long a stopping server waits for answers on their way.
    public var stopTime = Duration.seconds(5)

    /// Creates the limits that suit an emulator.
    public init() {}
}
