import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Requests with files")
struct MultipartTests {
  private static let photo = SamplePicture.jpeg()
  private static let operations = operations(["input": ["name": "Tent", "photo": nil]])
  private static let map = "{\"0\": [\"variables.input.photo\"]}"

  private static func operations(_ variables: Value) -> String {
    (["query": .string(Documents.addItem), "variables": variables] as Value).text
  }

  private static func form(
    operations: String? = operations,
    map: String? = map,
    files: [(String, [UInt8])] = [("0", photo)]
  ) -> FormBody {
    var form = FormBody()
    if let operations { form.add("operations", operations) }
    if let map { form.add("map", map) }
    for (name, content) in files { form.add(name, content, fileName: "a.jpg") }
    return form
  }

  private func withParent(_ body: (TestServer, Client) async throws -> Void) async throws {
    try await TestServer.run { server in try await body(server, Household(on: server).parent) }
  }

  @Test(arguments: ["GraphQL-Require-Preflight", "apollo-require-preflight", "X-Apollo-Operation-Name"])
  func `need a header that another site's form cannot send`(name: String) async throws {
    try await withParent { server, parent in
      let form = Self.form().whole
      #expect(try await parent.send(form, preflight: (name, "1")).json["data.addItem.item.name"] == "Tent")
      for preflight in [nil, (name, "")] {
        let rejected = try await parent.send(form, preflight: preflight)
        #expect(rejected.status == 400 && rejected.codes == ["PREFLIGHT_REQUIRED"])
      }
      #expect(try await parent.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"] == 1)
    }
  }

  @Test func `can have their parts in any order, and one file at two paths`() async throws {
    try await withParent { server, parent in
      var form = FormBody()
      form.add("0", Self.photo)
      form.add("map", "{\"0\": [\"variables.one.photo\", \"variables.two.photo\"]}")
      let input: Value = ["name": "Tent", "photo": nil]
      let document = """
        mutation ($one: AddItemInput!, $two: AddItemInput!) { one: addItem(input: $one) { item { photo { url } } }
          two: addItem(input: $two) { item { photo { url } } } }
        """
      form.add("operations", (["query": .string(document), "variables": ["one": input, "two": input]] as Value).text)
      let data = try await parent.send(form.whole).json["data"]
      #expect(data["one.item.photo.url"].string != nil && data["one.item.photo"] == data["two.item.photo"])
    }
  }

