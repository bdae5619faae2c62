/// Where a parameter's value lies in a statement's `Parameters`, and how it is bound.
@usableFromInline struct BoundParameter: Sendable {
  /// Binds the value at the address as the parameter with that number.
  @usableFromInline typealias Binder = @Sendable (UnsafeRawPointer, Statement, Int) throws(DatabaseError) -> Void

  /// In bytes, from the start of the parameters.
  @usableFromInline let offset: Int
  @usableFromInline let binder: Binder

  init<Parameters, Value: SQLValue>(_ name: KeyPath<Parameters, Value>) {
    offset = Self.offset(of: name)
    binder = { address, statement, number throws(DatabaseError) in
      try address.assumingMemoryBound(to: Value.self).pointee.bind(to: statement, at: number)
    }
  }

  init<Parameters>(keys name: KeyPath<Parameters, [Int64]>) {
    offset = Self.offset(of: name)
    binder = { address, statement, number throws(DatabaseError) in
      try statement.bind(number, keys: address.assumingMemoryBound(to: [Int64].self).pointee)
    }
  }

  private init(offset: Int, binder: @escaping Binder) {
    self.offset = offset
    self.binder = binder
  }

  /// The same value in parameters that contain these from `distance` bytes on.
  func moved(by distance: Int) -> BoundParameter { BoundParameter(offset: offset + distance, binder: binder) }

  /// Only stored properties have an offset: a computed one is a mistake in the program, found when the statement is
  /// made.
  static func offset<Parameters>(of name: PartialKeyPath<Parameters>) -> Int {
    if let offset = MemoryLayout<Parameters>.offset(of: name) { return offset }
    preconditionFailure("\(name) is not a stored property.")
  }
}
