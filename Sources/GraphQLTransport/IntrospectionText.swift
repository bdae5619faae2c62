/// Detects from its text alone whether a document can contain introspection fields.
enum IntrospectionText {
  private static let names: [[UInt8]] = [Array("__schema".utf8), Array("__type".utf8)]
  private static let typename = Array("__typename".utf8)

  static func isMentioned(in document: [UInt8]) -> Bool {
    var index = document.startIndex
    while let start = document[index...].firstIndex(of: 0x5F) {
      let rest = document[start...]
      if names.contains(where: rest.starts(with:)) && !rest.starts(with: typename) { return true }
      index = start + 1
    }
    return false
  }
}
