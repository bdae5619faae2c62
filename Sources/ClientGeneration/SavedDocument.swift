import GraphQL

/// A request that was saved under a name, as in the playground. Its operation needs no name of its own.
package enum SavedDocument {
  /// The documents, each with the name of its request as the name of its only operation, unless that has one.
  /// `Screens/My dashboard` names it `MyDashboard`, or `ScreensMyDashboard` if another request has this name too.
  ///
  /// - Parameters:
  ///   - requests: The names and documents of the requests.
  ///   - spelling: Spells a name with the letters that names of operations can have.
  package static func named(
    _ requests: [(name: String, text: String)],
    spelling: (String) -> String = { $0 }
  ) -> [(name: String, text: String)] {
    let candidates = requests.map { request -> (unnamed: Unnamed, path: String, name: String)? in
      guard let unnamed = Unnamed(request.text) else { return nil }
      let path = spelling(request.name)
      return (unnamed, path, operationName(path.split(separator: "/").last ?? ""))
    }
    let counts = Dictionary(candidates.compactMap(\.?.name).map { ($0, 1) }, uniquingKeysWith: +)
    return zip(requests, candidates).map { request, candidate in
      guard let (unnamed, path, name) = candidate, !name.isEmpty else { return request }
      return (request.name, unnamed.text(named: counts[name] == 1 ? name : operationName(path[...])))
    }
  }

  /// Empty if the request's name has no characters that names of operations can have.
  private static func operationName(_ request: Substring) -> String {
    let words = request.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.map(SwiftName.capitalised).joined()
    return name.first?.isNumber == true ? "Request" + name : name
  }
}

/// A document whose only operation has no name.
private struct Unnamed {
  private let document: Document
  private let operation: NodeIndex

  init?(_ text: String) {
    guard let document = try? Parser.parse(Source(text), options: .trusted) else { return nil }
    let operations = Array(document.children(of: 0, .operationDefinition))
    guard operations.count == 1, document.name(operations[0]).isEmpty else { return nil }
    (self.document, operation) = (document, operations[0])
  }

  func text(named name: String) -> String {
    let bytes = document.source.bytes
    let keyword = bytes[start...].prefix { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") }
    let named = keyword.isEmpty ? "query \(name) " : String(decoding: keyword, as: UTF8.self) + " \(name)"
    return String(decoding: bytes[..<start], as: UTF8.self) + named
      + String(decoding: bytes[keyword.endIndex..<bytes.endIndex], as: UTF8.self)
  }

  /// Where the operation begins after its description and the comments that follow it.
  private var start: Int {
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
}
