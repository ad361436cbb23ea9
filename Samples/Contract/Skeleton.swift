/// The files of a new adapter's package; `__Name__` and `__name__` stand for its name.
enum Skeleton {
    struct File {
        let path: String
        let text: String
    }

    static let files = [
        File(path: "Package.swift", text: manifest), File(path: "README.md", text: readme),
        File(path: ".gitignore", text: ".build/\n"),
        File(path: "Sources/__Name__/__Name__Configuration.swift", text: configuration),
        File(path: "Sources/__Name__/__Name__Provider.swift", text: provider),
        File(path: "Sources/__Name__/__Name__BackOffice.swift", text: backOffice),
        File(path: "Sources/__Name__/__Name__Emulator.swift", text: emulator),
        File(path: "Tests/__Name__Tests/__Name__Harness.swift", text: harness),
        File(path: "Tests/__Name__Tests/ContractTests.swift", text: tests),
    ]

    static func fill(_ text: String, _ name: String, _ package: NewCommand.Package) -> String {
        text.replacing("__Name__", with: name)
            .replacing("__name__", with: name.lowercased())
            .replacing("__dependency__", with: package.dependency)
            .replacing("__identity__", with: package.identity)
    }

    private static let manifest = #"""
        // swift-tools-version: 6.2
        import PackageDescription

        func product(_ name: String) -> Target.Dependency {
            .product(name: name, package: "__identity__")
        }

        let package = Package(
            name: "__Name__",
            platforms: [.iOS(.v18), .macOS(.v15)],
            products: [.library(name: "__Name__", targets: ["__Name__"])],
            dependencies: [__dependency__],
            targets: [
                // The emulator may move to a target of its own, so that no app links it.
                .target(
                    name: "__Name__",
                    dependencies: [
                        product("PaymentCore"), product("PaymentTransport"),
                        product("AcquirerSimulation"), product("ReaderSimulation"),
                        product("Simulation"),
                    ]
                ),
                .testTarget(
                    name: "__Name__Tests",
                    dependencies: ["__Name__", product("ProviderContractKit")]
                ),
            ],
            swiftLanguageModes: [.v6]
        )

        """#

    private static let readme = #"""
        # __Name__

        An adapter for in-person payments through __Name__.

        `swift test` runs the provider contract and fails until the adapter is written. One rule at a time:

            CONTRACT_RULE=CONF,CAPA swift test    # the configuration, and what you declare
            CONTRACT_RULE=SALE-01 swift test      # a sale is told as approved and charged once
            CONTRACT_RULE=DECL,RCPT swift test    # declines and receipts
            CONTRACT_RULE=UNKN,LOOK swift test    # what nobody knows, and asking the books
            swift test                            # everything

        The order of work: `__Name__Emulator` (how the acquirer answers, and where it books money),
        `__Name__Provider.perform` (a payment at the counter), `__Name__BackOffice.records` (asking afterwards),
        then whatever else you declare. The article *Writing a provider* has the details.

        """#

    private static let configuration = #"""
        public import PaymentCore
        public import PaymentTransport

        /// What the configuration says about __Name__.
        public struct __Name__Configuration: Sendable {
            /// Whose money it is.
            public let account: Account

            /// Reads the section `providers.__name__`; nil once a problem was reported.
            public init?(_ section: ConfigurationSection) {
                let environment = section.oneOf("environment", ["production", "simulated"])
                    .flatMap(Account.Environment.init)
                let merchant = section.string("merchant")
                section.finish()
                guard let environment, let merchant else { return nil }
                account = Account(
                    provider: "__name__", merchant: merchant, environment: environment)
            }
        }

        extension Acquirer {
            /// Both sides of __Name__.
            public static func __name__(
                _ configuration: __Name__Configuration,
                transport: any HTTPTransport,
                environment: PaymentEnvironment
            ) -> Acquirer {
                Acquirer(
                    account: configuration.account,
                    provider: __Name__Provider(transport: transport, environment: environment),
                    backOffice: __Name__BackOffice(
                        account: configuration.account,
                        transport: transport,
                        environment: environment),
                    software: ["adapter": "__Name__ 1"]
                )
            }
        }

        """#

    private static let provider = #"""
        import PaymentCore
        import PaymentTransport

        /// Takes payments at the counter through __Name__.
        struct __Name__Provider: PaymentProvider {
            let transport: any HTTPTransport
            let environment: PaymentEnvironment

