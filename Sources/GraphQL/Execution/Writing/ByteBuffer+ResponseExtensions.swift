import Bytes

extension ByteBuffer {
  /// Adds `extensions` to a response, which is a JSON object that is not empty and has none.
  ///
  /// - Parameter extensions: A JSON object.
  package mutating func append(extensions: String) {
    truncate(to: count - 1)
    append(",\"extensions\":")
    append(extensions)
    append("}")
  }
}
