import Foundation

/// Checks JSON against the part of JSON Schema that the published schema uses.
struct SchemaCheck {
    private let root: [String: Any]

    init(_ schema: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(schema.utf8))
        root = object as? [String: Any] ?? [:]
    }

    /// What is wrong with a value, each with its path.
    func problems(_ text: String) throws -> [String] {
        problems(try JSONSerialization.jsonObject(with: Data(text.utf8)), root, "$")
    }

    private func problems(_ value: Any, _ schema: [String: Any], _ path: String) -> [String] {
        var schema = schema
        if let name = schema["$ref"] as? String {
            let key = name.replacingOccurrences(of: "#/$defs/", with: "")
            guard let found = (root["$defs"] as? [String: Any])?[key] as? [String: Any] else {
                return ["\(path): no definition \(name)"]
            }
            schema = found
        }
        var found: [String] = []
        if let type = schema["type"] as? String, !Self.isOf(type, value) {
            return ["\(path): not of type \(type)"]
        }
        if let accepted = schema["enum"] as? [AnyHashable],
            !accepted.contains(where: { $0 == value as? AnyHashable })
        {
            found.append("\(path): \(value) is none of \(accepted)")
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            found.append("\(path): not \(constant)")
        }
        if let pattern = schema["pattern"] as? String, let text = value as? String,
            text.range(of: pattern, options: .regularExpression) == nil
        {
            found.append("\(path): \(text) does not match \(pattern)")
        }
        if let object = value as? [String: Any] { found += members(object, schema, path) }
        if let list = value as? [Any], let items = schema["items"] as? [String: Any] {
            found += list.flatMap { problems($0, items, path + "[]") }
        }
        return found
    }

    private func members(
        _ object: [String: Any],
        _ schema: [String: Any],
        _ path: String
    ) -> [String] {
        let properties = schema["properties"] as? [String: Any] ?? [:]
        var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            .map { "\(path): \($0) is missing" }
        for (name, value) in object {
            if let property = properties[name] as? [String: Any] {
                found += problems(value, property, path + "." + name)
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path): \(name) is not in the schema")
            }
        }
        return found
    }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "integer": value is Int
        default: false
        }
    }
}
