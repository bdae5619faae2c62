import GraphQL
import HTTP
import JSON

/// The parameters of a GraphQL request (GraphQL over HTTP, section 5).
struct GraphQLRequest {
  /// The key of the document in the plan cache. For a JSON body it is the string as sent, with its escapes, so that a
  /// cached document is never unescaped.
  let documentKey: ArraySlice<UInt8>
  /// The identifier of a stored document: `documentId`, or Apollo's `extensions.persistedQuery`.
  let documentID: ArraySlice<UInt8>?
  /// Whether the identifier is Apollo's.
  let namesPersistedQuery: Bool
  /// Nil if the request does not contain the document.
  private let documentForm: DocumentForm?
  let operationName: String?
  /// Not yet coerced: the types are known with the operation.
  private(set) var variables: GivenVariables
  /// How a field error affects its parent fields: the `onError` parameter, as proposed for the GraphQL specification.
  let onError: ErrorBehavior
  /// Size in bytes of the text that the request was parsed from and keeps alive.
  let textBytes: Int
  /// The position from which a subscription resumes (`extensions.position`).
  var resume: String?
  /// The idempotency key of a mutation: `extensions.idempotencyKey`, or the header `Idempotency-Key`.
  var idempotencyKey: String?
  /// Why the header `Idempotency-Key` is not usable, for a mutation.
  var idempotencyFault: String?
  /// Whether the client asks for the cost and the times of the request (`extensions.trace`).
  let wantsTrace: Bool

  /// What `documentKey` is.
  private enum DocumentForm {
    /// The content of a JSON string, with its escapes.
    case jsonString
    /// The text of the document, and a byte that cannot occur in a JSON string: the same bytes have another meaning
    /// there if they contain escapes.
    case text
  }

  /// Whether the request contains the document.
  var hasDocument: Bool { documentForm != nil }

  /// The document, if the request contains it; otherwise empty.
  var document: [UInt8] {
    switch documentForm {
    case nil: []
    case .jsonString: JSONEscape.decode(documentKey)
    case .text: Array(documentKey.dropLast())
    }
  }
}

// Initializers are in extensions: the one of the members makes a request without a copy, which took 400 instructions.
extension GraphQLRequest {
  /// Reads a request in a body of `application/json`.
  static func read(json body: ArraySlice<UInt8>) throws(BadRequestError) -> GraphQLRequest {
    var memory = JSONMemory()
    return try read(document(in: body, &memory).root)
  }

  /// Parses a body of `application/json`.
  static func document(
    in body: consuming ArraySlice<UInt8>,
    _ memory: inout JSONMemory
  ) throws(BadRequestError) -> JSONDocument {
    do {
      return try memory.read(body)
    } catch {
      throw BadRequestError("The body is not JSON: \(error.description)", isMalformedText: true)
    }
  }

  /// Reads a request that is a JSON value.
  static func read(_ root: JSONValue) throws(BadRequestError) -> GraphQLRequest {
    guard root.kind == .object else {
      throw BadRequestError("The body must be a JSON object, not \(root.kind.name).")
    }
    let members = try members(of: root)
    let understood = try RequestExtensions.read(members.extensions.flatMap { root.presentValue(at: $0) })
    let givenID = members.documentID.flatMap { root.presentValue(at: $0) }
    let storedID = try storedDocumentID(givenID, understood: understood)
    var documentKey: ArraySlice<UInt8> = []
    var documentForm: DocumentForm?
    if let query = members.query, let bytes = root.escapedBytes(at: query) {
      documentKey = bytes
      documentForm = .jsonString
    } else {
      if let value = members.query.flatMap({ root.presentValue(at: $0) }) {
        throw BadRequestError("`query` must be a string, not \(value.kind.name).")
      }
      guard storedID != nil else { throw BadRequestError("The request has no `query`.") }
    }
    return GraphQLRequest(
      documentKey: documentKey,
      documentID: storedID,
      namesPersistedQuery: understood?.persistedQuery != nil,
      documentForm: documentForm,
      operationName: try name(members.operationName.flatMap { root.presentValue(at: $0) }),
      variables: GivenVariables(try object(members.variables.flatMap { root.presentValue(at: $0) })),
      onError: try errorBehavior(members.onError.flatMap { root.presentValue(at: $0) }.map { $0.string ?? "" }),
      textBytes: root.textBytes,
      resume: understood?.resume,
      idempotencyKey: understood?.idempotencyKey,
      wantsTrace: understood?.wantsTrace ?? false
    )
  }

  /// Where the parameters of a request are in a JSON object.
  private struct Members {
    var query: JSONPosition?
    var operationName: JSONPosition?
    var variables: JSONPosition?
    var extensions: JSONPosition?
    var documentID: JSONPosition?
    var onError: JSONPosition?
  }

  /// Finds the parameters of a request, none of which may be given twice.
  @inline(__always)
  private static func members(of root: JSONValue) throws(BadRequestError) -> Members {
    var members = Members()
    try root.forEachMember { (key, value) throws(BadRequestError) in
      if root.equals("query", at: key) {
        try set(&members.query, named: "query", to: value)
      } else if root.equals("variables", at: key) {
        try set(&members.variables, named: "variables", to: value)
      } else if root.equals("operationName", at: key) {
        try set(&members.operationName, named: "operationName", to: value)
      } else if root.equals("extensions", at: key) {
        try set(&members.extensions, named: "extensions", to: value)
      } else if root.equals("onError", at: key) {
        try set(&members.onError, named: "onError", to: value)
      } else if root.equals("documentId", at: key) {
        try set(&members.documentID, named: "documentId", to: value)
      }
    }
    return members
  }

