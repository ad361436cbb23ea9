// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// One module of `Sources`, with its tests beside it in `Tests`; tests read fixtures by their path.
func module(
    _ name: String,
    _ dependencies: [String] = [],
    hasFixtures: Bool = false
) -> [Target] {
    [
        .target(
            name: name,
            dependencies: dependencies.map { .init(stringLiteral: $0) },
            path: "Sources/\(name)",
            swiftSettings: settings
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.init(stringLiteral: name)],
            path: "Tests/\(name)",
            exclude: hasFixtures ? ["Fixtures"] : [],
            swiftSettings: settings
        ),
    ]
}

/// One acquirer: its adapter, its simulation and the tests of both, in a folder of its own.
func provider(_ name: String) -> [Target] {
    [
        .target(
            name: "\(name)Payments",
            dependencies: ["PaymentCore", "PaymentTransport"],
            path: "Providers/\(name)/Adapter",
            swiftSettings: settings
        ),
        .target(
            name: "\(name)Simulation",
            dependencies: [
                .init(stringLiteral: "\(name)Payments"), "AcquirerSimulation",
            ],
            path: "Providers/\(name)/Simulation",
            swiftSettings: settings
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.init(stringLiteral: "\(name)Simulation")],
            path: "Providers/\(name)/Tests",
            swiftSettings: settings
        ),
    ]
}

/// A program that shows the package at work, built on the samples' shared library.
func sample(_ name: String) -> [Target] {
    [
        .executableTarget(
            name: name,
            dependencies: ["CommandLineSupport"],
            path: "Samples/\(name.prefix(1).uppercased() + name.dropFirst())",
            swiftSettings: settings
        )
    ]
}

let samplesSupport: Target = .target(
    name: "CommandLineSupport",
    dependencies: ["PaymentReceipts", "FinixSimulation"],
    path: "Samples/CommandLine",
    swiftSettings: settings
)

let package = Package(
    name: "swift-in-person-payments",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "PaymentCore", targets: ["PaymentCore"]),
        .library(name: "PaymentTransport", targets: ["PaymentTransport"]),
    ],
    targets: module("PaymentCore", hasFixtures: true)
        + module("PaymentTransport", ["PaymentCore"])
        + module("PaymentReceipts", ["PaymentCore"])
        + module("Simulation", ["PaymentCore"])
        + module("ReaderSimulation", ["Simulation"])
        + module("AcquirerSimulation", ["ReaderSimulation", "PaymentTransport"])
        + provider("Finix")
        + [samplesSupport]
        + sample("checkout"),
    swiftLanguageModes: [.v6]
)
