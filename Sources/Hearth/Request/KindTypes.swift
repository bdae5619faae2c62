import GraphQL

/// Maps kinds of keys to object types. A class, because each request retains it.
final class KindTypes: Sendable {
  private let types: [TypeID?]
  private let names: [String?]
  private let events: [TypeID?]

  init(_ schema: Schema) {
    var types = [TypeID?](repeating: nil, count: 1 << Int(GlobalID.kindBits))
    var names = [String?](repeating: nil, count: types.count)
    for kind in Kind.allCases {
      names[Int(kind.rawValue)] = kind.typeName
      types[Int(kind.rawValue)] = schema.type(named: kind.typeName)
    }
    self.types = types
    self.names = names
    events = FeedEvent.Kind.allCases.map { schema.type(named: $0.typeName) }
  }

  subscript(_ kind: FeedEvent.Kind) -> TypeID? { events[Int(kind.rawValue)] }

  subscript(_ kind: Kind?) -> TypeID? { kind.flatMap { types[Int($0.rawValue)] } }

  /// The name of the object type of a kind.
  func name(of kind: Kind) -> String? { names[Int(kind.rawValue)] }

  /// The object type of a key. Nil if its low bits are no kind.
  subscript(_ key: GlobalID) -> TypeID? { types[Int(truncatingIfNeeded: key.rawValue & GlobalID.kindMask)] }
}
