// swift-tools-version: 6.2
import PackageDescription

// A package of its own: targets named like vendors' modules would collide in an app that uses both.

/// Finix's SDK before 1.2.0 had another shape; `FINIX_SDK=1.0` type-checks the shim against it.
let finixShape: [SwiftSetting] =
    Context.environment["FINIX_SDK"] == "1.0" ? [.define("FINIX_SDK_1_0")] : []

/// Vendors' modules come as binaries with library evolution, in Swift 5 mode; here Foundation was
/// built without, which would be warned of.
let vendor: [SwiftSetting] = [
    .swiftLanguageMode(.v5),
    .unsafeFlags(["-enable-library-evolution", "-suppress-warnings"]),
]

#if os(Linux)
    let combineTargets: [Target] = [
        .target(name: "Combine", path: "Combine", swiftSettings: vendor)
    ]
    let combine: [Target.Dependency] = ["Combine"]
#else
    let combineTargets: [Target] = []
    let combine: [Target.Dependency] = []
#endif

/// A vendor's stub, and the shim of `Samples/VendorShims` over it.
func shim(
    _ name: String,
    over sdk: String,
    _ adapter: String,
    _ shape: [SwiftSetting] = []
) -> [Target] {
    let package = "swift-in-person-payments"
    return [
        .target(name: sdk, dependencies: combine, path: sdk, swiftSettings: vendor + shape),
        .target(
            name: name,
            dependencies: combine + [
                .byName(name: sdk), .product(name: adapter, package: package),
                .product(name: "PaymentCore", package: package),
            ],
            path: name,
            swiftSettings: shape + [.treatAllWarnings(as: .error)]
        ),
    ]
}

let package = Package(
    name: "vendor-stubs",
    platforms: [.iOS(.v18), .macOS(.v15)],
    dependencies: [.package(name: "swift-in-person-payments", path: "../..")],
    targets: combineTargets
        + shim("FinixShim", over: "FinixTapToPaySDK", "FinixPayments", finixShape)
        + shim("RevolutShim", over: "RevolutTapToPaySDK", "RevolutPayments"),
    swiftLanguageModes: [.v6]
)
