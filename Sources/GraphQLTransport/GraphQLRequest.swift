import GraphQL
import HTTP
import JSON

/// A GraphQL request as HTTP carries it (GraphQL over HTTP, section 5): which document, which of its operations, with
/// which variables.
struct GraphQLRequest {
  /// The bytes by which the document is known to the plan cache: of a JSON body, the string as it stands there, escapes
  /// and all, so that a document seen before is never even unescaped.
  let documentKey: ArraySlice<UInt8>
  /// What a stored document is named by: `documentId`, or Apollo's `extensions.persistedQuery`.
  let documentID: ArraySlice<UInt8>?
  private let query: Query?
  let operationName: String?
  /// Without types: those are known with the operation.
  private(set) var variables: GivenVariables
  /// What a field's error does to what surrounds it: the request parameter of the proposal of that name.
  let onError: ErrorBehavior
  /// Bytes of the text that it was read from, all of which it keeps.
  let textBytes: Int
  /// Where a subscription goes on, as `extensions.position` says.
  var resume: String?

  private enum Query {
    case json(JSONValue)
    case text(String)
  }

  /// Whether it has the document with it, named or not.
  var hasDocument: Bool { query != nil }

  /// The document itself, where it came with the request.
  var document: [UInt8] {
    switch query {
    case nil: []
    case .json(let value): value.stringBytes.map(Array.init) ?? []
    case .text(let text): Array(text.utf8)
    }
  }

  /// A request in a body of `application/json`.
  init(json body: ArraySlice<UInt8>) throws(MalformedRequest) {
    let document: JSONDocument
    do {
      document = try JSONDocument(body)
    } catch {
      throw MalformedRequest("The body is not JSON: \(error.description)")
    }
    try self.init(document.root)
  }

  /// A request that is a JSON value.
  init(_ root: JSONValue) throws(MalformedRequest) {
    textBytes = root.textBytes
    guard let members = root.members else {
      throw MalformedRequest("The body must be a JSON object, not \(root.kind.name).")
    }
    var query: JSONValue?
    var operationName: JSONValue?
    var variables: JSONValue?
    var extensions: JSONValue?
    var documentID: JSONValue?
    var onError: JSONValue?
    for member in members {
      if member.key.equals("query") {
        try Self.set(&query, "query", member.value)
      } else if member.key.equals("variables") {
        try Self.set(&variables, "variables", member.value)
      } else if member.key.equals("operationName") {
        try Self.set(&operationName, "operationName", member.value)
      } else if member.key.equals("extensions") {
        try Self.set(&extensions, "extensions", member.value)
      } else if member.key.equals("onError") {
        try Self.set(&onError, "onError", member.value)
      } else if member.key.equals("documentId") {
        try Self.set(&documentID, "documentId", member.value)
      }
    }
    let understood = try RequestExtensions(extensions)
    resume = understood.resume
    if let documentID, !documentID.isNull, documentID.kind != .string {
      throw MalformedRequest("`documentId` must be a string, not \(documentID.kind.name).")
    }
    self.documentID = try Self.documentID(documentID?.stringBytes, understood.persistedQuery)
    if let query, !query.isNull {
      guard query.kind == .string else { throw MalformedRequest("`query` must be a string, not \(query.kind.name).") }
      self.query = .json(query)
      documentKey = query.rawBytes.dropFirst().dropLast()
    } else {
      guard self.documentID != nil else { throw MalformedRequest("The request has no `query`.") }
      self.query = nil
      documentKey = []
    }
    self.operationName = try Self.name(operationName)
    self.variables = GivenVariables(try Self.object(variables))
    self.onError = try Self.errorBehavior(onError.flatMap { $0.isNull ? nil : $0.string ?? "" })
  }

  /// A request in the query of a GET.
  init(form fields: FormFields) throws(MalformedRequest) {
    // At most a request line.
    textBytes = 0
    for name in ["query", "operationName", "variables", "extensions", "documentId", "onError"]
    where fields.fields.count(where: { $0.name == name }) > 1 {
      throw MalformedRequest("`\(name)` is given twice.")
    }
    let understood = try RequestExtensions(try Self.json(fields["extensions"], "extensions"))
    resume = understood.resume
    documentID = try Self.documentID(fields["documentId"].map { ArraySlice($0.utf8) }, understood.persistedQuery)
    if let query = fields["query"] {
      self.query = .text(query)
      // With a byte that no string of JSON holds, since the same bytes mean something else there where escapes are.
      documentKey = ArraySlice(query.utf8) + [UInt8(ascii: "\n")]
    } else {
      guard documentID != nil else { throw MalformedRequest("The request has no `query`.") }
      query = nil
      documentKey = []
    }
    operationName = fields["operationName"].flatMap { $0.isEmpty ? nil : $0 }
    onError = try Self.errorBehavior(fields["onError"])
    variables = GivenVariables(try Self.object(try Self.json(fields["variables"], "variables")))
  }

  /// A parameter of a GET that is JSON.
  private static func json(_ text: String?, _ name: String) throws(MalformedRequest) -> JSONValue? {
    guard let text, !text.isEmpty else { return nil }
    do {
      return try JSONDocument(Array(text.utf8)).root
    } catch {
      throw MalformedRequest("`\(name)` is not JSON: \(error.description)")
    }
  }

  /// The prefix is that of GraphQL over HTTP's persisted documents; without one it is a name that the deployment chose.
  private static func documentID(
    _ given: ArraySlice<UInt8>?,
    _ persistedQuery: ArraySlice<UInt8>?
  ) throws(MalformedRequest) -> ArraySlice<UInt8>? {
    guard let given else { return persistedQuery }
    guard persistedQuery == nil else {
      throw MalformedRequest("A document is named by `documentId` or by `extensions.persistedQuery`, not by both.")
    }
    let id = given.prefix(7).equals("sha256:") ? given.dropFirst(7) : given
    guard isDocumentID(id) else { throw MalformedRequest("`documentId` must have 1 to 256 bytes.") }
    return id
  }

  static func isDocumentID(_ id: ArraySlice<UInt8>) -> Bool { (1...256).contains(id.count) }

  private static func set(_ value: inout JSONValue?, _ name: String, _ given: JSONValue) throws(MalformedRequest) {
    guard value == nil else { throw MalformedRequest("`\(name)` is given twice.") }
    value = given
  }

  private static func name(_ value: JSONValue?) throws(MalformedRequest) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let name = value.string else {
      throw MalformedRequest("`operationName` must be a string, not \(value.kind.name).")
    }
    return name
  }

  private static func errorBehavior(_ name: String?) throws(MalformedRequest) -> ErrorBehavior {
    guard let name else { return .propagate }
    guard let behavior = ErrorBehavior(rawValue: name) else {
      throw MalformedRequest("`onError` must be PROPAGATE, NULL or HALT.")
    }
    return behavior
  }

  private static func object(_ value: JSONValue?) throws(MalformedRequest) -> JSONValue? {
    guard let value, !value.isNull else { return nil }
    guard value.kind == .object else {
      throw MalformedRequest("`variables` must be an object, not \(value.kind.name).")
    }
    return value
  }

  /// Puts a file in place of a `null` of the variables; false when there is none at the path.
  mutating func put(file: Int, at path: ArraySlice<Substring>) -> Bool { variables.put(file: file, at: path) }
}

/// A request that is not GraphQL over HTTP at all.
struct MalformedRequest: Error {
  let message: String
  init(_ message: String) { self.message = message }
}

extension JSONValue.Kind {
  var name: String {
    switch self {
    case .null: "null"
    case .boolean: "a Boolean"
    case .string: "a string"
    case .number: "a number"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
