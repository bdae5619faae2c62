/// A type whose values are bound to parameters from memory.
@usableFromInline package protocol BoundValue: Sendable {
  /// Binds a copy of the value of this type at `address`.
  static func bind(at address: UnsafeRawPointer, to statement: Statement, _ number: Int) throws(DatabaseError)

  /// Binds a copy of the optional value of this type at `address`, or NULL.
  static func bindOptional(at address: UnsafeRawPointer, to statement: Statement, _ number: Int) throws(DatabaseError)
}

/// Each type of values has its own copies of these functions, made by the compiler: one generic function for all of
/// them would look up their metadata for each value. The compiler makes them only because the protocols are
/// `@usableFromInline`.
extension SQLValue {
  @inlinable @inline(__always)
  package static func bind(
    at address: UnsafeRawPointer,
    to statement: Statement,
    _ number: Int
  ) throws(DatabaseError) {
    try address.assumingMemoryBound(to: Self.self).pointee.bind(to: statement, at: number)
  }

  @inlinable @inline(__always)
  package static func bindOptional(
    at address: UnsafeRawPointer,
    to statement: Statement,
    _ number: Int
  ) throws(DatabaseError) {
    if let value = address.assumingMemoryBound(to: Self?.self).pointee {
      try value.bind(to: statement, at: number)
    } else {
      try statement.bindNull(number)
    }
  }
}

/// The offset of a parameter's value in `Parameters`, and how the value is bound.
@usableFromInline struct BoundParameter: Sendable {
  /// The offset in bytes from the start of the parameters.
  let offset: Int
  /// A type and not a closure, which would be retained for each call.
  let value: any BoundValue.Type
  let type: ParameterType

  init<Parameters, Value: SQLValue>(_ name: KeyPath<Parameters, Value>) {
    self.init(offset: Self.offset(of: name), value: Value.self, type: ParameterType(Value.sqlType))
  }

  init<Parameters>(keys name: KeyPath<Parameters, [Int64]>) {
    self.init(offset: Self.offset(of: name), value: Keys.self, type: .keys)
  }

  private init(offset: Int, value: any BoundValue.Type, type: ParameterType) {
    self.offset = offset
    self.value = value
    self.type = type
  }

  /// The parameter of an enclosing structure that contains this one's structure at `distance` bytes.
  func moved(by distance: Int) -> BoundParameter {
    BoundParameter(offset: offset + distance, value: value, type: type)
  }

  /// Only stored properties have an offset. A computed property is a programming error, found when the statement is
  /// created.
  static func offset<Parameters>(of name: PartialKeyPath<Parameters>) -> Int {
    if let offset = MemoryLayout<Parameters>.offset(of: name) { return offset }
    preconditionFailure("\(name) is not a stored property.")
  }

  /// A list of keys, bound as the argument of `keys(?)`.
  private enum Keys: BoundValue {
    static func bind(at address: UnsafeRawPointer, to statement: Statement, _ number: Int) throws(DatabaseError) {
      try statement.bind(keys: address.assumingMemoryBound(to: [Int64].self).pointee, at: number)
    }

    static func bindOptional(
      at address: UnsafeRawPointer,
      to statement: Statement,
      _ number: Int
    ) throws(DatabaseError) {
      guard let keys = address.assumingMemoryBound(to: [Int64]?.self).pointee else {
        return try statement.bindNull(number)
      }
      try statement.bind(keys: keys, at: number)
    }
  }
}
