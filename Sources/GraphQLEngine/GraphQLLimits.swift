import GraphQL

/// Limits of one request. A request that exceeds a limit is rejected with an error that names it.
public struct GraphQLLimits: Hashable, Sendable {
  /// The limits in the engine's form.
  package var request = RequestLimits()

  /// Creates the default limits, which suit a public server.
  public init() {}

  /// The maximum size of a document in bytes.
  public var documentBytes: Int {
    get { request.parsing.documentBytes }
    set { request.parsing.documentBytes = newValue }
  }

  /// The maximum number of tokens in a document.
  public var tokens: Int {
    get { request.parsing.tokens }
    set { request.parsing.tokens = newValue }
  }

  /// The maximum depth of nested fields, at most 64.
  public var depth: Int {
    get { request.depth }
    set { request.depth = min(newValue, ParseOptions().depth) }
  }

  /// The maximum number of aliases in a document.
  public var aliases: Int {
    get { request.validation.limits.aliases }
    set { request.validation.limits.aliases = newValue }
  }

  /// The maximum cost of an operation, of its fields and of its objects each.
  ///
  /// A field of an object type costs 1 each time it is resolved, and each object costs 1, unless `@cost` in the schema
  /// states otherwise. A list counts as `listSize` objects, unless `@listSize` states its size: by default as a single
  /// object, however many it has.
  public var cost: Int {
    get { request.cost }
    set { request.cost = newValue }
  }

  /// The number of objects that a list is assumed to have for the cost, if no `@listSize` in the schema states it.
  /// Negative numbers count as 0.
  public var listSize = 1

  /// The maximum size of a response in bytes.
  public var responseBytes: Int {
    get { request.execution.responseBytes }
    set { request.execution.responseBytes = newValue }
  }
}
