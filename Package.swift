// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

func dependencies(_ names: [String]) -> [Target.Dependency] { names.map { .byName(name: $0) } }

/// One module of `Sources`, with its tests beside it in `Tests`; tests read fixtures by their path.
///
/// Files of a folder that a module embeds are inside every program that is built with it.
func module(
    _ name: String,
    _ modules: [String] = [],
    tests: [String] = [],
    hasFixtures: Bool = false,
    embeds folder: String? = nil
) -> [Target] {
    [
        .target(
            name: name,
            dependencies: dependencies(modules),
            path: "Sources/\(name)",
            resources: folder.map { [.embedInCode($0)] },
            swiftSettings: settings
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: dependencies([name] + modules + tests),
            path: "Tests/\(name)",
            exclude: hasFixtures ? ["Fixtures"] : [],
            swiftSettings: settings
        ),
    ]
}

/// One acquirer: its adapter, its simulation and the tests of both, in a folder of its own.
func provider(_ name: String, hasFixtures: Bool = false) -> [Target] {
    let simulation = ["AcquirerSimulation", "PaymentTransport", "ReaderSimulation", "Simulation"]
    return [
        .target(
            name: "\(name)Payments",
            dependencies: dependencies(["PaymentCore", "PaymentTransport"]),
            path: "Providers/\(name)/Adapter",
            swiftSettings: settings
        ),
        .target(
            name: "\(name)Simulation",
            dependencies: dependencies(["\(name)Payments"] + simulation),
            path: "Providers/\(name)/Simulation",
            swiftSettings: settings
        ),
        // The harness lies with the tests, and is a module of its own so that the sample can run it.
        .target(
            name: "\(name)Contract",
            dependencies: dependencies(
                ["\(name)Payments", "\(name)Simulation", "ProviderContractKit"] + simulation
            ),
            path: "Providers/\(name)/Tests/Contract",
            swiftSettings: settings
        ),
        .testTarget(
            name: "\(name)Tests",
            dependencies: dependencies(
                ["\(name)Payments", "\(name)Simulation", "\(name)Contract", "ProviderContractKit"]
                    + simulation
            ),
            path: "Providers/\(name)/Tests",
            exclude: ["Contract"] + (hasFixtures ? ["Fixtures"] : []),
            swiftSettings: settings
        ),
    ]
}

/// A program that shows the package at work.
func sample(_ name: String, _ modules: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies(["CommandLineSupport", "PaymentCore"] + modules),
        path: "Samples/\(name.prefix(1).uppercased() + name.dropFirst())",
        swiftSettings: settings
    )
}

/// What programs that take payments and print receipts share beside their command line.
let shop = ["ShopSupport", "PaymentReceipts"]

let samples: [Target] = [
    .target(
        name: "CommandLineSupport",
        dependencies: ["PaymentCore"],
        path: "Samples/CommandLine",
        swiftSettings: settings
    ),
    .target(
        name: "ShopSupport",
        dependencies: dependencies([
            "CommandLineSupport", "PaymentReceipts", "FinixSimulation", "RevolutSimulation",
            "AcquirerSimulation", "PaymentTransport", "ReaderSimulation", "Simulation",
        ]),
        path: "Samples/Shop",
        swiftSettings: settings
    ),
    sample("checkout", shop + ["Simulation"]),
    sample("backend", shop + ["AcquirerSimulation", "PaymentTransport"]),
    sample("contract", ["FinixContract", "RevolutContract", "ProviderContractKit"]),
    sample("finix", shop + ["FinixPayments", "FinixSimulation"]),
    sample("revolut", shop + ["PaymentTransport", "RevolutPayments"]),
    sample("reader", ["AcquirerSimulation", "ReaderSimulation", "Simulation"]),
    sample(
        "prove",
        shop + [
            "AcquirerSimulation", "FinixPayments", "FinixSimulation", "PaymentTransport",
            "ReaderSimulation", "RevolutPayments", "RevolutSimulation", "Simulation", "emulator",
        ]
    ),
    sample(
        "emulator",
        [
            "AcquirerSimulation", "FinixSimulation", "PaymentTransport", "ReaderSimulation",
            "RevolutSimulation", "Simulation",
        ]
    ),
    .testTarget(
        name: "SamplesTests",
        dependencies: dependencies([
            "AcquirerSimulation", "FinixPayments", "FinixSimulation", "PaymentCore",
            "PaymentTransport", "PaymentURLSession", "ReaderSimulation",
            "RevolutPayments", "RevolutSimulation", "Simulation", "backend", "checkout", "reader",
            "emulator", "prove", "contract", "finix", "revolut",
        ]),
        path: "Tests/Samples",
        swiftSettings: settings
    ),
]

/// Measures what the parts cost; run by hand in release, and in short by the gate.
let bench = Target.executableTarget(
    name: "bench",
    dependencies: dependencies([
        "AcquirerSimulation", "FinixPayments", "FinixSimulation", "PaymentCore", "PaymentTransport",
        "PaymentURLSession", "ReaderSimulation", "Simulation",
    ]),
    path: "Tests/Benchmarks",
    exclude: ["callgrind", "instructions", "start-and-size"],
    swiftSettings: settings
)

func library(_ name: String, _ target: String? = nil) -> Product {
    .library(name: name, targets: [target ?? name])
}

let package = Package(
    name: "swift-in-person-payments",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        library("PaymentCore"), library("PaymentTransport"), library("PaymentURLSession"),
        library("PaymentReceipts"), library("AcquirerSimulation"), library("ReaderSimulation"),
        library("ProviderContractKit"),
        library("Simulation"), library("FinixPayments"), library("FinixSimulation"),
        library("RevolutPayments"), library("RevolutSimulation"),
    ],
    targets: module("PaymentCore", tests: ["Simulation"], hasFixtures: true)
        + module("PaymentTransport", ["PaymentCore"], tests: ["Simulation"], hasFixtures: true)
        + module("PaymentURLSession", ["PaymentTransport"])
        + module("PaymentReceipts", ["PaymentCore"], hasFixtures: true)
        + module("Simulation", ["PaymentCore"])
        + module("ReaderSimulation", ["Simulation"])
        + module(
            "AcquirerSimulation",
            ["ReaderSimulation", "PaymentTransport"],
            tests: ["PaymentCore", "PaymentURLSession", "Simulation"],
            embeds: "Scenarios/Shipped"
        )
        + module(
            "ProviderContractKit",
            [
                "AcquirerSimulation", "PaymentCore", "PaymentTransport", "ReaderSimulation",
                "Simulation",
            ]
        )
        + provider("Finix", hasFixtures: true)
        + provider("Revolut")
        + samples + [bench],
    swiftLanguageModes: [.v6]
)
