/// The offset of a parameter's value in `Parameters`, and how the value is bound.
@usableFromInline struct BoundParameter: Sendable {
  /// Binds the value at an address to the parameter with a number.
  @usableFromInline typealias Binder = @Sendable (UnsafeRawPointer, Statement, Int) throws(DatabaseError) -> Void

  /// The offset in bytes from the start of the parameters.
  @usableFromInline let offset: Int
  @usableFromInline let binder: Binder
  let type: ParameterType

  init<Parameters, Value: SQLValue>(_ name: KeyPath<Parameters, Value>) {
    offset = Self.offset(of: name)
    type = ParameterType(Value.sqlType)
    binder = { address, statement, number throws(DatabaseError) in
      try address.assumingMemoryBound(to: Value.self).pointee.bind(to: statement, at: number)
    }
  }

  init<Parameters>(keys name: KeyPath<Parameters, [Int64]>) {
    offset = Self.offset(of: name)
    type = .keys
    binder = { address, statement, number throws(DatabaseError) in
      try statement.bind(keys: address.assumingMemoryBound(to: [Int64].self).pointee, at: number)
    }
  }

  private init(offset: Int, binder: @escaping Binder, type: ParameterType) {
    self.offset = offset
    self.binder = binder
    self.type = type
  }

  /// The parameter of an enclosing structure that contains this one's structure at `distance` bytes.
  func moved(by distance: Int) -> BoundParameter {
    BoundParameter(offset: offset + distance, binder: binder, type: type)
  }

  /// Only stored properties have an offset. A computed property is a programming error, found when the statement is
  /// created.
  static func offset<Parameters>(of name: PartialKeyPath<Parameters>) -> Int {
    if let offset = MemoryLayout<Parameters>.offset(of: name) { return offset }
    preconditionFailure("\(name) is not a stored property.")
  }
}
