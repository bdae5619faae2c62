import JSON

/// The members of a request's `extensions` that are used.
struct RequestExtensions {
  /// Where a subscription goes on.
  var resume: String?
  /// `persistedQuery.sha256Hash`: what a stored document is named by in Apollo's protocol.
  var persistedQuery: ArraySlice<UInt8>?

  init() {}

  init(_ value: JSONValue?) throws(MalformedRequest) {
    guard let value, !value.isNull else { return }
    guard value.kind == .object else {
      throw MalformedRequest("`extensions` must be an object, not \(value.kind.name).")
    }
    if let position = value["position"], !position.isNull {
      // Passed over, it would be a subscription from now on: what was missed would go missing without a word.
      guard let text = position.string else {
        throw MalformedRequest("`extensions.position` must be a string, not \(position.kind.name).")
      }
      resume = text
    }
    guard let query = value["persistedQuery"], !query.isNull else { return }
    guard query.kind == .object else {
      throw MalformedRequest("`extensions.persistedQuery` must be an object, not \(query.kind.name).")
    }
    guard query["version"]?.int64 == 1 else {
      throw MalformedRequest("`extensions.persistedQuery.version` must be 1.")
    }
    guard let hash = query["sha256Hash"]?.stringBytes, GraphQLRequest.isDocumentID(hash) else {
      throw MalformedRequest("`extensions.persistedQuery.sha256Hash` must be the SHA-256 of a document.")
    }
    persistedQuery = hash
  }
}
