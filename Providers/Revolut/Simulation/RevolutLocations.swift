import AcquirerSimulation
import PaymentTransport
import Synchronization

/// The locations of the emulated Revolut's merchant.
///
/// Revolut's rules are those of names, domains and what a physical location needs; what the members
/// of a physical location are called is this emulator's own choice.
final class RevolutLocations: Sendable {
    struct Location: Sendable, Codable {
        let id: String
        var name: String
        let type: String
        var domain: String?
        var address: String?
        var coordinates: String?
        var openingHours: String?

        var tree: JSONTree {
            var members: [String: JSONTree] = [
                "id": .text(id), "name": .text(name), "type": .text(type),
            ]
            if let domain { members["domain"] = .text(domain) }
            if let address { members["address"] = .text(address) }
            if let coordinates { members["coordinates"] = .text(coordinates) }
            if let openingHours { members["opening_hours"] = .text(openingHours) }
            return .object(members)
        }
    }

    let state = Mutex<[Location]>([])

    /// Whether there is such a location.
    func has(_ id: String) -> Bool { state.withLock { $0.contains { $0.id == id } } }

    /// Answers what lies under `/api/locations`.
    func answer(
        _ request: HTTPRequest,
        _ parts: [String],
        newID: () -> String
    ) -> Result<HTTPResponse, RevolutProblem> {
        let body = JSONTree.members(of: request.body)
        switch (request.method, parts.count) {
        case (.post, 0): return create(body ?? [:], newID())
        case (.get, 0):
            return .success(.json(200, .list(state.withLock { $0.map(\.tree) })))
        case (.get, 1): return change(parts[0]) { _, _ in nil }
        case (.patch, 1):
            return change(parts[0]) { Self.apply(body ?? [:], to: &$0, among: $1) }
        case (.delete, 1): return remove(parts[0])
        default: return .failure(.init(404, "not_found", "no such operation"))
        }
    }

    private func create(
        _ body: [String: JSONTree],
        _ id: String
    ) -> Result<HTTPResponse, RevolutProblem> {
        guard let type = body["type"]?.text, ["online", "physical"].contains(type) else {
            return .failure(.init(400, "validation", "type is online or physical"))
        }
        return state.withLock { all in
            var location = Location(id: id, name: "", type: type)
            if let problem = Self.apply(body, to: &location, among: all) {
                return .failure(problem)
            }
            all.append(location)
            return .success(.json(201, location.tree))
        }
    }

    private func change(
        _ id: String,
        _ body: (inout Location, [Location]) -> RevolutProblem?
    ) -> Result<HTTPResponse, RevolutProblem> {
        state.withLock { all in
            guard let index = all.firstIndex(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no location \(id)"))
            }
            var location = all[index]
            if let problem = body(&location, all) { return .failure(problem) }
            all[index] = location
            return .success(.json(200, location.tree))
        }
    }

    private func remove(_ id: String) -> Result<HTTPResponse, RevolutProblem> {
        state.withLock { all in
            guard let index = all.firstIndex(where: { $0.id == id }) else {
                return .failure(.init(404, "not_found", "no location \(id)"))
            }
            all.remove(at: index)
            return .success(HTTPResponse(status: 204))
        }
    }

    /// Takes over what a body says; the problem, if the location could not be as it would be then.
    private static func apply(
        _ body: [String: JSONTree],
        to location: inout Location,
        among all: [Location]
    ) -> RevolutProblem? {
        if let name = body["name"]?.text { location.name = name }
        if let domain = body["domain"]?.text { location.domain = domain }
        if let address = body["address"]?.text { location.address = address }
        if let coordinates = body["coordinates"]?.text { location.coordinates = coordinates }
        if let hours = body["opening_hours"]?.text { location.openingHours = hours }
        let others = all.filter { [id = location.id] in $0.id != id }
        guard !location.name.isEmpty else { return .init(400, "validation", "name is required") }
        guard !others.contains(where: { [location] in $0.name == location.name }) else {
            return .init(422, "bad_state", "name is another location's")
        }
        if location.type == "online" {
            guard let domain = location.domain, !domain.isEmpty else {
                return .init(400, "validation", "domain is required")
            }
            guard !others.contains(where: { $0.domain == domain }) else {
                return .init(422, "bad_state", "domain is another location's")
            }
            return nil
        }
        guard location.address != nil, location.coordinates != nil, location.openingHours != nil
        else {
            return .init(400, "validation", "address, coordinates and opening_hours are required")
        }
        return nil
    }
}
