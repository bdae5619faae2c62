import GraphQL

/// Documents as callers see them who may read the schema, and as the others do.
struct DocumentViews {
  private var open: PreparedDocuments
  private var closed: PreparedDocuments

  init(_ executable: ExecutableSchema, stored: StoredDocuments, limits: RequestLimits) {
    open = PreparedDocuments(executable, stored: stored, limits: limits, allowsIntrospection: true)
    closed = PreparedDocuments(executable, stored: stored, limits: limits, allowsIntrospection: false)
  }

  /// Coroutines, because a getter and a setter would copy the caches.
  subscript(allowsIntrospection allowed: Bool) -> PreparedDocuments {
    @inline(__always) _read { if allowed { yield open } else { yield closed } }
    @inline(__always) _modify { if allowed { yield &open } else { yield &closed } }
  }
}
