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
    let start = keywordStart(of: operations[0], in: document)
    let keyword = bytes[start...].prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    let named = keyword.isEmpty ? "query \(name) " : String(decoding: keyword, as: UTF8.self) + " \(name)"
    return String(decoding: bytes[..<start], as: UTF8.self) + named
      + String(decoding: bytes[keyword.endIndex..<bytes.endIndex], as: UTF8.self)
  }

  /// Where the operation begins after its description and the comments that follow it.
  private static func keywordStart(of operation: NodeIndex, in document: Document) -> Int {
    guard let description = document.description(of: operation) else { return Int(document[operation].start) }
    let bytes = document.source.bytes
    var position = Int(document[description].end)
    var isComment = false
    // The document is valid: everything up to the keyword is ignored (specification, section 2.1.7).
    while isComment || !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[position]) {
      let byte = bytes[position]
      isComment = byte == UInt8(ascii: "#") || isComment && byte != UInt8(ascii: "\n") && byte != UInt8(ascii: "\r")
      position += 1
    }
    return position
  }

  /// Empty if the request's name has no characters that names of operations can have.
  private static func operationName(_ request: String) -> String {
    let last = request.split(separator: "/").last ?? ""
    let words = last.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map(SwiftName.capitalised).joined()
    return name.first?.isNumber == true ? "Request" + name : name
  }
}
