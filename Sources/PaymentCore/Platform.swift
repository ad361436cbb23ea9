// The one place that chooses which Foundation this module is built on; the whole module and its
// clients see it, because dates and URLs are part of the public vocabulary.
#if canImport(FoundationEssentials)
    @_exported public import FoundationEssentials
#else
    @_exported public import Foundation
#endif
