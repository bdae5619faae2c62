/// An operation, as `hearth generate swift` makes it of a document.
public protocol GraphQLOperation: Sendable {
  /// What its answer's `data` is.
  associatedtype Data: Decodable & Sendable

  static var operationName: String { get }
  /// The operation and the fragments it spreads.
  static var document: String { get }
  var variables: [GraphQLInputField] { get }
}

public protocol GraphQLQuery: GraphQLOperation {}
public protocol GraphQLMutation: GraphQLOperation {}
public protocol GraphQLSubscription: GraphQLOperation {}

/// The name of the type that an object in an answer is of.
public struct GraphQLTypeName: Decodable, Sendable {
  public let name: String

  private enum CodingKeys: String, CodingKey {
    case name = "__typename"
  }
}

/// An enum of the schema, with a case for values that came later than the client.
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
