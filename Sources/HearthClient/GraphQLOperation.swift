/// An operation, generated from a document by `hearth generate swift`.
public protocol GraphQLOperation: Sendable {
  /// The type of the response's `data`.
  associatedtype Data: Decodable & Sendable

  static var operationName: String { get }
  /// The operation and the fragments it spreads.
  static var document: String { get }
  var variables: [GraphQLInputField] { get }
}

public protocol GraphQLQuery: GraphQLOperation {}
public protocol GraphQLMutation: GraphQLOperation {}
public protocol GraphQLSubscription: GraphQLOperation {}

/// Decodes the `__typename` of an object in a response.
public struct GraphQLTypeName: Decodable, Sendable {
  public let name: String

  private enum CodingKeys: String, CodingKey {
    case name = "__typename"
  }
}

/// An enum of the schema, with a case for values that were added after the client was generated.
public protocol GraphQLEnum: GraphQLInput, Decodable, CaseIterable, Hashable {
  init(rawValue: String)
  var rawValue: String { get }
}

extension GraphQLEnum {
  public init(from decoder: any Decoder) throws {
    self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
  }

  public var inputValue: GraphQLInputValue { .string(rawValue) }
}
