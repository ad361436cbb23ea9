extension JSONText {
    /// Walks once over valid UTF-8; recursion ends at ``JSONText/deepest``.
    struct Parser {
        let bytes: [UInt8]
        var index: Int
        var repeated: [Fault] = []
        private var path = ConfigurationPath()
        private var lastOffset: Int
        private var lastPlace = Place.start

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            lastOffset = index
        }

        var next: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func document() throws(Fault) -> Value {
            skipBlanks()
            guard next != nil else {
                throw Fault(
                    place: .start,
                    path: "",
                    text: "found an empty file; accepted is one JSON object"
                )
            }
            let value = try value(depth: 1)
            skipBlanks()
            guard next == nil else {
                throw unexpected("accepted is nothing after the end of the first value")
            }
            return value
        }

        private mutating func value(depth: Int) throws(Fault) -> Value {
            skipBlanks()
            let start = index
            switch next ?? 0 {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth <= deepest else {
                    throw fault("found more than \(deepest) levels; accepted are \(deepest)")
                }
                let place = place(at: start)
                return next == UInt8(ascii: "{")
                    ? Value(.object(try members(from: place, depth: depth)), at: place)
                    : Value(.array(try elements(from: place, depth: depth)), at: place)
            case UInt8(ascii: "\""):
                let place = place(at: start)
                return Value(.string(try string()), at: place)
            case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                return Value(.number(try number()), at: place(at: start))
            default:
                return Value(try word(), at: place(at: start))
            }
        }

        private mutating func members(from open: Place, depth: Int) throws(Fault) -> [Member] {
            var members: [Member] = []
            var places: [String: Place] = [:]
            var isMore = try opened(closing: "}")
            while isMore {
                guard next == UInt8(ascii: "\"") else {
                    throw unexpected("accepted is a key in double quotes", isKey: true)
                }
                let place = place(at: index)
                let key = try string()
                path.append(key: key)
                if let first = places[key] {
                    repeated.append(
                        Fault(
                            place: place,
                            path: path.description,
                            text: "repeated key; the first is at line \(first.line), "
                                + "column \(first.column); accepted is each key once"
                        )
                    )
                } else {
                    places[key] = place
                }
                skipBlanks()
                guard next == UInt8(ascii: ":") else {
                    throw unexpected("accepted is \":\" after a key")
                }
                index += 1
                let value = try value(depth: depth + 1)
                path.removeLast()
                members.append(Member(key: key, place: place, value: value))
                isMore = try continues(closing: "}", from: open)
            }
            return members
        }

        private mutating func elements(from open: Place, depth: Int) throws(Fault) -> [Value] {
            var elements: [Value] = []
            var isMore = try opened(closing: "]")
            while isMore {
                path.append(index: elements.count)
                elements.append(try value(depth: depth + 1))
                path.removeLast()
                isMore = try continues(closing: "]", from: open)
            }
            return elements
        }

        /// Steps over the opening bracket; false when the closing one follows at once.
        private mutating func opened(closing: Unicode.Scalar) throws(Fault) -> Bool {
            index += 1
            skipBlanks()
            guard next == UInt8(ascii: closing) else { return true }
            index += 1
            return false
        }

        /// Steps over a comma, or over the closing bracket and answers false.
        private mutating func continues(
            closing: Unicode.Scalar,
            from open: Place
        ) throws(Fault) -> Bool {
            skipBlanks()
            let comma = index
            switch next {
            case UInt8(ascii: closing):
                index += 1
                return false
            case UInt8(ascii: ","):
                index += 1
                skipBlanks()
                guard next == UInt8(ascii: closing) else { return true }
                index = comma
                throw fault(
                    "found a comma before \"\(closing)\"; accepted is no comma after the last entry"
                )
            default:
                throw unexpected(
                    "accepted are \",\" and \"\(closing)\" for what opens at line \(open.line), "
                        + "column \(open.column)"
                )
            }
        }

        private mutating func skipBlanks() {
            while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
                index += 1
            }
        }

        /// A fault at the place that is being read.
        mutating func fault(_ text: String) -> Fault {
            Fault(place: place(at: index), path: path.description, text: text)
        }

        /// The place of a byte; asked for in rising order, so that reading stays linear.
        mutating func place(at offset: Int) -> Place {
            var position = lastOffset
            var lineStart = lastOffset
            while position < offset {
                let byte = bytes[position]
                position += 1
                guard byte == 0x0A || byte == 0x0D else { continue }
                if byte == 0x0D, position < offset, bytes[position] == 0x0A { position += 1 }
                lastPlace = Place(line: lastPlace.line + 1, column: 1)
                lineStart = position
            }
            if lineStart < offset {
                let passed = String(decoding: bytes[lineStart..<offset], as: UTF8.self)
                lastPlace.column += passed.count
            }
            lastOffset = max(offset, lastOffset)
            return lastPlace
        }
    }
}
