extension ReaderControl {
    /// Has a merchant's terms accepted already, as on a device that is in use.
    public func acceptTerms(merchant: String) { machine.act { _ = $0.linked.insert(merchant) } }
}
