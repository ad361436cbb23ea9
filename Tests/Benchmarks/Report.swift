import Foundation

/// Prints findings as a table, or as one JSON object.
struct Report {
    private let options: BenchOptions
    private var findings: [Finding] = []

    init(_ options: BenchOptions) { self.options = options }

    func begin() {
        guard !options.isJSON else { return }
        line("benchmark", "subject", "reference", "ratio (least … most)", "target", "met")
    }

    mutating func add(_ finding: Finding) {
        findings.append(finding)
        guard !options.isJSON else { return }
        switch finding.kind {
        case .absent: line(finding.name, "absent: " + finding.subject)
        case .told: line(finding.name, finding.subject)
        case .broken: line(finding.name, "failed: " + finding.subject)
        case .time, .count:
            let ratio = finding.ratio
            let spread =
                ratio.least == ratio.most
                ? "" : " (\(Unit.short(ratio.least)) … \(Unit.short(ratio.most)))"
            line(
                finding.name,
                finding.subject,
                finding.reference,
                Unit.short(ratio.median) + spread,
                (finding.isAtLeast ? "≥ " : "≤ ") + Unit.short(finding.target),
                finding.isMet ? "yes" : "no"
            )
        }
    }

    func end() {
        guard options.isJSON else { return }
        let rows = findings.filter { $0.kind != .absent && $0.kind != .told }.map { finding in
            """
            {"name": "\(finding.name)", "ratio": \(number(finding.ratio.median)), \
            "min": \(number(finding.ratio.least)), "max": \(number(finding.ratio.most)), \
            "target": \(number(finding.target)), "met": \(finding.isMet)}
            """
        }
        print("{\"benchmarks\": [\n  \(rows.joined(separator: ",\n  "))\n]}")
    }

    /// A quick run is a gate: counts as they are, times widely.
    var exitCode: Int32 {
        let failed = findings.filter { finding in
            switch finding.kind {
            case .absent, .told: false
            case .broken: true
            case .count: options.isQuick && !finding.isMet
            case .time: options.isQuick && !finding.isMet(within: finding.gate)
            }
        }
        for finding in failed {
            let text = "bench: \(finding.name) is outside its gate: \(finding.subject)\n"
            FileHandle.standardError.write(Data(text.utf8))
        }
        return failed.isEmpty ? 0 : 1
    }

    private func number(_ value: Double) -> String {
        value.isFinite ? String(format: "%.6g", value) : "0"
    }

    private func line(_ columns: String...) {
        let widths = [26, 14, 32, 26, 8, 3]
        let padded = zip(columns, widths).map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }
        var text = padded.joined(separator: " ")
        while text.last == " " { text.removeLast() }
        print(text)
        fflush(nil)
    }
}
