extension Dictionary {
  /// The value of a key, which is inserted if there is none. This hashes the key once, and a lookup followed by an
  /// insertion twice.
  mutating func value(of key: Key, orInsert value: Value) -> Value {
    func read(_ stored: inout Value) -> Value { stored }
    return read(&self[key, default: value])
  }
}
