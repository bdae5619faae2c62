import GraphQL

/// Swift types that are leaf values.
protocol LeafConvertible {
  var leafValue: LeafValue { get }
}

extension String: LeafConvertible { var leafValue: LeafValue { .string(self) } }
extension Substring: LeafConvertible { var leafValue: LeafValue { .string(String(self)) } }
extension Bool: LeafConvertible { var leafValue: LeafValue { .boolean(self) } }
extension Double: LeafConvertible { var leafValue: LeafValue { .double(self) } }
extension Float: LeafConvertible { var leafValue: LeafValue { .double(Double(self)) } }

extension LeafConvertible where Self: FixedWidthInteger {
  /// Numbers that `Int64` cannot represent are their digits: an `ID` or a `String` has all of them, and the result
  /// coercion of `Int` and `Float` rejects them.
  var leafValue: LeafValue { Int64(exactly: self).map { .int($0) } ?? .string(String(self)) }
}
extension Int: LeafConvertible {}
extension Int8: LeafConvertible {}
extension Int16: LeafConvertible {}
extension Int32: LeafConvertible {}
extension Int64: LeafConvertible {}
extension UInt: LeafConvertible {}
extension UInt8: LeafConvertible {}
extension UInt16: LeafConvertible {}
extension UInt32: LeafConvertible {}
extension UInt64: LeafConvertible {}

/// Swift types that are JSON objects, which are values of custom scalars.
protocol MembersConvertible {
  /// In the order in which they are sent.
  var members: [(key: String, value: Any)] { get }
}

extension Dictionary: MembersConvertible where Key == String {
  var members: [(key: String, value: Any)] { LeafValue.sorted(mapValues { $0 as Any }) }
}

/// Swift types that contain other values: optionals, and collections, which are lists in GraphQL.
protocol ContainerConvertible {
  var contents: Contents { get }
  static var contentType: ContentType { get }
}

enum Contents {
  case none
  case one(Any)
  case list([Any])
}

/// The type of the values in a container.
enum ContentType {
  case optional(Any.Type)
  case list(Any.Type)
}

extension Optional: ContainerConvertible {
  var contents: Contents { map { .one($0) } ?? .none }
  static var contentType: ContentType { .optional(Wrapped.self) }
}
extension Array: ContainerConvertible {
  var contents: Contents { .list(self) }
  static var contentType: ContentType { .list(Element.self) }
}
extension ArraySlice: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Element.self) }
}
extension ContiguousArray: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Element.self) }
}
extension ReversedCollection: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Element.self) }
}
extension Set: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Element.self) }
}
extension Dictionary.Keys: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Key.self) }
}
extension Dictionary.Values: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
  static var contentType: ContentType { .list(Value.self) }
}

/// A Swift value that is an object of the schema.
///
/// `@unchecked Sendable`: resolvers return `Sendable` values only, and the elements of a `Sendable` container are
/// `Sendable`. The compiler neither accepts a conformance to `ContainerConvertible` that requires that of the elements,
/// nor has a cast to a marker protocol.
struct ObjectValue: @unchecked Sendable {
  let value: Any
}

/// A resolver returned a value that does not fit its field's type. The description is logged.
struct UnsuitableValue: Error, CustomStringConvertible {
  let description: String
}

extension LeafValue {
  /// The leaf value of a resolver's Swift value.
  init(of value: Any, _ scalars: ScalarTypes) throws {
    if let scalar = scalars.byType[ObjectIdentifier(type(of: value))], let written = scalar.write(value) {
      self = written
    } else if let leaf = value as? any LeafConvertible {
      self = leaf.leafValue
    } else if let container = value as? any ContainerConvertible {
      switch container.contents {
      case .none: self = .null
      case .one(let value): self = try LeafValue(of: value, scalars)
      case .list(let items): self = .list(try items.map { try LeafValue(of: $0, scalars) })
      }
    } else if let object = value as? any MembersConvertible {
      self = .object(try object.members.map { ($0.key, try LeafValue(of: $0.value, scalars)) })
    } else if let named = value as? any RawRepresentable, let leaf = named.rawValue as? any LeafConvertible {
      self = leaf.leafValue
    } else {
      throw UnsuitableValue(
        description: """
          \(type(of: value)) is not a leaf value: return a String, a Bool, a Double, a Float, an integer, an enum of \
          such raw values, a GraphQLValue, a type of `scalar`, or an optional, an array or a set of these
          """
      )
    }
  }
}
