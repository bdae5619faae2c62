/// A nullable argument or input field that tells `null` from absence, such as a field of a patch: a field that is
/// absent remains as it is, and one that is `null` is removed.
///
/// ```swift
/// struct BookPatch: Decodable {
///   let title: String?
///   let publisherID: GraphQLNullable<Int>
/// }
/// ```
public enum GraphQLNullable<Value> {
  /// The client has not sent the field, and it has no default value.
  case absent
  /// The client has sent `null`.
  case null
  /// The client has sent a value, or the field has a default value.
  case value(Value)
}

extension GraphQLNullable: Sendable where Value: Sendable {}
extension GraphQLNullable: Equatable where Value: Equatable {}
extension GraphQLNullable: Hashable where Value: Hashable {}

extension GraphQLNullable: Decodable where Value: Decodable {
  /// Decodes a value that is not absent.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .null : .value(try container.decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a field that may be absent. The compiler's implementation of `Decodable` calls this overload.
  public func decode<Value: Decodable>(
    _ type: GraphQLNullable<Value>.Type,
    forKey key: Key
  ) throws -> GraphQLNullable<Value> {
    guard contains(key) else { return .absent }
    return try decodeNil(forKey: key) ? .null : .value(decode(Value.self, forKey: key))
  }
}

/// A type with a value that stands for an absent argument.
protocol AbsenceRepresentable {
  static var absent: Self { get }
}

extension GraphQLNullable: AbsenceRepresentable {}
