import GraphQL

extension IdentifierCipher {
  /// The key in an argument; nil if it is absent or not an id. The object may not exist.
  func key(of argument: InputValue?) -> GlobalID? { argument?.string.flatMap { key(of: $0) } }

  /// The key in an argument that names a person or another member: see `person(of:)` of a text.
  func person(of argument: InputValue?) -> GlobalID? { argument?.string.flatMap { person(of: $0) } }
}
