import GraphQL

/// The plan cache of one loop: each document is parsed, validated and planned once.
struct PreparedDocuments {
  let preparation: Preparation
  private let stored: StoredDocuments
  /// Keyed by the text of the document.
  private var plans = PlanCache()
  /// Keyed by the identifier of a stored document, so that its text is neither read nor hashed.
  private var storedPlans = PlanCache()

  init(
    _ executable: ExecutableSchema,
    stored: StoredDocuments,
    limits: RequestLimits,
    allowsIntrospection: Bool
  ) {
    var preparation = Preparation(executable, limits: limits)
    preparation.validation?.allowsIntrospection = allowsIntrospection
    self.preparation = preparation
    self.stored = stored
  }

  /// The cached operation of a request; nil if its document is not cached.
  mutating func known(_ asked: GraphQLRequest) -> PreparedOperation? {
    guard let id = asked.documentID else {
      return stored.areExclusive ? nil : plans.operation(for: asked.documentKey, named: asked.operationName)
    }
    // A document that is sent along with its identifier must be compared first: it may be another document.
    return asked.hasDocument ? nil : storedPlans.operation(for: id, named: asked.operationName)
  }

  /// The result of a lookup.
  enum Found {
    case operation(PreparedOperation)
    /// The text of a document that must be prepared.
    case document([UInt8])
  }

  /// The operation of a request if its document is cached, or else the document.
  mutating func find(_ asked: GraphQLRequest) throws(GraphQLErrors) -> Found {
    if let known = known(asked) { return .operation(known) }
    let document = try stored.document(of: asked)
    if let id = asked.documentID, asked.hasDocument,
      let known = storedPlans.operation(for: id, named: asked.operationName)
    {
      // The store may have evicted it since.
      stored.keep(document, for: id)
      return .operation(known)
    }
    return .document(document)
  }

  /// The operation of a request whose document was not cached when `find` returned it.
  mutating func prepared(_ asked: GraphQLRequest) -> PreparedOperation? {
    guard let id = asked.documentID else { return plans.operation(for: asked.documentKey, named: asked.operationName) }
    return storedPlans.operation(for: id, named: asked.operationName)
  }

  /// Caches the operation that was prepared from the document of a request.
  mutating func keep(_ operation: PreparedOperation, of document: [UInt8], for asked: GraphQLRequest) {
    guard let id = asked.documentID else {
      return plans.insert(operation, for: asked.documentKey, named: asked.operationName)
    }
    if asked.hasDocument { stored.keep(document, for: id) }
    storedPlans.insert(operation, for: id, named: asked.operationName)
  }

  /// The document of a request that is only validated, and therefore not cached. A document that would not be executed
  /// is not validated: where only trusted documents are accepted, the errors of others would tell everyone the schema.
  func text(of asked: GraphQLRequest) throws(GraphQLErrors) -> [UInt8] { try stored.document(of: asked) }
}
