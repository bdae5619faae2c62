import PostgreSQL

extension ParameterBuffer {
  /// The parameters of a statement in the server's format. Those that are not bound are NULL.
  init(_ parameters: ParameterBytes, of statement: ServerStatement) throws(DatabaseError) {
    self.init(byteCount: parameters.byteCount, count: statement.types.count)
    try parameters.forEach { number, value throws(DatabaseError) in
      switch value {
      case .null: appendNull()
      case .int64(let value): append(value)
      case .double(let value): append(value)
      case .text(let text): append(text: text)
      case .blob(let blob): append(bytes: blob)
      case .keys(let keys): append(keys: keys)
      }
      moveLast(to: number)
    }
    padWithNulls(to: statement.types.count)
  }
}
