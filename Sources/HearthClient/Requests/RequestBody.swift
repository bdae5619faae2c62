import Foundation

/// The body of a request: JSON, or with files a form as specified by the GraphQL multipart request specification.
struct RequestBody {
  let contentType: String
  let bytes: Data
  let hasFiles: Bool

  init<Operation: GraphQLOperation>(_ operation: Operation, position: String? = nil) throws {
    var files: [(path: String, file: UploadFile)] = []
    let (member, document) = Operation.documentID.map { ("documentId", $0) } ?? ("query", Operation.document)
    var body: [String: Any] = [
      member: document,
      "operationName": Operation.operationName,
      "variables": Self.object(operation.variables, at: "variables", &files),
    ]
    if let position { body["extensions"] = ["position": position] }
    let json = try Self.json(body)
    hasFiles = !files.isEmpty
    guard hasFiles else {
      contentType = "application/json"
      bytes = json
      return
    }
    let boundary = "hearth-" + UUID().uuidString
    contentType = "multipart/form-data; boundary=" + boundary
    var form = Data()
    func part(named name: String, content: Data, file: UploadFile? = nil) {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\""
      if let file {
        head += "; filename=\"\(Self.quoted(file.name))\"\r\nContent-Type: \(Self.plain(file.contentType))"
      }
      form += Data((head + "\r\n\r\n").utf8) + content + Data("\r\n".utf8)
    }
    var map: [String: [String]] = [:]
    for (number, each) in files.enumerated() { map[String(number)] = [each.path] }
    part(named: "operations", content: json)
    part(named: "map", content: try Self.json(map))
    for (number, each) in files.enumerated() { part(named: String(number), content: each.file.bytes, file: each.file) }
    form += Data("--\(boundary)--\r\n".utf8)
    bytes = form
  }

  private static func json(_ value: Any) throws -> Data {
    try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func object(
    _ fields: [GraphQLInputField],
    at path: String,
    _ files: inout [(path: String, file: UploadFile)]
  ) -> [String: Any] {
    var object: [String: Any] = [:]
    for field in fields {
      if let value = field.value { object[field.name] = json(value, at: "\(path).\(field.name)", &files) }
    }
    return object
  }

  private static func json(
    _ value: GraphQLInputValue,
    at path: String,
    _ files: inout [(path: String, file: UploadFile)]
  ) -> Any {
    switch value {
    case .null: return NSNull()
    case .boolean(let value): return value
    case .integer(let value): return value
    case .number(let value): return value
    case .string(let value): return value
    case .list(let values):
      var list: [Any] = []
      for (index, value) in values.enumerated() { list.append(json(value, at: "\(path).\(index)", &files)) }
      return list
    case .object(let fields): return object(fields, at: path, &files)
    case .upload(let file):
      files.append((path, file))
      return NSNull()
    }
  }

  /// Quotes a name as browsers do (HTML, "multipart/form-data encoding algorithm").
  private static func quoted(_ name: String) -> String {
    plain(name).replacing("\"", with: "%22")
  }

  private static func plain(_ text: String) -> String {
    text.replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }
}
