import GraphQL

/// The documents that one loop has seen, each parsed, validated and planned once.
struct PreparedDocuments {
  private let preparation: Preparation
  private let stored: StoredDocuments
  /// By the document's bytes.
  private var plans = PlanCache()
  /// By what a stored document is named by, so that neither its text nor a hash of it is looked at.
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

  /// The operation of a document that was seen before.
  mutating func known(_ asked: GraphQLRequest) -> PreparedOperation? {
    guard let id = asked.documentID else {
      return stored.areExclusive ? nil : plans.operation(for: asked.documentKey, named: asked.operationName)
    }
    // A document that came with its name has to be looked at: it may be another.
    return asked.hasDocument ? nil : storedPlans.operation(for: id, named: asked.operationName)
  }

  /// The operation, which is prepared when the document was not seen before. `admit` can reject that.
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
      // The store may have dropped it since.
      stored.keep(document, for: id)
      return known
    }
    try admit(document)
    let operation = try preparation.prepare(document, operationName: asked.operationName)
    if asked.hasDocument { stored.keep(document, for: id) }
    storedPlans.insert(operation, for: id, named: asked.operationName)
    return operation
  }

  /// The operation of a document that is not kept: one that is only validated. `admit` can reject it.
  func preparedOnce(
    _ asked: GraphQLRequest,
    _ admit: ([UInt8]) throws(GraphQLErrors) -> Void
  ) throws(GraphQLErrors) -> PreparedOperation {
    let document = asked.hasDocument ? asked.document : try stored.document(of: asked)
    try admit(document)
    return try preparation.prepare(document, operationName: asked.operationName)
  }
}