  @Test func `can have file names with escaped quotation marks, and in other encodings`() async throws {
    try await withParent { _, parent async throws in
      var form = FormBody()
      form.add("operations", Self.operations)
      form.add("map", Self.map)
      form.add("0", Self.photo, fileName: #"a\"[latin-1].gif"#)
      let body = form.whole.replacing(Array("[latin-1]".utf8), with: [0xE9])
      #expect(body.count < form.whole.count)
      #expect(try await parent.send(body).json["data.addItem.item.name"] == "Tent")
    }
  }

  @Test(arguments: [
    ("text/event-stream", "text/event-stream"), ("text/event-stream, application/json;q=0.5", "text/event-stream"),
    ("multipart/mixed", "application/json"), ("application/json", "application/json"),
  ])
  func `keep their files in whatever form the client accepts the response`(accept: String, type: String) async throws {
    try await withParent { _, parent in
      let answer = try await parent.send(Self.form().whole, headers: [("Accept", accept)])
      #expect(answer.status == 200 && answer.headers["content-type"]?.hasPrefix(type) == true, "\(answer.text)")
      #expect(answer.text.contains(#""byteCount":\#(Self.photo.count)"#), "\(answer.text)")
    }
  }

  @Test func `can have a response in parts`() async throws {
    try await withParent { _, parent in
      let operations = #"{"query":"{ family { id ... @defer { name } } }"}"#
      let form = Self.form(operations: operations, map: "{}", files: []).whole
      let answer = try await parent.send(form, headers: [("Accept", "multipart/mixed")])
      #expect(answer.headers["content-type"] == "multipart/mixed; boundary=\"-\"", "\(answer.text)")
      #expect(answer.text.contains(#""name":"#) && answer.text.contains("-----"), "\(answer.text)")
    }
  }

  @Test func `that are abused in any way get an error`() async throws {
    let twelve = (0..<11).map { (String($0), Self.photo) }
    let twelveMap = "{" + (0..<11).map { "\"\($0)\":[\"variables.input.photo\"]" }.joined(separator: ",") + "}"
    let cases: [(FormBody, String)] = [
      (Self.form(operations: nil), "`operations` is missing"),
      (Self.form(operations: "[\(Self.operations)]"), "one request, not a list"),
      (Self.form(operations: "{"), "not JSON"),
      (Self.form(operations: "{}"), "no `query`"),
      (Self.form(map: nil), "`map` is missing"),
      (Self.form(map: "["), "`map` is not JSON"),
      (Self.form(map: "[]"), "must be an object"),
      (Self.form(map: "{\"0\": \"variables.input.photo\"}"), "must be an object of lists"),
      (Self.form(map: "{\"0\": [1]}"), "a path is a string"),
      (Self.form(map: "{\"0\": []}"), "no path"),
      (Self.form(map: "{\"0\": [\"variables.input.photo\"], \"0\": [\"variables.input.photo\"]}"), "twice"),
      (Self.form(map: "{\"0\": [\"variables.input.other\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"variables.input.name\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"input.photo\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"variables\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"variables.input.photo.0\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"\(String(repeating: "variables.", count: 500))\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\"variables.input.photo\", \"variables.input.photo\"]}"), "does not lead to a `null`"),
      (Self.form(map: "{\"0\": [\(Array(repeating: "\"variables.a\"", count: 51).joined(separator: ","))]}"), "51"),
      (Self.form(map: "{}"), "is not in the `map`"),
      (Self.form(files: []), "`0`, which is missing"),
      (Self.form(files: [("0", Self.photo), ("1", Self.photo)]), "`1` is not in the `map`"),
      (Self.form(files: [("0", Self.photo), ("0", Self.photo)]), "two parts named `0`"),
      (Self.form(map: twelveMap, files: twelve), "at most 10 files"),
      (Self.form(map: "{\"0\":[\"" + String(repeating: "a", count: 20_000) + "\"]}"), "`map` has more than"),
    ]
    try await withParent { server, parent in
      for (form, expected) in cases {
        let answer = try await parent.send(form.whole)
        let message = answer.json["errors.0.message"].string ?? ""
        #expect(answer.status == 400 && answer.codes == ["BAD_REQUEST"], "\(expected): \(answer.text)")
        #expect(message.contains(expected.replacing("51", with: "more than 50")), "\(expected): \(message)")
      }
      #expect(try await parent.ask("{ family { items { totalCount } } }")["data.family.items.totalCount"] == 0)
      #expect(server.pictureFiles.isEmpty)
    }
  }

  @Test func `with a malformed form get an error`() async throws {
    let form = Self.form()
    let boundary = FormBody.boundary
    func text(_ body: String) -> [UInt8] { Array(body.utf8) }
    let cases: [([UInt8], String, String)] = [
      (form.bytes, FormBody.contentType, "ends before"), ([], FormBody.contentType, "does not contain"),
      (Array(form.whole.dropLast(4)), FormBody.contentType, "ends before"),
      (form.whole, "multipart/form-data", "must have a boundary"),
      (form.whole, "multipart/form-data; boundary=\"\"", "must have a boundary"),
      (form.whole, "multipart/form-data; boundary=other", "does not contain"),
      (text("--\(boundary)\r\n\r\nx\r\n--\(boundary)--"), FormBody.contentType, "Content-Disposition"),
      (
        text("--\(boundary)\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--\(boundary)--"),
        FormBody.contentType, "Content-Disposition"
      ),
      (
        text("--\(boundary)\r\n\(String(repeating: "A: b\r\n", count: 5000))\r\nx\r\n--\(boundary)--"),
        FormBody.contentType, "Content-Disposition"
      ),
      (text("--\(boundary)x\r\n"), FormBody.contentType, "boundary is malformed"),
      (text("--\(boundary)--"), FormBody.contentType, "missing"),
    ]
    try await withParent { _, parent in
      for (body, contentType, expected) in cases {
        let answer = try await parent.send(body, contentType: contentType)
        #expect(answer.status == 400 && answer.codes == ["BAD_REQUEST"], "\(expected): \(answer.text)")
        #expect(answer.json["errors.0.message"].string?.contains(expected) == true, "\(expected): \(answer.text)")
      }
      // An upload comes from a form part only, never from a value in JSON.
      let text = try await parent.post(Documents.addItem, ["input": ["name": "Tent", "photo": "0"]])
      #expect(text.status == 422 && text.text.contains("Upload must be a file of a multipart request"))
      let literal = "mutation { addItem(input: { name: \"Tent\", photo: \"0\" }) { item { id } } }"
      #expect(try await parent.post(literal).status == 422)
    }
  }

  /// GraphQL over HTTP: 400 is for text that cannot be parsed.
  @Test func `whose map cannot be parsed get the status of such a document`() async throws {
    try await withParent { server, parent in
      let body = Self.form(map: "{").whole
      let accept = "Accept: application/graphql-response+json\r\n"
      let head = Self.head(length: body.count, token: parent.token, more: accept)
      let answer = try await Self.answer(to: head + body, server)
      #expect(answer.status == 400 && answer.codes == ["BAD_REQUEST"], "\(answer.text)")
    }
  }

  @Test func `can be large only for signed-in callers, and never larger than the limit`() async throws {
    try await TestServer.run(configure: { $0.uploadBytes = 4 << 20 }) { server in
      let ada = try await Household(on: server)
      let large = SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 3 << 20))
      let whole = Self.form(files: [("0", large)]).whole
      let answer = try await ada.parent.send(whole)
      #expect(answer.json["data.addItem.item.photo.byteCount"].int == large.count)
      for (token, reasons) in [(nil, []), ("nonsense", ["TOKEN_MALFORMED"])] as [(String?, [String])] {
        let head = Self.head(length: whole.count, token: token)
        let rejected = try await Self.answer(to: head, server)
        #expect(rejected.status == 401 && rejected.codes == ["UNAUTHENTICATED"] + reasons, "\(rejected.text)")
      }
      let tooLarge = try await Self.answer(to: Self.head(length: 5 << 20, token: ada.parent.token), server)
      #expect(tooLarge.status == 413)
      let unasked = Self.head(length: whole.count, token: ada.parent.token, preflight: false)
      #expect(try await Self.answer(to: unasked, server).codes == ["PREFLIGHT_REQUIRED"])
      let elsewhere = Self.head(length: whole.count, token: ada.parent.token, path: "/media/x")
      #expect(try await Self.answer(to: elsewhere, server).status == 404)
    }
  }

  @Test func `wait for 100 Continue if they expect it, and can be chunked`() async throws {
    try await withParent { server, parent in
      let large = SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 2 << 20))
      let whole = Self.form(files: [("0", large)]).whole
      let token = parent.token
      let asked = try await TestThread {
        let socket = try TestSocket(port: server.port)
        try socket.send(Self.head(length: whole.count, token: token, more: "Expect: 100-continue\r\n"))
        let word = try socket.httpAnswer()
        try socket.send(whole)
        return (word.status, try socket.httpAnswer())
      }.value
      #expect(asked.0 == 100)
      #expect(asked.1.json["data.addItem.item.photo.byteCount"].int == large.count)
      let chunked = try await TestThread {
        let socket = try TestSocket(port: server.port)
        try socket.send(Self.head(length: nil, token: token))
        for start in stride(from: 0, to: whole.count, by: 100_000) {
          let chunk = whole[start..<min(start + 100_000, whole.count)]
          try socket.send(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8))
        }
        try socket.send(Array("0\r\n\r\n".utf8))
        return try socket.httpAnswer()
      }.value
      #expect(chunked.json["data.addItem.item.photo.byteCount"].int == large.count)
    }
  }

  @Test func `are accepted while there is memory for the received part of all of them`() async throws {
    try await TestServer.run(configure: { $0.uploadBytesInFlight = 3 << 20 }) { server in
      let ada = try await Household(on: server)
      let token = ada.parent.token
      let whole = Self.form(files: [("0", SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 2 << 20)))]).whole
      // Announced bytes take no memory.
      let announced = try await TestThread {
        try (0..<20).map { _ in
          let socket = try TestSocket(port: server.port)
          try socket.send(Self.head(length: 20 << 20, token: token, more: "Expect: 100-continue\r\n"))
          #expect(try socket.httpAnswer().status == 100)
          return socket
        }
      }.value
      // The reservation was released.
      for _ in 0..<3 { #expect(try await ada.parent.send(whole).json["data.addItem.item.name"] == "Tent") }
      #expect(announced.count == 20)
    }
    try await TestServer.run(configure: { $0.uploadBytesInFlight = 1 << 20 }) { server in
      let ada = try await Household(on: server)
      let whole = Self.form(files: [("0", SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 2 << 20)))]).whole
      let rejected = try await ada.parent.send(whole)
      #expect(rejected.status == 503 && rejected.text.hasPrefix("TOO_MANY_UPLOADS: "))
    }
  }

  @Test func `of one person leave room for those of others`() async throws {
    try await TestServer.run(configure: {
      $0.uploadBytes = 3 << 20
      $0.uploadBytesInFlight = 64 << 20
    }) { server in
      let (ada, ben) = (try await Household(on: server), try await Household(on: server, email: "ben@example.com"))
      let whole = Self.form(files: [("0", SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 2 << 20)))]).whole
      let token = ada.parent.token
      // Twice the size of one request is held at a time.
      let (held, rejected) = try await TestThread {
        var held: [TestSocket] = []
        while held.count < 8 {
          let socket = try TestSocket(port: server.port)
          try socket.send(Self.head(length: whole.count, token: token) + whole.dropLast(10))
          held.append(socket)
        }
        let answer = try held.lazy.map { socket in
          try socket.send(Array(whole.suffix(10)))
          return try socket.httpAnswer()
        }.first { $0.status == 429 }
        return (held, answer)
      }.value
      #expect(rejected?.text.hasPrefix("TOO_MANY_BYTES: ") == true, "\(rejected?.text ?? "none of \(held.count)")")
      #expect(try await ben.parent.send(whole).json["data.addItem.item.name"] == "Tent")
    }
  }

  private static func head(
    length: Int?,
    token: String?,
    preflight: Bool = true,
    path: String = "/graphql",
    more: String = ""
  ) -> [UInt8] {
    var head = "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Type: \(FormBody.contentType)\r\n\(more)"
    head += length.map { "Content-Length: \($0)\r\n" } ?? "Transfer-Encoding: chunked\r\n"
    if let token { head += "Authorization: Bearer \(token)\r\n" }
    if preflight { head += "GraphQL-Require-Preflight: 1\r\n" }
    return Array((head + "\r\n").utf8)
  }

  /// The response to a head alone: rejected callers are rejected before the body.
  private static func answer(to head: [UInt8], _ server: TestServer) async throws -> HTTPAnswer {
    try await TestThread {
      let socket = try TestSocket(port: server.port)
      try socket.send(head)
      return try socket.httpAnswer()
    }.value
  }
}
