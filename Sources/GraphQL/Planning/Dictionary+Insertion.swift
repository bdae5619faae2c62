extension Dictionary {
  /// Returns the value of a key. Inserts `value` if the dictionary does not contain the key.
  ///
  /// The key is hashed once. A lookup and an insertion hash it twice.
  mutating func value(of key: Key, orInsert value: Value) -> Value {
    func read(_ stored: inout Value) -> Value { stored }
    return read(&self[key, default: value])
  }
}
