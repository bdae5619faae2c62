import Crypto
import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Stored documents")
struct StoredDocumentTests {
  static let document =
    "query Name($skip: Boolean = false) { viewer { ... on Account @skip(if: $skip) { person { name } } } }"
  static let name = #"{"data":{"viewer":{"person":{"name":"Ada Lovelace"}}}}"#
  static let notFound =
    #"{"errors":[{"message":"PersistedQueryNotFound","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#

  static func hash(_ document: String) -> String {
    SHA256.hash(data: Data(document.utf8)).map { String(format: "%02x", $0) }.joined()
  }

  /// A request of Apollo's protocol.
  static func request(_ hash: String, _ document: String? = nil, variables: Value? = nil) -> Value {
    var request: Value = ["extensions": ["persistedQuery": ["version": 1, "sha256Hash": .string(hash)]]]
    if let document { request = request.setting("query", .string(document)) }
    if let variables { request = request.setting("variables", variables) }
    return request
  }

  private func ask(_ client: Client, _ request: Value, accept: String = "application/json") async throws -> HTTPAnswer {
    let headers = client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
    return try await client.http.post(request.text, accept: accept, headers: headers)
  }

  private func encoded(_ text: String) throws -> String {
    try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
  }

  // MARK: Automatic persisted queries

  @Test(arguments: [1, 2])
  func `a document is sent once, and named from then on`(loops: Int) async throws {
    try await TestServer.run(loops: loops) { server in
      let ada = try await Household(on: server)
      let hash = Self.hash(Self.document)
      for accept in ["application/json", "application/graphql-response+json"] {
        let unknown = try await ask(ada.parent, Self.request(hash), accept: accept)
        #expect(unknown.status == 200 && unknown.text == Self.notFound)
      }
      #expect(try await ask(ada.parent, Self.request(hash, Self.document)).text == Self.name)
      // Whatever the loop of the next connection.
      for _ in 0..<6 {
        let another = ada.parent.another
        #expect(try await ask(another, Self.request(hash)).text == Self.name)
        #expect(
          try await ask(another, Self.request(hash, variables: ["skip": true])).text == #"{"data":{"viewer":{}}}"#
        )
        #expect(try await ask(another, Self.request(hash, Self.document)).text == Self.name)
        #expect(try await ask(another, ["documentId": .string("sha256:" + hash)]).text == Self.name)
      }
      // It reveals nothing to other callers.
      #expect(try await ask(server.visitor, Self.request(hash)).text == #"{"data":{"viewer":null}}"#)
    }
  }

  /// Apollo iOS reads no error with another status. Other clients can expect one by the media type.
  @Test func `an unknown document has the status of an error, except in Apollo's protocol`() async throws {
    try await TestServer.run { server in
      let hash = Self.hash(Self.document)
      for (accept, status) in [("application/graphql-response+json", 422), ("application/json", 200)] {
        for id in ["sha256:" + hash, "Nothing"] {
          let unknown = try await ask(server.visitor, ["documentId": .string(id)], accept: accept)
          #expect(unknown.status == status && unknown.codes == ["PERSISTED_QUERY_NOT_FOUND"], "\(unknown.text)")
        }
        let apollo = try await ask(server.visitor, Self.request(hash), accept: accept)
        #expect(apollo.status == 200 && apollo.text == Self.notFound)
      }
    }
  }

  @Test func `by GET as well`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")"), ("Accept", "application/json")]
      let hash = Self.hash(Self.document)
      let extensions = try encoded(Self.request(hash)["extensions"].text)
      let named = "/graphql?extensions=\(extensions)"
      #expect(try await server.http.get(named, headers: headers).text == Self.notFound)
      let whole = try named + "&query=" + encoded(Self.document)
      #expect(try await server.http.get(whole, headers: headers).text == Self.name)
      #expect(try await server.http.get(named, headers: headers).text == Self.name)
      let variables = try named + "&variables=" + encoded(#"{"skip":true}"#)
      #expect(try await server.http.get(variables, headers: headers).text == #"{"data":{"viewer":{}}}"#)
      #expect(try await server.http.get("/graphql?documentId=sha256:\(hash)", headers: headers).text == Self.name)
    }
  }

  @Test func `over WebSockets and event streams as well`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let socket = try await LiveSocket.open(server.port)
      try await socket.initialize(ada.parent.token)
      let hash = Self.hash(Self.document)
      func subscribe(_ id: String, _ request: Value) async throws {
        try await socket.send(#"{"id":"\#(id)","type":"subscribe","payload":\#(request.text)}"#)
      }
      try await subscribe("1", Self.request(hash))
      guard case .text(let rejection) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(rejection.contains(#""type":"error""#) && rejection.contains("PERSISTED_QUERY_NOT_FOUND"))
      for (id, document) in [("2", Self.document), ("3", nil)] {
        try await subscribe(id, Self.request(hash, document))
        #expect(try await socket.receive() == next(id, Self.name))
        #expect(try await socket.receive() == complete(id))
      }
      let (port, token) = (server.port, ada.parent.token ?? "")
      let body = Self.request(hash).text
      let stream = try await TestThread {
        let socket = try TestSocket(port: port)
        try socket.send(
          "POST /graphql HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAccept: text/event-stream\r\n"
            + "Content-Type: application/json\r\nAuthorization: Bearer \(token)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return String(decoding: try socket.receiveAll(), as: UTF8.self)
      }.value
      #expect(stream.contains("event: next\ndata: \(Self.name)\n\n"), "\(stream)")
    }
  }

  @Test func `a hash of another document is rejected, and nothing is stored`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let hash = Self.hash(Self.document)
      let wrong = try await ask(ada.parent, Self.request(hash, "{ viewer { __typename } }"))
      #expect(wrong.codes == ["PERSISTED_QUERY_HASH_MISMATCH"])
      #expect(try await ask(ada.parent, Self.request(hash)).text == Self.notFound)
      // Nor where the hash is known.
      #expect(try await ask(ada.parent, Self.request(hash, Self.document)).text == Self.name)
      #expect(try await ask(ada.parent, Self.request(hash, "{ viewer { __typename } }")).codes == wrong.codes)
      #expect(try await ask(ada.parent, Self.request(hash)).text == Self.name)
    }
  }

  @Test func `a document that is not good is not kept`() async throws {
    try await TestServer.run { server in
      for document in ["{ nothing }", "{"] {
        let hash = Self.hash(document)
        let rejected = try await ask(server.visitor, Self.request(hash, document))
        #expect(rejected.codes.count == 1)
        #expect(try await ask(server.visitor, Self.request(hash)).text == Self.notFound)
      }
    }
  }

  @Test func `a mutation stays one that GET may not send`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let document = #"mutation { addItem(input: {name: "Tent"}) { item { name } } }"#
      let hash = Self.hash(document)
      #expect(try await ask(ada.parent, Self.request(hash, document)).json["data.addItem.item.name"] == "Tent")
      let headers = [("Authorization", "Bearer \(ada.parent.token ?? "")")]
      #expect(try await server.http.get("/graphql?documentId=\(hash)", headers: headers).status == 405)
      #expect(try await ada.parent.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"] == 1)
    }
  }

  private static let invalidNames: [(body: String, message: String)] = [
    (#"{"extensions":{"persistedQuery":7}}"#, "`extensions.persistedQuery` must be an object, not a number."),
    (#"{"extensions":{"persistedQuery":{}}}"#, "`extensions.persistedQuery.version` must be 1."),
    (
      #"{"extensions":{"persistedQuery":{"version":2,"sha256Hash":"a"}}}"#,
      "`extensions.persistedQuery.version` must be 1."
    ),
    (
      #"{"extensions":{"persistedQuery":{"version":1,"sha256Hash":""}}}"#,
      "`extensions.persistedQuery.sha256Hash` must be the SHA-256 of a document."
    ),
    (
      #"{"documentId":"a","extensions":{"persistedQuery":{"version":1,"sha256Hash":"a"}}}"#,
      "A request must not name a document by both `documentId` and `extensions.persistedQuery`."
    ),
    (#"{"documentId":7}"#, "`documentId` must be a string, not a number."),
    (#"{"documentId":""}"#, "`documentId` must have 1 to 256 bytes."),
    (#"{"documentId":"sha256:"}"#, "`documentId` must have 1 to 256 bytes."),
    (#"{"documentId":"\#(String(repeating: "a", count: 257))"}"#, "`documentId` must have 1 to 256 bytes."),
    (#"{"documentId":"a","documentId":"a"}"#, "`documentId` is given twice."),
    (#"{"documentId":null}"#, "The request has no `query`."),
  ]

  @Test func `an invalid name is reported`() async throws {
    try await TestServer.run { server in
      await checkEach(Self.invalidNames) { body, message in
        let answer = try await server.http.post(body)
        #expect(answer.status == 422 && answer.codes == ["BAD_REQUEST"], "\(body)")
        #expect(answer.json["errors.0.message"] == .string(message), "\(body)")
      }
    }
  }

  // MARK: Trusted documents

  private static let files = [
    "Name.graphql": document, "screens/Kind.graphql": "{ viewer { __typename } }",
    "Two.graphql": "query One { __typename } query Other { other: __typename }", "notes.txt": "not a document",
  ]

  private func folder(_ files: [String: String]) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    for (name, text) in files {
      let file = URL(fileURLWithPath: folder.path + "/" + name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return folder
  }

  @Test func `of a folder are named by their files, or their hashes`() async throws {
    let folder = try folder(Self.files)
    try await TestServer.run(configure: { $0.trustedDocuments = folder.path }) { server in
      let ada = try await Household(on: server)
      for id in ["Name", Self.hash(Self.document), "sha256:" + Self.hash(Self.document)] {
        for _ in 0..<2 { #expect(try await ask(ada.parent, ["documentId": .string(id)]).text == Self.name) }
      }
      #expect(try await ask(ada.parent, Self.request("Name")).text == Self.name)
      #expect(
        try await ask(ada.parent, ["documentId": "screens/Kind"]).text
          == #"{"data":{"viewer":{"__typename":"Account"}}}"#
      )
      let other = try await ask(ada.parent, ["documentId": "Two", "operationName": "Other"])
      #expect(other.text == #"{"data":{"other":"Query"}}"#)
      #expect(try await ask(ada.parent, ["documentId": "Two"]).codes == ["OPERATION_RESOLUTION_FAILURE"])
      #expect(try await ask(ada.parent, ["documentId": "Nothing"]).codes == ["PERSISTED_QUERY_NOT_FOUND"])
      // A document with a name of its own is not known by its hash.
      let both: Value = ["documentId": "Name", "query": "{ __typename }"]
      #expect(try await ask(ada.parent, both).codes == ["PERSISTED_QUERY_HASH_MISMATCH"])
      // Others are executed as ever.
      #expect(try await ada.parent.ask("{ __typename }")["data.__typename"] == "Query")
    }
  }

  @Test func `are either named or sent, unless they are sent with their hashes`() async throws {
    let folder = try folder(Self.files)
    try await TestServer.run(configure: {
      $0.trustedDocuments = folder.path
      $0.acceptedDocuments = .trusted
    }) { server in
      let notBoth: Value = "Send `documentId` or `query`, not both: only the SHA-256 of a document can be sent with it."
      let hash = Self.hash(Self.document)
      let mismatch: Value = "The SHA-256 of the document does not match the given identifier."
      let cases: [(Value, Value)] = [
        (["documentId": "Name", "query": Value.string(Self.document)] as Value, notBoth),
        (["documentId": "Name", "query": ""] as Value, notBoth),
        (["documentId": Value.string(hash), "query": ""] as Value, notBoth),
        (["documentId": Value.string(hash), "query": "{ __typename }"] as Value, mismatch),
        (Self.request("Name", Self.document), mismatch),
      ]
      for (request, message) in cases {
        let answer = try await ask(server.visitor, request)
        #expect(answer.codes == ["PERSISTED_QUERY_HASH_MISMATCH"], "\(answer.text)")
        #expect(answer.json["errors.0.message"] == message, "\(answer.text)")
      }
    }
  }

  @Test(arguments: [
    #"{"Name": DOCUMENT}"#,
    #"{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"Name","name":"Name","type":"query","body":DOCUMENT}]}"#,
  ])
  func `of a manifest are named as there`(manifest: String) async throws {
    let folder = try folder(["m.json": manifest.replacing("DOCUMENT", with: Value.string(Self.document).text)])
    try await TestServer.run(configure: { $0.trustedDocuments = folder.path + "/m.json" }) { server in
      let ada = try await Household(on: server)
      #expect(try await ask(ada.parent, ["documentId": "Name"]).text == Self.name)
    }
  }

  @Test func `and nothing else is executed, if a deployment requires that`() async throws {
    let folder = try folder(Self.files)
    try await TestServer.run(configure: {
      $0.trustedDocuments = folder.path
      $0.acceptedDocuments = .trusted
    }) { server in
      let hash = Self.hash(Self.document)
      let visitor = #"{"data":{"viewer":null}}"#
      for _ in 0..<2 {
        #expect(try await ask(server.visitor, ["documentId": "Name"]).text == visitor)
        #expect(try await ask(server.visitor, Self.request(hash)).text == visitor)
        #expect(try await ask(server.visitor, Self.request(hash, Self.document)).text == visitor)
      }
      let other = "{ __typename }"
      let rejected: [(Value, String)] = [
        (["query": .string(other)], "PERSISTED_QUERY_ID_REQUIRED"),
        // Not even the text of a trusted document: apps must name it.
        (["query": .string(Self.document)], "PERSISTED_QUERY_ID_REQUIRED"),
        (Self.request(Self.hash(other), other), "PERSISTED_QUERY_NOT_IN_LIST"),
        (Self.request(Self.hash(other)), "PERSISTED_QUERY_NOT_IN_LIST"),
        (["documentId": "Nothing"], "PERSISTED_QUERY_NOT_IN_LIST"),
        (Self.request(hash, other), "PERSISTED_QUERY_HASH_MISMATCH"),
      ]
      for (request, code) in rejected {
        for _ in 0..<2 {
          let answer = try await ask(server.visitor, request, accept: "application/graphql-response+json")
          #expect(answer.status == 422 && answer.codes == [code], "\(answer.text)")
        }
      }
      #expect(try await server.http.get("/graphql?query=%7B__typename%7D").codes == ["PERSISTED_QUERY_ID_REQUIRED"])
      let socket = try await LiveSocket.open(server.port)
      try await socket.initialize()
      try await socket.subscribe("1", other)
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(text.contains("PERSISTED_QUERY_ID_REQUIRED"))
    }
  }

  /// Validation would tell everyone the names of the schema, and costs as much as that of an executed document.
  @Test func `and nothing else is validated there`() async throws {
    let folder = try folder(Self.files)
    try await TestServer.run(configure: {
      $0.trustedDocuments = folder.path
      $0.acceptedDocuments = .trusted
    }) { server in
      func validate(_ request: Value) async throws -> HTTPAnswer {
        let headers = [("Content-Type", "application/json")]
        return try await server.http.send("POST", "/graphql/validate", headers: headers, body: Array(request.text.utf8))
      }
      let hash = Self.hash(Self.document)
      for trusted in [["documentId": "Name"], Self.request(hash), Self.request(hash, Self.document)] {
        #expect(try await validate(trusted).text == #"{"errors":[]}"#, "\(trusted.text)")
      }
      let other = "{ nothing }"
      let rejected: [(Value, String)] = [
        (["query": .string(other)], "PERSISTED_QUERY_ID_REQUIRED"),
        (["query": .string(Self.document)], "PERSISTED_QUERY_ID_REQUIRED"),
        (Self.request(Self.hash(other), other), "PERSISTED_QUERY_NOT_IN_LIST"),
        (Self.request(hash, other), "PERSISTED_QUERY_HASH_MISMATCH"),
      ]
      for (request, code) in rejected {
        let answer = try await validate(request)
        #expect(answer.codes == [code], "\(request.text): \(answer.text)")
      }
    }
  }

  @Test(arguments: [
    (["a.graphql": "{ nothing }"], "The trusted document a of"), (["a.graphql": "{"], "Syntax Error"),
    (["a.txt": "{ __typename }"], "There are no trusted documents in"), ([:], "There are no trusted documents in"),
  ])
  func `that are not good keep the server from starting`(files: [String: String], message: String) async throws {
    let folder = try folder(files)
    let error = await #expect(throws: TrustedDocumentFiles.Unusable.self) {
      try await TestServer.run(configure: { $0.trustedDocuments = folder.path }) { _ in }
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `a folder with the name of a document keeps the server from starting`() async throws {
    let folder = try folder(["a.graphql": "{ __typename }", "b.graphql/c.txt": ""])
    let error = await #expect(throws: TrustedDocumentFiles.Unusable.self) {
      try await TestServer.run(configure: { $0.trustedDocuments = folder.path }) { _ in }
    }
    #expect(error?.description == "The trusted document b of \(folder.path) cannot be read.")
  }

  /// A folder, because the rights of a file do not keep the system's administrator from reading it.
  @Test func `a manifest that cannot be read is reported with its path`() throws {
    let folder = try folder([:])
    let error = #expect(throws: TrustedDocumentFiles.Unusable.self) { try DocumentManifest.read(folder.path) }
    #expect(error?.description == "The manifest \(folder.path) cannot be read.")
  }

  @Test(arguments: [
    ("{", "is not JSON"), ("[]", "is not a JSON object"), (#"{"a":7}"#, "no text"),
    (#"{"operations":[{"body":"{ __typename }"}]}"#, "no name"),
    (#"{"a":"{ __typename }","a":"{ viewer { __typename } }"}"#, "are named a"), ("{}", "no trusted documents"),
  ])
  func `a manifest that is not good does as well`(manifest: String, message: String) async throws {
    let folder = try folder(["m.json": manifest])
    let error = await #expect(throws: TrustedDocumentFiles.Unusable.self) {
      try await TestServer.run(configure: { $0.trustedDocuments = folder.path + "/m.json" }) { _ in }
    }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }
}
