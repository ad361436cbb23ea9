import AcquirerSimulation
import PaymentCore
import PaymentTransport
import ReaderSimulation

/// A counter side with one thing changed.
final class MutantProvider: PaymentProvider {
    private let inner: any PaymentProvider
    private let base: Mutant.Base
    private let change: Change
    private let scene: Scene
    private let looks = LookCounter()
    private let preparations = LookCounter()

    init(_ inner: any PaymentProvider, _ base: Mutant.Base, _ change: Change, _ scene: Scene) {
        self.inner = inner
        self.base = base
        self.change = change
        self.scene = scene
    }

    var capabilities: ProviderCapabilities {
        var capabilities = inner.capabilities
        if base != .full {
            capabilities = ProviderCapabilities()
            capabilities.kinds = base == .plain ? [.sale] : [.authorization]
            capabilities.amounts.minorUnitDigits = [2]
            capabilities.amounts.largest = 999_999_999
            capabilities.marker = true
        }
        change.capabilities?(&capabilities, looks.next())
        if change.chatsAlways { scene.chatLater() }
        return capabilities
    }

    func readiness() async -> ProviderReadiness {
        let readiness = await inner.readiness()
        return change.readiness.map { $0(readiness) } ?? readiness
    }

    func device() async -> String? {
        guard let device = change.device else { return await inner.device() }
        return await device(scene)
    }

    func prepare() async throws(PaymentError) {
        guard let prepare = change.prepare else { return try await inner.prepare() }
        try await prepare(inner, scene, preparations.next())
    }

    func perform(_ attempt: PaymentAttempt, context: AttemptContext) async -> ProviderAnswer {
        if base != .full, scene.world.reader.support() != .supported, change.perform == nil {
            return .notCharged(PaymentError(.deviceUnsupported))
        }
        change.report?(context)
        let changed = change.attempt.map { $0(attempt) } ?? attempt
        let answer: ProviderAnswer
        if let perform = change.perform {
            answer = await perform(inner, changed, context, scene)
        } else {
            answer = await inner.perform(changed, context: context)
        }
        return change.answer.map { $0(answer, attempt) } ?? answer
    }

    func cancel(_ attempt: AttemptID) async -> Cancellation {
        guard let cancel = change.cancel else { return await inner.cancel(attempt) }
        return await cancel(inner, attempt)
    }
}

/// A books side with one thing changed.
struct MutantBooks: BackOffice {
    private let inner: any BackOffice
    private let base: Mutant.Base
    private let change: Change
    private let scene: Scene
    private let looks = LookCounter()

    init(_ inner: any BackOffice, _ base: Mutant.Base, _ change: Change, _ scene: Scene) {
        self.inner = inner
        self.base = base
        self.change = change
        self.scene = scene
    }

    var capabilities: BackOfficeCapabilities {
        var capabilities = inner.capabilities
        if base != .full {
            capabilities.followUps = []
            capabilities.canClose = false
            capabilities.canLink = false
        }
        change.bookCapabilities?(&capabilities, looks.next())
        if change.chatsAlways { scene.chatLater() }
        return capabilities
    }

    func records(_ query: RecordQuery) async throws(PaymentError) -> RecordListing {
        do throws(PaymentError) {
            var listing = try await inner.records(query)
            change.listing?(&listing, query)
            return listing
        } catch {
            guard let listing = change.listingError else { throw error }
            return listing(error, query)
        }
    }

    func close(_ reference: AcquirerReference) async -> CloseAnswer {
        guard base == .full || change.isUndeclared else { return .unsupported }
        return await inner.close(reference)
    }

    func perform(_ attempt: PaymentAttempt) async -> BackOfficeAnswer {
        let answer = await inner.perform(attempt)
        return change.bookAnswer.map { $0(answer, attempt) } ?? answer
    }

    func link(for attempt: PaymentAttempt) async -> LinkAnswer {
        guard base == .full || change.isUndeclared else { return .unsupported }
        return await inner.link(for: attempt)
    }
}

/// A transport that changes what passes.
struct MutantTransport: HTTPTransport {
    let host: EmulatedHost
    let change: Change

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let requests = change.request.map { $0(request) } ?? [request]
        var answer: HTTPResponse?
        for request in requests {
            let response = try await host.send(request)
            answer = change.response.map { $0(request, response) } ?? response
        }
        guard let answer else { throw TransportError(.notSent, "dropped") }
        return answer
    }
}

extension HTTPRequest {
    /// Whether it submits a card.
    var isPayment: Bool { method == .post && path == "/payments" }

    /// The request with a member of its body replaced.
    func replacing(_ name: String, _ value: (JSONTree) -> JSONTree) -> HTTPRequest {
        guard var members = JSONTree.members(of: body), let old = members[name] else { return self }
        members[name] = value(old)
        var request = self
        request.body = JSONTree.object(members).data
        return request
    }
}

extension HTTPResponse {
    /// The answer with a text in its body replaced.
    func replacing(_ text: String, with other: String) -> HTTPResponse {
        var response = self
        response.body = Data(
            String(decoding: body, as: UTF8.self).replacing(text, with: other).utf8
        )
        return response
    }
}