  /// A request in the query of a GET.
  init(form fields: FormFields) throws(BadRequestError) {
    for name in ["query", "operationName", "variables", "extensions", "documentId", "onError"]
    where fields.fields.count(where: { $0.name == name }) > 1 {
      throw BadRequestError("`\(name)` is given twice.")
    }
    let understood = try RequestExtensions.read(try Self.json(fields["extensions"], named: "extensions"))
    let documentID = try Self.documentID(
      fields["documentId"].map { ArraySlice($0.utf8) },
      persistedQuery: understood?.persistedQuery
    )
    let query = fields["query"]
    guard query != nil || documentID != nil else { throw BadRequestError("The request has no `query`.") }
    self.init(
      documentKey: query.map { ArraySlice($0.utf8) + [UInt8(ascii: "\n")] } ?? [],
      documentID: documentID,
      namesPersistedQuery: understood?.persistedQuery != nil,
      documentForm: query.map { _ in .text },
      operationName: try Self.operationName(fields["operationName"]),
      variables: GivenVariables(try Self.object(try Self.json(fields["variables"], named: "variables"))),
      onError: try Self.errorBehavior(fields["onError"]),
      // Not charged: it is bounded by the length of the request line.
      textBytes: 0,
      resume: understood?.resume,
      idempotencyKey: understood?.idempotencyKey,
      // The response can be stored, and its entity tag must depend on the data alone.
      wantsTrace: false
    )
  }

  /// Parses a parameter of a GET as JSON.
  private static func json(_ text: String?, named name: String) throws(BadRequestError) -> JSONValue? {
    guard let text, !text.isEmpty else { return nil }
    do {
      return try JSONDocument(Array(text.utf8)).root
    } catch {
      throw BadRequestError("`\(name)` is not JSON: \(error.description)", isMalformedText: true)
    }
  }

  /// Most requests name no stored document.
  @inline(__always)
  private static func storedDocumentID(
    _ given: JSONValue?,
    understood: RequestExtensions?
  ) throws(BadRequestError) -> ArraySlice<UInt8>? {
    guard given != nil || understood != nil else { return nil }
    if let given, given.kind != .string {
      throw BadRequestError("`documentId` must be a string, not \(given.kind.name).")
    }
    return try Self.documentID(given?.stringBytes, persistedQuery: understood?.persistedQuery)
  }

  /// The prefix `sha256:` is the one of persisted documents in GraphQL over HTTP. Without it, the identifier is a name
  /// that the deployment chose.
  private static func documentID(
    _ given: ArraySlice<UInt8>?,
    persistedQuery: ArraySlice<UInt8>?
  ) throws(BadRequestError) -> ArraySlice<UInt8>? {
    guard let given else { return persistedQuery }
    guard persistedQuery == nil else {
      throw BadRequestError("A request must not name a document by both `documentId` and `extensions.persistedQuery`.")
    }
    let id = given.prefix(7).equals("sha256:") ? given.dropFirst(7) : given
    guard isDocumentID(id) else { throw BadRequestError("`documentId` must have 1 to 256 bytes.") }
    return id
  }

  static func isDocumentID(_ id: ArraySlice<UInt8>) -> Bool { (1...256).contains(id.count) }

  private static func set(
    _ value: inout JSONPosition?,
    named name: String,
    to given: JSONPosition
  ) throws(BadRequestError) {
    guard value == nil else { throw BadRequestError("`\(name)` is given twice.") }
    value = given
  }

  private static func name(_ value: JSONValue?) throws(BadRequestError) -> String? {
    guard let value, !value.isNull else { return nil }
    guard let name = value.string else {
      throw BadRequestError("`operationName` must be a string, not \(value.kind.name).")
    }
    return try operationName(name)
  }

  /// Names of GraphQL are ASCII. Others are rejected before they are compared with those of operations: Swift compares
  /// texts normalized, which takes quadratic time for many combining marks in a row, 90 ms for 32 KB.
  private static func operationName(_ name: String?) throws(BadRequestError) -> String? {
    // No operation has an empty name. Clients send it for no name, as they must in a GET.
    guard let name, !name.isEmpty else { return nil }
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else {
      throw BadRequestError("`operationName` must be a GraphQL name: ASCII characters only.")
    }
    return name
  }

  @inline(__always)
  private static func errorBehavior(_ name: String?) throws(BadRequestError) -> ErrorBehavior {
    guard let name else { return .propagate }
    // A text that is longer than each value is not compared: see `operationName`.
    guard name.utf8.count <= 16, let behavior = ErrorBehavior(rawValue: name) else {
      throw BadRequestError("`onError` must be PROPAGATE, NULL or HALT.")
    }
    return behavior
  }

  private static func object(_ value: consuming JSONValue?) throws(BadRequestError) -> JSONValue? {
    guard let value, !value.isNull else { return nil }
    guard value.kind == .object else {
      throw BadRequestError("`variables` must be an object, not \(value.kind.name).")
    }
    return value
  }

  /// Replaces the `null` at a path of the variables with a file. Returns false if there is no `null` at the path.
  mutating func put(file: Int, at path: ArraySlice<Substring>) -> Bool { variables.put(file: file, at: path) }
}

/// The error of a malformed request. Its code is `BAD_REQUEST`.
struct BadRequestError: Error {
  let message: String
  /// Whether the text cannot be parsed. Otherwise it is JSON, but not a GraphQL request.
  let isMalformedText: Bool

  init(_ message: String, isMalformedText: Bool = false) {
    self.message = message
    self.isMalformedText = isMalformedText
  }
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
