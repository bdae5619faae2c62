import GraphQL

/// A request that was saved under a name, as in the playground. Its operation needs no name of its own.
package enum SavedDocument {
  /// The document with the name of the request as the name of its only operation, unless that has one. `Screens/My
  /// dashboard` names it `MyDashboard`.
  package static func named(_ text: String, after request: String) -> String {
    let name = operationName(request)
    guard !name.isEmpty, let document = try? Parser.parse(Source(text), options: .trusted) else { return text }
    let operations = Array(document.children(of: 0, .operationDefinition))
    guard operations.count == 1, document.name(operations[0]).isEmpty else { return text }
    let bytes = document.source.bytes
    let start = Int(document[operations[0]].start)
    let keyword = bytes[start...].prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    let named = keyword.isEmpty ? "query \(name) " : String(decoding: keyword, as: UTF8.self) + " \(name)"
    return String(decoding: bytes[..<start], as: UTF8.self) + named
      + String(decoding: bytes[keyword.endIndex..<bytes.endIndex], as: UTF8.self)
  }

  /// Empty if the request's name has no characters that names of operations can have.
  private static func operationName(_ request: String) -> String {
    let last = request.split(separator: "/").last ?? ""
    let words = last.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map(SwiftName.capitalised).joined()
    return name.first?.isNumber == true ? "Request" + name : name
  }
}
