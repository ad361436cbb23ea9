import Foundation
import PaymentCore
import Testing

@Suite final class ConfigurationFileTests {
    private let folder = FileManager.default.temporaryDirectory
        .appending(path: "configuration-\(UUID().uuidString)").path()

    init() throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @Test func `N-034 finds a secret file beside the configuration`() throws {
        try write(#"{"password": {"file": "finix.password"}}"#, to: "till.json")
        try write("hunter2\r\n", to: "finix.password")
        let secret = try ConfigurationSection.read(fileAt: "\(folder)/till.json") { root in
            root.secret("password")
        }
        #expect(secret.reveal() == "hunter2")
    }

    @Test func `N-034 reads the process's environment`() throws {
        let sources = SecretSources.process(folder: folder)
        #expect(sources.environment("PATH") == ProcessInfo.processInfo.environment["PATH"])
        #expect(sources.environment("NO_SUCH_VARIABLE_HERE") == nil)
    }

    @Test func `N-034 reads no more than a regular file of a sensible size`() throws {
        let sources = SecretSources.process(folder: folder)
        try write(String(repeating: "x", count: 65_536), to: "full")
        try write(String(repeating: "x", count: 65_537), to: "large")
        #expect(try sources.file("full").count == 65_536)
        #expect(try sources.file("\(folder)/full").count == 65_536)
        #expect(throws: BoundedFile.Failure.tooLarge(limit: 65_536)) { try sources.file("large") }
        #expect(throws: BoundedFile.Failure.notAFile) { try sources.file(".") }
        #expect(throws: BoundedFile.Failure.missing) { try sources.file("absent") }
        #expect(throws: BoundedFile.Failure.notAFile) { try sources.file("/dev/zero") }
    }

    @Test func `N-033 reports a configuration that cannot be read as one problem`() throws {
        try write(String(repeating: " ", count: 10_000_000), to: "large.json")
        let expected = [
            ("absent.json", "the file does not exist"),
            ("", "the file is no regular file"),
            ("large.json", "the file is too large; accepted are at most 1048576 bytes"),
        ]
        for (name, what) in expected {
            let path = "\(folder)/\(name)"
            let error = #expect(throws: ConfigurationProblems.self) {
                try ConfigurationSection.read(fileAt: path) { _ -> Bool? in true }
            }
            #expect(error?.description == "\(path):1:1: \(what)")
        }
    }

    @Test(arguments: [
        ("till.json", "."), ("a/till.json", "a"), ("/till.json", "/"), ("/a/b/till.json", "/a/b"),
        ("", "."),
    ])
    func `N-034 knows the folder of a file`(path: String, folder: String) {
        #expect(BoundedFile.folder(of: path) == folder)
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    @Test func `a file is written in one step, and a device or a link is not replaced`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, link) = (folder.path + "/file", folder.path + "/link")
        for text in ["one", "two"] {
            try BoundedFile.write(Data(text.utf8), to: file)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        try BoundedFile.write(Data("three".utf8), to: link)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "three")
        #expect(throws: (any Error).self) {
            try BoundedFile.write(Data(), to: folder.path + "/nowhere/file")
        }
    }
}