            /// Starts as nothing: declare what works, and the contract calls for its rules.
            var capabilities: ProviderCapabilities {
                var capabilities = ProviderCapabilities()
                capabilities.kinds = [.sale]
                capabilities.amounts.minorUnitDigits = [2]
                return capabilities
            }

            func readiness() async -> ProviderReadiness {
                ProviderReadiness(isSupported: true, link: .notNeeded, isPrepared: false)
            }

            func device() async -> String? { nil }

            func prepare() async throws(PaymentError) {
                // Make the reader ready; throw only what concerns no money.
            }

            func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
                // 1. context.report(.presentCard), read the card; nothing is submitted yet, so errors
                //    are `.notCharged`, and a person's cancel is `.cancelled`.
                // 2. context.report(.cardRead), context.report(.submitting), submit with attempt.id as
                //    the key. From here on an error is `.unknown`, unless the acquirer said no.
                // 3. Tell what the acquirer answered: amount, references, card.
                .notCharged(
                    PaymentError(
                        .requestRejected, detail: "__Name__Provider.perform is not written yet"))
            }

            func cancel(_ attempt: AttemptID) async -> Cancellation { .unsupported }
        }

        """#

    private static let backOffice = #"""
        import PaymentCore
        import PaymentTransport

        /// __Name__'s books.
        struct __Name__BackOffice: BackOffice {
            let account: Account
            let transport: any HTTPTransport
            let environment: PaymentEnvironment

            /// Starts as a back office that can only be asked.
            var capabilities: BackOfficeCapabilities { BackOfficeCapabilities() }

            func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
                // List everything of the query's span, page by page, with the acquirer's own time. An
                // answer that cannot be read is an error or `isComplete: false`, and never an empty list.
                throw PaymentError(
                    .acquirerUnavailable, detail: "__Name__BackOffice.records is not written yet")
            }

            func close(_ reference: AcquirerReference) async -> CloseAnswer { .unsupported }

            func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
                .notDone(
                    PaymentError(
                        .requestRejected, detail: "__Name__BackOffice.perform is not written yet"))
            }

            func link(for attempt: PaymentAttempt) async -> LinkAnswer { .unsupported }
        }

        """#

    private static let emulator = #"""
        public import AcquirerSimulation
        import PaymentTransport

        /// A __Name__ that exists in the simulation alone.
        public final class __Name__Emulator: Sendable {
            /// Where it pretends to be.
            public static let origin = "https://__name__.simulated"

            /// Takes the requests of the adapter.
            public let host: EmulatedHost

            /// Creates an emulator in a world.
            public init(world: SimulatedWorld) {
                host = EmulatedHost(
                    name: "__name__",
                    time: world.time,
                    line: world.line,
                    isSubmission: { $0.method == .post && $0.path == "/payments" }
                ) { request, _ in
                    // Ask world.issuer.decide(…) about the payload, book approvals in world.ledger, and
                    // answer as __Name__'s documentation says, with its words and not the adapter's types.
                    HTTPResponse(status: 501)
                }
            }
        }

        """#

    private static let harness = #"""
        import AcquirerSimulation
        import __Name__
        import PaymentCore
        import PaymentTransport
        import ProviderContractKit

        /// __Name__ for the contract, in its simulation.
        struct __Name__Harness: ContractHarness {
            let provider = "__name__"
            let section = #"{ "environment": "simulated", "merchant": "corner-shop" }"#
            let currency = Currency.eur

            func stage(in world: SimulatedWorld, tokens: ContractTokens) -> ContractStage {
                let emulator = __Name__Emulator(world: world)
                let factory = ProviderFactory(name: provider) { section, environment in
                    __Name__Configuration(section).map {
                        .__name__($0, transport: emulator.host, environment: environment)
                    }
                }
                return ContractStage(factory: factory, host: emulator.host) { request in
                    // What a request means, so that the contract knows what it spoils.
                    switch (request.method, request.path) {
                    case (.post, "/payments"): .payment
                    case (.get, _): .lookUp
                    default: nil
                    }
                }
            }
        }

        """#

    private static let tests = #"""
        import ProviderContractKit
        import Testing

        @Suite struct ContractTests {
            @Test(arguments: ProviderContract.cases(of: __Name__Harness()))
            func `keeps the provider contract`(_ rule: ContractCase) throws { try rule.check() }
        }

        """#
}
