import GraphQL

/// The documents that one loop has seen, each parsed, validated and planned once.
struct PreparedDocuments {
  let preparation: Preparation
  private var plans = PlanCache()

  init(_ executable: ExecutableSchema, allowsIntrospection: Bool) {
    var preparation = Preparation(executable)
    preparation.validation?.allowsIntrospection = allowsIntrospection
    self.preparation = preparation
  }

  /// The operation of a document that was seen before.
  mutating func known(_ asked: GraphQLRequest) -> PreparedOperation? {
    plans.operation(for: asked.documentKey, named: asked.operationName)
  }

  mutating func prepared(_ asked: GraphQLRequest) throws(GraphQLErrors) -> PreparedOperation {
    if let known = known(asked) { return known }
    let operation = try preparation.prepare(asked.document, operationName: asked.operationName)
    plans.insert(operation, for: asked.documentKey, named: asked.operationName)
    return operation
  }
}
