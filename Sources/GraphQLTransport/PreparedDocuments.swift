import GraphQL

/// The plan cache of one loop: each document is parsed, validated and planned once.
struct PreparedDocuments {
  private let preparation: Preparation
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

  /// The operation of a request, which is prepared if its document is not cached. `admit` can reject the preparation.
  mutating func prepared(
    _ asked: GraphQLRequest,
    _ admit: ([UInt8]) throws(GraphQLErrors) -> Void
  ) throws(GraphQLErrors) -> PreparedOperation {
    if let known = known(asked) { return known }
    let document = try stored.document(of: asked)
    guard let id = asked.documentID else {
      try admit(document)
      let operation = try preparation.prepare(document, operationName: asked.operationName)
      plans.insert(operation, for: asked.documentKey, named: asked.operationName)
      return operation
    }
    if asked.hasDocument, let known = storedPlans.operation(for: id, named: asked.operationName) {
      // The store may have evicted it since.
      stored.keep(document, for: id)
      return known
    }
    try admit(document)
    let operation = try preparation.prepare(document, operationName: asked.operationName)
    if asked.hasDocument { stored.keep(document, for: id) }
    storedPlans.insert(operation, for: id, named: asked.operationName)
    return operation
  }

  /// The operation of a document that is only validated, and therefore not cached. `admit` can reject the preparation.
  func preparedOnce(
    _ asked: GraphQLRequest,
    _ admit: ([UInt8]) throws(GraphQLErrors) -> Void
  ) throws(GraphQLErrors) -> PreparedOperation {
    let document = asked.hasDocument ? asked.document : try stored.document(of: asked)
    try admit(document)
    return try preparation.prepare(document, operationName: asked.operationName)
  }
}
