public import PaymentCore
public import PaymentTransport

/// Devices at Finix itself; holds the API key, so it belongs on a back end.
public struct FinixDevices: FinixDeviceSource {
    let api: FinixAPI
    private let world: Account.Environment

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - world: Which of Finix's worlds the key belongs to; requests for another are refused.
    ///   - origin: Scheme and host of Finix's API in it.
    ///   - username: The API key's identifier; a partner's key serves several merchants.
    ///   - password: The API key's secret.
    ///   - transport: What carries the requests.
    ///   - environment: Where time and randomness come from.
    public init(
        world: Account.Environment,
        origin: String,
        username: Secret,
        password: Secret,
        transport: any HTTPTransport,
        environment: PaymentEnvironment
    ) {
        self.world = world
        api = FinixAPI(
            origin: origin,
            credentials: .init(username: username, password: password),
            transport: transport,
            environment: environment
        )
    }

    /// Lists, then takes, activates, or creates and activates.
    public func provision(_ request: FinixDeviceRequest) async throws(PaymentError) -> String {
        try check(request)
        do throws(WireError) {
            let kept = try await matches(request)
            if let enabled = kept.first(where: \.isEnabled) { return enabled.id }
            if let disabled = kept.first, let id = try await revive(disabled.id) { return id }
            let created = try await create(request)
            return created.isEnabled ? created.id : try await activate(created.id)
        } catch {
            throw error.error
        }
    }

    /// Fetches the Device and compares whose it is.
    public func isEnabled(
        _ device: String,
        for request: FinixDeviceRequest
    ) async throws(PaymentError) -> Bool {
        try check(request)
        guard FinixWire.isIdentifier(device) else { return false }
        do throws(WireError) {
            let found = try await fetch(device)
            return found.isEnabled && found.merchant == request.merchant
                && (found.serial_number == nil || found.serial_number == request.reader)
        } catch {
            guard error.status == 404 else { throw error.error }
            return false
        }
    }

    private func check(_ request: FinixDeviceRequest) throws(PaymentError) {
        guard request.environment != world else { return }
        throw PaymentError(
            .requestRejected,
            detail: "environment: found \"\(request.environment.rawValue)\"; "
                + "accepted is \"\(world.rawValue)\", where this API key belongs"
        )
    }

    // MARK: Finding

    /// The merchant's Devices for this reader and app, newest first.
    ///
    /// The server's filter is never relied on: each is compared here.
    private func matches(
        _ request: FinixDeviceRequest
    ) async throws(WireError) -> [FinixWire.Device] {
        let filter = [
            (name: "merchant_id", value: request.merchant),
            (name: "serial_number", value: request.reader),
        ]
        return try await list(filter).rows.filter { $0.serves(request) }
    }

    /// The Devices of a list, newest first, and what kept some of them from being read.
    func list(
        _ filter: [(name: String, value: String)]
    ) async throws(WireError) -> (rows: [FinixWire.Device], problem: String?) {
        var query = filter + [(name: "limit", value: "100")]
        var rows: [FinixWire.Device] = []
        var problem: String?
        var seen: Set<String> = []
        for _ in 0..<FinixBackOffice.mostPages {
            let page = try await api.get(
                "/devices",
                query: query,
                as: FinixWire.Page<FinixWire.Device>.self
            ).body
            rows += page.rows
            if page.unreadable > 0 { problem = "a Device in the list is unreadable" }
            guard let cursor = page.nextCursor else { return (Self.sorted(rows), problem) }
            guard seen.insert(cursor).inserted else {
                throw Self.endless("the list repeats a cursor")
            }
            query.removeAll { $0.name == "after_cursor" }
            query.append((name: "after_cursor", value: cursor))
        }
        throw Self.endless("the list does not end")
    }

    private static func endless(_ problem: String) -> WireError {
        WireError(PaymentError(.malformedAnswer, detail: problem), mayHaveActed: false)
    }

    private static func sorted(_ rows: [FinixWire.Device]) -> [FinixWire.Device] {
        rows.sorted { $0.createdAt > $1.createdAt }
    }

    private func fetch(_ id: String) async throws(WireError) -> FinixWire.Device {
        try await api.get("/devices/\(id)", as: FinixWire.Device.self).body
    }

    // MARK: Changing

    /// Activates a Device that was there before; nil when Finix refuses, so that another is made.
    private func revive(_ id: String) async throws(WireError) -> String? {
        do throws(WireError) {
            return try await activate(id)
        } catch {
            guard error.isRefusal else { throw error }
            return nil
        }
    }

    private func activate(_ id: String) async throws(WireError) -> String {
        do throws(WireError) {
            let device = try await api.send(
                .put,
                "/devices/\(id)",
                FinixWire.Activation(),
                as: FinixWire.Device.self
            ).body
            guard device.id == id, device.isEnabled else {
                throw WireError(
                    PaymentError(.deviceDisabled, detail: "activated, but not enabled"),
                    mayHaveActed: true
                )
            }
        } catch {
            guard error.mayHaveActed, let device = try? await fetch(id), device.isEnabled else {
                throw error
            }
        }
        return id
    }

    /// Creates a Device; one whose answer was lost is looked for before anything else.
    private func create(
        _ request: FinixDeviceRequest
    ) async throws(WireError) -> FinixWire.Device {
        do throws(WireError) {
            let device = try await api.send(
                .post,
                "/merchants/\(request.merchant)/devices",
                FinixWire.NewDevice(request),
                as: FinixWire.Device.self
            ).body
            guard device.serves(request) else {
                throw WireError(
                    PaymentError(.malformedAnswer, detail: "created a Device of somebody else"),
                    mayHaveActed: true
                )
            }
            return device
        } catch {
            guard error.mayHaveActed, let made = try await matches(request).first else {
                throw error
            }
            return made
        }
    }
}

extension WireError {
    /// Whether the acquirer understood and said no, other than to the key or for the moment.
    fileprivate var isRefusal: Bool {
        guard let status, 400..<500 ~= status else { return false }
        return ![401, 403, 408, 429].contains(status)
    }
}
