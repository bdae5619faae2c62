import HTTP
import JSON

/// The supported members of a request's `extensions`. A class, of which a request without extensions has none: their
/// values were copied for each request.
final class RequestExtensions {
  /// The position from which a subscription resumes.
  private(set) var resume: String?
  /// The idempotency key of a mutation.
  private(set) var idempotencyKey: String?
  /// Whether the client asks for the cost and the times of the request.
  private(set) var wantsTrace = false
  /// `persistedQuery.sha256Hash`: the identifier of a stored document in Apollo's protocol.
  private(set) var persistedQuery: ArraySlice<UInt8>?

  /// Returns nil for a request without extensions.
  static func read(_ value: JSONValue?) throws(BadRequestError) -> RequestExtensions? {
    guard let value, !value.isNull else { return nil }
    return try RequestExtensions(value)
  }

  private init(_ value: JSONValue) throws(BadRequestError) {
    guard value.kind == .object else {
      throw BadRequestError("`extensions` must be an object, not \(value.kind.name).")
    }
    if let position = value["position"], !position.isNull {
      // An ignored position would start the subscription at the present, and missed events would be lost silently.
      guard let text = position.string else {
        throw BadRequestError("`extensions.position` must be a string, not \(position.kind.name).")
      }
      resume = text
    }
    if let key = value["idempotencyKey"], !key.isNull {
      // An ignored key would execute a repeated mutation again.
      guard let text = key.stringBytes, IdempotencyKey.isValid(text) else {
        throw BadRequestError("`extensions.idempotencyKey` must be \(IdempotencyKey.requirement).")
      }
      idempotencyKey = text.text
    }
    if let trace = value["trace"], !trace.isNull {
      guard trace.kind == .boolean else {
        throw BadRequestError("`extensions.trace` must be a Boolean, not \(trace.kind.name).")
      }
      wantsTrace = trace.bool == true
    }
    guard let query = value["persistedQuery"], !query.isNull else { return }
    guard query.kind == .object else {
      throw BadRequestError("`extensions.persistedQuery` must be an object, not \(query.kind.name).")
    }
    guard query["version"]?.int64 == 1 else {
      throw BadRequestError("`extensions.persistedQuery.version` must be 1.")
    }
    guard let hash = query["sha256Hash"]?.stringBytes, GraphQLRequest.isDocumentID(hash) else {
      throw BadRequestError("`extensions.persistedQuery.sha256Hash` must be the SHA-256 of a document.")
    }
    persistedQuery = hash
  }
}
