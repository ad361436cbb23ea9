import CommandLineSupport
import Foundation

/// `contract new`.
enum NewCommand {
    static let command = Command(
        CommandSyntax(
            "new",
            "start a new adapter, in a package of its own",
            arguments: ["NAME"],
            options: [
                OptionSyntax("at", "DIR", help: "the package's folder, new or empty"),
                OptionSyntax(
                    "package",
                    "PATH|URL",
                    help: "where this package is (default: the checkout around here)"
                ),
                Contract.help,
            ],
            details: """
                NAME begins with a capital letter, such as Acme. The new package's tests run the
                contract and fail until its adapter is written; the article "Writing a provider"
                of ProviderContractKit walks from there to green.
                """
        )
    ) { arguments throws(UsageError) in
        let name = try checked(arguments.words[0])
        guard let folder = arguments["at"] else { throw UsageError("new: missing --at DIR") }
        let url = URL(fileURLWithPath: folder, isDirectory: true).standardizedFileURL
        let files = FileManager.default
        let present = (try? files.contentsOfDirectory(atPath: url.path)) ?? []
        guard present.isEmpty else { throw UsageError("new: \(url.path) is not empty") }
        let package = try Package(arguments["package"])
        do {
            for file in Skeleton.files {
                let path = url.appendingPathComponent(Skeleton.fill(file.path, name, package))
                try files.createDirectory(
                    at: path.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                let text = Skeleton.fill(file.text, name, package)
                try Data(text.utf8).write(to: path, options: .withoutOverwriting)
            }
        } catch {
            return .problem(.cannotRecord, ["new: \(url.path) cannot be written"])
        }
        return Report(
            .success,
            lines: [
                "started \(name) in \(url.path)",
                "next: cd \(url.path) && swift test",
                "its README says which rule to begin with",
            ]
        )
    }

    private static func checked(_ name: String) throws(UsageError) -> String {
        let isName =
            name.firstMatch(of: /^[A-Z][A-Za-z0-9]{1,39}$/) != nil
            && !taken.contains { name.lowercased() == $0.lowercased() }
        guard isName else {
            throw UsageError(
                """
                new: found "\(name.prefix(40))"; accepted is a name of 2 to 40 letters and digits \
                that begins with a capital letter and is no module of this package
                """
            )
        }
        return name
    }

    private static let taken = [
        "PaymentCore", "PaymentTransport", "PaymentURLSession", "PaymentReceipts", "Simulation",
        "ReaderSimulation", "AcquirerSimulation", "ProviderContractKit", "Foundation", "Swift",
        "Testing", "XCTest",
    ]

    /// How the new package names this one.
    struct Package {
        let dependency: String
        let identity: String

        init(_ text: String?) throws(UsageError) {
            if let text, text.contains("://") {
                dependency = #".package(url: "\#(text)", branch: "main")"#
                let last = text.split(separator: "/").last.map(String.init) ?? text
                identity = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
                return
            }
            guard let folder = text.map({ URL(fileURLWithPath: $0) }) ?? Self.checkout,
                FileManager.default.fileExists(atPath: folder.path + "/Package.swift")
            else {
                throw UsageError("new: there is no package here; name it with --package PATH|URL")
            }
            let path = folder.standardizedFileURL.path
            dependency = #".package(path: "\#(path)")"#
            identity = folder.standardizedFileURL.lastPathComponent
        }

        /// The checkout that the current folder or this program lies in.
        private static var checkout: URL? {
            let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            let program = Bundle.main.executableURL?.resolvingSymlinksInPath()
            return [here, program].compactMap(\.self).lazy.compactMap(root).first
        }

        private static func root(around place: URL) -> URL? {
            var folder = place
            while folder.path != "/" {
                let kit = folder.appendingPathComponent("Sources/ProviderContractKit").path
                if FileManager.default.fileExists(atPath: kit) { return folder }
                folder = folder.deletingLastPathComponent()
            }
            return nil
        }
    }
}
