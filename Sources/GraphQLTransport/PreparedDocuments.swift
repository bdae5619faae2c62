import GraphQL

/// The documents that one loop has seen, each parsed, validated and planned once.
struct PreparedDocuments {
  let preparation: Preparation
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

  /// What is known of the document of a request.
  enum Found {
    case operation(PreparedOperation)
    /// The text of a document that has to be prepared.
    case document([UInt8])
  }

  mutating func find(_ asked: GraphQLRequest) throws(GraphQLErrors) -> Found {
    if let known = known(asked) { return .operation(known) }
    let document = try stored.document(of: asked)
    if let id = asked.documentID, asked.hasDocument,
      let known = storedPlans.operation(for: id, named: asked.operationName)
    {
      // The store may have dropped it since.
      stored.keep(document, for: id)
      return .operation(known)
    }
    return .document(document)
  }

  /// Keeps the operation that was prepared from the document of a request.
  mutating func keep(_ operation: PreparedOperation, of document: [UInt8], for asked: GraphQLRequest) {
    guard let id = asked.documentID else {
      return plans.insert(operation, for: asked.documentKey, named: asked.operationName)
    }
    if asked.hasDocument { stored.keep(document, for: id) }
    storedPlans.insert(operation, for: id, named: asked.operationName)
  }

  /// The document of a request that is only validated, and so not kept.
  func text(of asked: GraphQLRequest) throws(GraphQLErrors) -> [UInt8] {
    asked.hasDocument ? asked.document : try stored.document(of: asked)
  }
}
