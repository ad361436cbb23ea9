import PaymentCore

/// Reads the device of a scenario, with its times, limits and special amounts.
enum ScenarioDevice {
    static func read(_ section: ConfigurationSection) -> SimulatedDeviceConfiguration? {
        let fidelities = SimulatedDeviceConfiguration.Fidelity.allCases.map(\.rawValue)
        let fidelity = section.oneOf("fidelity", fidelities, default: "apple")
        let timing = timing(section)
        let limits = limits(section)
        let profiles = MagicAmounts.Profile.allCases.map(\.rawValue)
        let magic = section.oneOf("magic", profiles, default: "none")
        guard let inner = section.sectionOrEmpty("device") else { return nil }
        let linked = inner.strings("linked", default: [])
        let configured = inner.wholeNumber("configured", in: 0...100, default: 0)
        let returnsEarly = inner.bool("returnsEarly", default: false)
        let errorsInResult = inner.bool("errorsInResult", default: true)
        let traits = traits(inner)
        inner.finish()
        guard let fidelity = fidelity.flatMap(SimulatedDeviceConfiguration.Fidelity.init),
            let timing, let limits, let magic = magic.flatMap(MagicAmounts.Profile.init),
            let linked, let configured, let returnsEarly, let errorsInResult, let traits
        else { return nil }
        var device = SimulatedDeviceConfiguration(
            timing: timing,
            linkedMerchants: Set(linked),
            configured: configured,
            returnsEarly: returnsEarly,
            errorsInResult: errorsInResult,
            fidelity: fidelity
        )
        device.traits = traits
        device.limits = limits
        device.magic = magic
        return device
    }

    static func traits(_ section: ConfigurationSection) -> DeviceTraits? {
        var traits = DeviceTraits()
        var isGood = true
        func flag(_ key: String, _ path: WritableKeyPath<DeviceTraits, Bool>) {
            let value = section.bool(key, default: traits[keyPath: path])
            isGood = isGood && value != nil
            traits[keyPath: path] = value ?? false
        }
        flag("hasReader", \.hasReader)
        flag("systemSupported", \.isSystemSupported)
        flag("passcode", \.hasPasscode)
        flag("nfc", \.hasNFC)
        flag("signedIn", \.isSignedIn)
        flag("storageFull", \.isStorageFull)
        flag("configuresEveryTime", \.configuresEveryTime)
        flag("pin", \.allowsPIN)
        flag("inactiveEndsSession", \.inactiveEndsSession)
        flag("losesSessionSilently", \.losesSessionSilently)
        flag("changesIdentifier", \.changesIdentifier)
        let version = section.wholeNumber("systemVersion", in: 16...99, default: 26)
        let entitlements = DeviceTraits.Entitlement.allCases.map(\.rawValue)
        let entitlement = section.oneOf("entitlement", entitlements, default: "granted")
        let updates = DeviceTraits.Update.allCases.map(\.rawValue)
        let update = section.oneOf("update", updates, default: "none")
        if section.has("systemSupportEnds") {
            traits.systemSupportEnds = section.duration("systemSupportEnds")
        }
        if section.has("bannedUntil") {
            traits.bannedUntil = section.duration("bannedUntil")
        }
        if section.has("preparationFailure") {
            traits.preparationFailure = section.wholeNumber("preparationFailure", in: 1...9_999)
        }
        if section.has("knownMerchants") {
            traits.knownMerchants = section.strings("knownMerchants").map { Set($0) }
        }
        guard isGood, let version,
            let entitlement = entitlement.flatMap(DeviceTraits.Entitlement.init),
            let update = update.flatMap(DeviceTraits.Update.init)
        else { return nil }
        traits.systemVersion = version
        traits.entitlement = entitlement
        traits.update = update
        return traits
    }

