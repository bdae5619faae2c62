/// An operation, generated from a document by `hearth generate swift`.
public protocol GraphQLOperation: Sendable {
  /// The type of the response's `data`.
  associatedtype Data: Decodable & Sendable

  /// The name of the operation in the document.
  static var operationName: String { get }
  /// The operation and the fragments it spreads.
  static var document: String { get }
  /// The id by which requests name the document instead of sending it, for servers that execute only documents that
  /// they know. Nil if they send it.
  static var documentID: String? { get }
  /// The values of the variables. One without a value is omitted.
  var variables: [GraphQLInputField] { get }
}

extension GraphQLOperation {
  /// Nil: requests send the document.
  public static var documentID: String? { nil }
}

/// A query: see `HearthClient.fetch(_:)`.
public protocol GraphQLQuery: GraphQLOperation {}
/// A mutation: see `HearthClient.perform(_:)`.
public protocol GraphQLMutation: GraphQLOperation {}
/// A subscription: see `HearthClient.subscribe(to:)`.
public protocol GraphQLSubscription: GraphQLOperation {}

/// Decodes the `__typename` of an object in a response.
public struct GraphQLTypeName: Decodable, Sendable {
  /// The name of the object's type.
  public let name: String

  private enum CodingKeys: String, CodingKey {
    case name = "__typename"
  }
}

/// An enum of the schema, with a case for values that were added after the client was generated.
public protocol GraphQLEnum: GraphQLInput, Decodable, CaseIterable, Hashable {
  /// Makes the value with this name. A name that was added later is kept.
  init(rawValue: String)
  /// The name of the value in the schema.
  var rawValue: String { get }
}

extension GraphQLEnum {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  public var inputValue: GraphQLInputValue { .string(rawValue) }
}
