import GraphQL

/// Limits of one request. A request that exceeds a limit is rejected with an error that names it.
public struct GraphQLLimits: Hashable, Sendable {
  /// The limits in the engine's form.
  package var request = RequestLimits()

  /// Creates the default limits, which suit a public server.
  public init() {}

  /// The maximum size of a document in bytes.
  public var documentBytes: Int {
    get { request.documentBytes }
    set { request.documentBytes = newValue }
  }

  /// The maximum number of tokens in a document.
  public var tokens: Int {
    get { request.tokens }
    set { request.tokens = newValue }
  }

  /// The maximum depth of nested fields, at most 64.
  public var depth: Int {
    get { request.depth }
    set { request.depth = min(newValue, ParseOptions().depth) }
  }

  /// The maximum number of aliases in a document.
  public var aliases: Int {
    get { request.aliases }
    set { request.aliases = newValue }
  }

  /// The maximum cost of an operation. Each object that it can request costs 1, unless the schema's `@cost` and
  /// `@listSize` directives state otherwise.
  public var cost: Int {
    get { request.cost }
    set { request.cost = newValue }
  }

  /// The maximum size of a response in bytes.
  public var responseBytes: Int {
    get { request.responseBytes }
    set { request.responseBytes = newValue }
  }
}
