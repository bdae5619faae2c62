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
extension Int: LeafConvertible { var leafValue: LeafValue { .int(Int64(self)) } }
extension Int32: LeafConvertible { var leafValue: LeafValue { .int(Int64(self)) } }
extension Int64: LeafConvertible { var leafValue: LeafValue { .int(self) } }

/// Swift types that contain other values: optionals, and collections, which are lists in GraphQL.
protocol ContainerConvertible {
  var contents: Contents { get }
}

enum Contents {
  case none
  case one(Any)
  case list([Any])
}

extension Optional: ContainerConvertible {
  var contents: Contents { map { .one($0) } ?? .none }
}
extension Array: ContainerConvertible {
  var contents: Contents { .list(self) }
}
extension ArraySlice: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
}
extension Set: ContainerConvertible {
  var contents: Contents { .list(Array(self)) }
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
    if let scalar = scalars.byType[ObjectIdentifier(type(of: value))], let text = scalar.write(value) {
      self = .string(text)
    } else if let leaf = value as? any LeafConvertible {
      self = leaf.leafValue
    } else if let container = value as? any ContainerConvertible {
      switch container.contents {
      case .none: self = .null
      case .one(let value): self = try LeafValue(of: value, scalars)
      case .list(let items): self = .list(try items.map { try LeafValue(of: $0, scalars) })
      }
    } else if let named = value as? any RawRepresentable, let leaf = named.rawValue as? any LeafConvertible {
      self = leaf.leafValue
    } else {
      throw UnsuitableValue(
        description:
          "\(type(of: value)) is not a leaf value: return a string, a number, a boolean, an enum of such raw values, or a type of `scalar`"
      )
    }
  }
}

/// The object types of Swift types.
struct ObjectTypes: Sendable {
  /// By Swift type.
  let byValue: [ObjectIdentifier: TypeID]

  /// The objects of a resolver's Swift value. `fixed` is their type if the field's type is an object type, and nil if
  /// it is an interface or a union.
  func resolved(_ value: Any, fixed: TypeID?) throws -> ResolvedValue {
    if let container = value as? any ContainerConvertible {
      switch container.contents {
      case .none: return .null
      case .one(let value): return try resolved(value, fixed: fixed)
      case .list(let items): return .list(try items.map { try resolved($0, fixed: fixed) })
      }
    }
    if let fixed { return .object(fixed, ObjectValue(value: value)) }
    guard let type = byValue[ObjectIdentifier(type(of: value))] else {
      throw UnsuitableValue(description: "\(type(of: value)) is not registered as an object type of the schema")
    }
    return .object(type, ObjectValue(value: value))
  }
}