    private static func timing(_ section: ConfigurationSection) -> ReaderTiming? {
        let presets = ReaderTiming.presets.keys.sorted()
        switch section.choice("timing", presets, default: "typical") {
        case .name(let name): return ReaderTiming.presets[name]
        case .section(let inner):
            let preset = inner.oneOf("preset", presets, default: "typical")
            guard var timing = preset.flatMap({ ReaderTiming.presets[$0] }) else { return nil }
            var isGood = true
            for (key, path) in times where inner.has(key) {
                let value = inner.duration(key)
                isGood = isGood && value != nil
                timing[keyPath: path] = value ?? .zero
            }
            if inner.has("idleSession") {
                timing.idleSession = inner.duration("idleSession")
            }
            let jitter = inner.wholeNumber("jitter", in: 0...90, default: timing.jitter)
            inner.finish()
            guard isGood, let jitter else { return nil }
            timing.jitter = jitter
            return timing
        case nil: return nil
        }
    }

    private static var times: [(String, WritableKeyPath<ReaderTiming, Duration>)] {
        [
            ("answer", \.answer), ("terms", \.terms),
            ("firstPreparation", \.firstPreparation), ("laterPreparation", \.laterPreparation),
            ("sheet", \.sheet), ("tap", \.tap), ("cardData", \.cardData),
            ("completion", \.completion), ("dismissal", \.dismissal),
            ("tapTimeout", \.tapTimeout), ("payloadLifetime", \.payloadLifetime),
            ("pinEntry", \.pin), ("pinTimeout", \.pinTimeout), ("pinWindow", \.pinWindow),
            ("watchdog", \.watchdog),
        ]
    }

    private static func limits(_ section: ConfigurationSection) -> [String: ReaderLimits]? {
        guard let section = section.sectionOrEmpty("limits") else { return nil }
        var limits = ReaderLimits.defaults
        for code in section.keys {
            guard Currency(code: code) != nil else {
                section.reject(code, "accepted is the code of a currency, such as EUR")
                return nil
            }
            guard let inner = section.section(code) else { return nil }
            var limit = ReaderLimits()
            for (key, path) in [("cvm", \ReaderLimits.cvm), ("contactless", \.contactless)]
            where !inner.isNull(key) {
                limit[keyPath: path] = inner.wholeNumber(key, in: 0...999_999_999).map(Int64.init)
            }
            inner.finish()
            limits[code] = limit
        }
        return limits
    }
}

extension ConfigurationSection {
    /// Whether a key is absent or `null`, which makes it a known one.
    fileprivate func isNull(_ key: String) -> Bool {
        guard has(key) else { return true }
        return rawValue(key)?.content == .null
    }
}

/// Reads how tokens are handed out in a scenario.
enum ScenarioTokens {
    static func read(_ section: ConfigurationSection) -> Scenario.Tokens? {
        guard let section = section.sectionOrEmpty("token") else { return nil }
        let lifetime = section.duration("lifetime", default: .seconds(48 * 3_600))
        let patience = section.has("patience") ? section.duration("patience") : nil
        let names = [
            "ok", "empty", "expired", "reused", "invalid", "otherMerchant", "slow(TIME)", "hang",
            "fail",
        ]
        let behaviors = section.list("fetches") { reject, text -> Scenario.Tokens.Behavior? in
            if let word = ScenarioWord(text), let behavior = behavior(word) { return behavior }
            reject(ConfigurationSection.refusal(of: text, among: names))
            return nil
        }
        section.finish()
        guard let lifetime, behaviors != nil || !section.has("fetches") else {
            return nil
        }
        return Scenario.Tokens(
            lifetime: lifetime,
            patience: patience,
            behaviors: behaviors ?? []
        )
    }

    private static func behavior(_ word: ScenarioWord) -> Scenario.Tokens.Behavior? {
        switch (word.name, word.argument) {
        case ("ok", nil): .ok
        case ("empty", nil): .empty
        case ("expired", nil): .expired
        case ("reused", nil): .reused
        case ("invalid", nil): .invalid
        case ("otherMerchant", nil): .otherMerchant
        case ("hang", nil): .hang
        case ("fail", nil): .fail
        case ("slow", _): word.duration.map { .slow($0) }
        default: nil
        }
    }
}
