import GraphQL

/// What one request may cost. A request past a limit is rejected with an error that names the limit.
public struct GraphQLLimits: Hashable, Sendable {
  /// The limits as the engine takes them.
  package var request = RequestLimits()

  /// Creates the default limits, which suit a public server.
  public init() {}

  /// The bytes of a document.
  public var documentBytes: Int {
    get { request.documentBytes }
    set { request.documentBytes = newValue }
  }

  /// The tokens of a document.
  public var tokens: Int {
    get { request.tokens }
    set { request.tokens = newValue }
  }

  /// The levels of fields in fields.
  public var depth: Int {
    get { request.depth }
    set { request.depth = newValue }
  }

  /// The aliases of a document.
  public var aliases: Int {
    get { request.aliases }
    set { request.aliases = newValue }
  }

  /// The cost of an operation: one for each object that it can ask for, where the schema's `@cost` and `@listSize`
  /// directives do not say otherwise.
  public var cost: Int {
    get { request.cost }
    set { request.cost = newValue }
  }

  /// The bytes of a response.
  public var responseBytes: Int {
    get { request.responseBytes }
    set { request.responseBytes = newValue }
  }
}
