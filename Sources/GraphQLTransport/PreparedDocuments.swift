import GraphQL

/// The documents that one loop has seen, each parsed, validated and planned once.
struct PreparedDocuments {
  private let preparation: Preparation
  private var plans = PlanCache()

  init(_ executable: ExecutableSchema, allowsIntrospection: Bool) {
    var preparation = Preparation(executable)
    preparation.validation?.allowsIntrospection = allowsIntrospection
    self.preparation = preparation
  }

  /// The answer to a document that was seen before, where it is the same for everybody at any time.
  mutating func constantAnswer(to asked: GraphQLRequest) -> [UInt8]? {
    // Its variables, if it has any, have to be looked at.
    guard asked.variables == nil else { return nil }
    return plans.operation(for: asked.documentKey, named: asked.operationName)?.constantAnswer
  }

  mutating func prepared(_ asked: GraphQLRequest) throws(GraphQLErrors) -> PreparedOperation {
    if let known = plans.operation(for: asked.documentKey, named: asked.operationName) { return known }
    let operation = try preparation.prepare(asked.document, operationName: asked.operationName)
    plans.insert(operation, for: asked.documentKey, named: asked.operationName)
    return operation
  }
}
