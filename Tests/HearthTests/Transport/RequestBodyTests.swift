import GraphQL
import HTTPServer
import TestSupport
import Testing

@testable import Hearth

/// The limits on bodies and variables of signed-in and anonymous callers.
@Suite("Long bodies and many values", .timeLimit(.minutes(10)))
struct RequestBodyTests {
  private static let long =
    #"{"query":"{__typename}","extensions":{"x":""# + String(repeating: "x", count: 70_000) + #""}}"#
  private static let answer = #"{"data":{"__typename":"Query"}}"#

  private static func authorization(_ client: Client) -> [(String, String)] {
    client.token.map { [("Authorization", "Bearer \($0)")] } ?? []
  }

  @Test func `long bodies are read for callers with a valid access token only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let allowed = try await server.http.post(Self.long, headers: Self.authorization(ada.parent))
      #expect(allowed.text == Self.answer)
      let anonymous = try await server.http.post(Self.long)
      #expect(anonymous.status == 413 && anonymous.codes == ["BODY_TOO_LONG"], "\(anonymous.text)")
      #expect(anonymous.headers["connection"] == "close")
      #expect(anonymous.headers["content-type"] == "application/graphql-response+json; charset=utf-8")
      #expect(
        anonymous.json["errors.0.message"] == "A body of more than 65536 bytes requires a valid access token."
      )
      let forged = try await server.http.post(Self.long, headers: [("Authorization", "Bearer x.y.z")])
      #expect(forged.status == 413 && forged.codes == ["BODY_TOO_LONG", "TOKEN_MALFORMED"])
      // A client refreshes its token, and sends the request again.
      server.clock.advance(seconds: 16 * 60)
      let expired = try await server.http.post(Self.long, headers: Self.authorization(ada.parent))
      #expect(expired.status == 413 && expired.codes == ["BODY_TOO_LONG", "TOKEN_EXPIRED"])
    }
  }

  @Test func `a large file with an expired access token is rejected with the reason`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let photo = ["photo": SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 70_000))]
      #expect(try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)["item.id"] != nil)
      server.clock.advance(seconds: 16 * 60)
      let input: Value = ["input": ["name": "Tent", "photo": nil]]
      let expired = try await ada.parent.postFiles(Documents.addItem, input, photo)
      #expect(expired.status == 401 && expired.codes == ["UNAUTHENTICATED", "TOKEN_EXPIRED"], "\(expired.text)")
    }
  }

  @Test func `a long body to a path or with a method that takes none is rejected as a short one`() async throws {
    try await TestServer.run { server in
      let long = Array(Self.long.utf8)
      for body in [[], long] {
        for path in ["/", "/nothing", "/media/x"] {
          let missing = try await server.http.send("POST", path, body: body)
          #expect(missing.status == 404 && missing.text.contains("/graphql"), "\(missing.text)")
        }
        let cases = [
          ("POST", "/health", "GET, HEAD"), ("PUT", "/graphql", "GET, HEAD, POST, OPTIONS"),
          ("PUT", "/graphql/validate", "POST"),
        ]
        for (method, path, allowed) in cases {
          let rejected = try await server.http.send(method, path, body: body)
          #expect(rejected.status == 405 && rejected.headers["allow"] == allowed, "\(rejected.text)")
        }
      }
      // No access token admits the body of a GET, or of the form of a page.
      let form = [("Content-Type", "application/x-www-form-urlencoded")]
      for (method, path) in [("GET", "/health"), ("POST", "/verify-email")] {
        let tooLong = try await server.http.send(method, path, headers: form, body: long)
        #expect(tooLong.status == 413 && tooLong.codes == ["BODY_TOO_LONG"], "\(tooLong.text)")
        #expect(tooLong.json["errors.0.message"] == "The body has too many bytes. The limit is 65536.")
      }
    }
  }

  @Test(arguments: ["multipart/mixed", "text/event-stream", "application/json", "text/html"])
  func `long bodies are read whatever form of the response the client accepts`(accept: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let headers = Self.authorization(ada.parent)
      let small = try await HTTPClient(port: server.port)
        .post(#"{"query":"{ __typename }"}"#, accept: accept, headers: headers)
      let long = try await HTTPClient(port: server.port).post(Self.long, accept: accept, headers: headers)
      #expect(small.status == (accept == "text/html" ? 406 : 200))
      #expect(long.status == small.status, "\(long.text)")
    }
  }

  @Test func `the size of a long body is a setting`() async throws {
    try await TestServer.run(configure: { $0.anonymousBodyBytes = 100_000 }) { server in
      let answer = try await server.http.post(Self.long)
      #expect(answer.text == Self.answer)
    }
  }

  @Test(arguments: [true, false])
  func `long bodies can be sent in chunks, and wait for the word to go on`(isSignedIn: Bool) async throws {
    try await TestServer.run { server in
      let token = isSignedIn ? try await Household(on: server).parent.token : nil
      let head =
        "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        + (token.map { "Authorization: Bearer \($0)\r\n" } ?? "")
      let (chunked, waited) = try await TestThread {
        let first = try TestSocket(port: server.port)
        try first.send(head + "Transfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: Self.long.utf8.count, by: 7_000) {
          let chunk = Array(Array(Self.long.utf8)[start...].prefix(7_000))
          try first.send(Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8))
        }
        try first.send("0\r\n\r\n")
        let second = try TestSocket(port: server.port)
        try second.send(head + "Expect: 100-continue\r\nContent-Length: \(Self.long.utf8.count)\r\n\r\n")
        var waited = try second.httpAnswer()
        if waited.status == 100 {
          try second.send(Self.long)
          waited = try second.httpAnswer()
        }
        return (try first.httpAnswer(), waited)
      }.value
      for answer in [chunked, waited] {
        #expect(answer.status == (isSignedIn ? 200 : 413), "\(answer.text)")
        #expect(answer.codes == (isSignedIn ? [] : ["BODY_TOO_LONG"]))
      }
    }
  }

  @Test func `undeclared variables are skipped, whatever their values`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let keys = (0..<110_000).map { "\"\(String($0, radix: 16))\":1" }.joined(separator: ",")
      let body = #"{"query":"{__typename}","variables":{"x":{\#(keys),"a":1,"a":2},"x":{}}}"#
      #expect(try await server.http.post(body, headers: Self.authorization(ada.parent)).text == Self.answer)
      // The declared ones are found among them.
      let declared = #"{"query":"query($id:ID!){node(id:$id){id}}","variables":{\#(keys),"id":"x"}}"#
      let answer = try await server.http.post(declared, headers: Self.authorization(ada.parent))
      #expect(answer.text == #"{"data":{"node":null}}"#)
    }
  }

  @Test func `values of declared variables are limited, the same over every transport`() async throws {
    try await TestServer.run(configure: {
      $0.limits.execution.variableValues = 40
      $0.batchSize = 2
    }) { server in
      let ada = try await Household(on: server)
      func request(_ ids: Int) -> String {
        let list = Array(repeating: "\"x\"", count: ids).joined(separator: ",")
        return #"{"query":"query($ids:[ID!]!){nodes(ids:$ids){id}}","variables":{"ids":[\#(list)]}}"#
      }
      let allowed = try await ada.parent.http.post(request(39))
      #expect(allowed.status == 294 && !allowed.text.contains("TOO_MANY_VARIABLE_VALUES"), "\(allowed.text)")
      let rejected = try await ada.parent.http.post(request(40))
      #expect(rejected.status == 422 && rejected.codes == ["TOO_MANY_VARIABLE_VALUES"], "\(rejected.text)")
      #expect(rejected.json["errors.0.message"] == "The variables have 41 values and keys. The limit is 40.")
      let batch = try await ada.parent.http.post("[\(request(39)),\(request(40))]")
      #expect(batch.json["1.errors.0.extensions.code"] == "TOO_MANY_VARIABLE_VALUES", "\(batch.text)")
      let query =
        "query=query(%24ids:[ID!]!){nodes(ids:%24ids){id}}&variables={%22ids%22:[1\(String(repeating: ",1", count: 39))]}"
      let encoded = query.replacing("{", with: "%7B").replacing("}", with: "%7D").replacing("[", with: "%5B")
        .replacing("]", with: "%5D")
      #expect(try await ada.parent.http.get("/graphql?\(encoded)").codes == ["TOO_MANY_VARIABLE_VALUES"])
      let faults = try await ada.parent.http.send(
        "POST",
        "/graphql/validate",
        headers: [("Content-Type", "application/json")],
        body: Array(request(40).utf8)
      )
      #expect(faults.codes == ["TOO_MANY_VARIABLE_VALUES"])
      var form = FormBody()
      form.add("operations", request(40))
      form.add("map", "{}")
      #expect(try await ada.parent.send(form.whole).codes == ["TOO_MANY_VARIABLE_VALUES"])
      let socket = try await LiveSocket.open(server.port)
      try await socket.initialize()
      try await socket.send(#"{"id":"1","type":"subscribe","payload":\#(request(40))}"#)
      let frame = try await socket.receive()
      guard case .text(let text) = frame else { throw Listener.Unexpected(frame: frame) }
      #expect(text.contains(#""type":"error""#) && text.contains("TOO_MANY_VARIABLE_VALUES"))
    }
  }

  @Test func `an address book may be as large as is documented`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let entry = #"{"name":"N","emails":["a@b.cc","d@e.cc"],"phones":["1","2"]}"#
      let entries = Array(repeating: entry, count: 5_000).joined(separator: ",")
      let query = "mutation($e:[AddressBookEntryInput!]!){matchAddressBook(entries:$e){matches{entry}}}"
      let body = #"{"query":"\#(query)","variables":{"e":[\#(entries)]}}"#
      let answer = try await ada.parent.http.post(body, headers: Self.authorization(ada.parent))
      let count = answer.json["data.matchAddressBook.matches"].each("entry").count
      #expect(answer.status == 200 && count == 5_000, "\(answer.status) \(answer.text.prefix(300))")
    }
  }

  @Test func `messages of WebSockets are limited alike`() async throws {
    try await TestServer.run(configure: {
      $0.bodyBytesInFlight = 1 << 20
      $0.uploadBytes = 300_000
    }) { server in
      let ada = try await Household(on: server)
      let message = #"{"id":"1","type":"subscribe","payload":\#(Self.long)}"#
      let anonymous = try await LiveSocket.open(server.port)
      try await anonymous.initialize()
      try await anonymous.send(message)
      let reason = "A message can have at most 65536 bytes before signing in."
      #expect(try await anonymous.receive() == .close(1009, reason))
      let parent = try await LiveSocket.open(server.port)
      try await parent.initialize(ada.parent.token)
      try await parent.send(message)
      #expect(try await parent.receive() == next("1", Self.answer))
      #expect(try await parent.receive() == complete("1"))
      // Half of all is a person's share: of messages that are not finished, too.
      let token = ada.parent.token
      let closed = try await TestThread {
        var sockets: [TestWebSocket] = []
        while true {
          let socket = try TestWebSocket(port: server.port)
          try socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token ?? "")"}}"#)
          _ = try socket.receive()
          try socket.send(0x1, [UInt8](repeating: 0x20, count: 200_000), isFinal: false)
          try socket.send(0x9, [])
          sockets.append(socket)
          let frame = try socket.receive()
          if frame != .pong([]) || sockets.count > 10 { return (frame, sockets.count) }
        }
      }.value
      guard case .close(1013, let reason) = closed.0 else { throw Listener.Unexpected(frame: closed.0) }
      #expect(reason.hasPrefix("TOO_MANY_BYTES: You are sending"))
      #expect(closed.1 == 3)
    }
  }

  @Test(
    arguments: [
      (["UPLOAD_BYTES": 209_715_200], "UPLOAD_BYTES_IN_FLIGHT must be at least 209780736, as HEARTH_UPLOAD_BYTES is"),
      (
        ["UPLOAD_BYTES": 300_000_000, "UPLOAD_BYTES_IN_FLIGHT": 400_000_000],
        "BODY_BYTES_IN_FLIGHT must be at least 300065536, as HEARTH_UPLOAD_BYTES is 300000000."
      ),
      (
        ["MAX_RESPONSE_BYTES": 300_000_000],
        "RESPONSE_BYTES_IN_FLIGHT must be at least 300000000, as HEARTH_MAX_RESPONSE_BYTES is 300000000."
      ),
      (["UPLOAD_BYTES": 209_715_200, "UPLOAD_BYTES_IN_FLIGHT": 209_780_736], nil),
      (["MAX_RESPONSE_BYTES": 300_000_000, "RESPONSE_BYTES_IN_FLIGHT": 300_000_000], nil), ([:], nil),
    ] as [([String: Int], String?)]
  )
  func `of the maximum size, and responses, must fit into what all can have`(
    settings: [String: Int],
    message: String?
  ) throws {
    let variables = Dictionary(uniqueKeysWithValues: settings.map { ("HEARTH_\($0)", "\($1)") })
    var configuration = Configuration()
    do throws(InvalidSetting) {
      try ServerSetting.configure(&configuration, from: variables)
      #expect(message == nil)
      let (received, unsent) = (configuration.receivedBytes, configuration.unsentResponses)
      let shares = [received.total, received.forms, received.network, received.person]
      #expect(shares.allSatisfy { $0 > configuration.uploadBytes }, "\(shares)")
      #expect(min(unsent.total, unsent.network) >= configuration.limits.execution.responseBytes)
    } catch {
      #expect(error.message.hasPrefix("HEARTH_\(message ?? "none")"), "\(error.message)")
    }
  }

  @Test func `no response can be sniffed as another type`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      var answers = [
        try await server.http.post(#"{"query":"{__typename}"}"#), try await server.http.post("{"),
        try await server.http.post(Self.long), try await server.http.get("/health"),
        try await server.http.get("/nothing"), try await server.http.get("/graphql", accept: "text/html"),
        try await server.http.send("OPTIONS", "/graphql"), try await server.http.get("/media/x"),
        try await ada.parent.post("{ viewer { id } }"),
      ]
      answers.append(
        try await TestThread {
          let socket = try TestSocket(port: server.port)
          try socket.send("nonsense\r\n\r\n")
          return try socket.httpAnswer()
        }.value
      )
      for answer in answers { #expect(answer.headers["x-content-type-options"] == "nosniff", "\(answer)") }
    }
  }

  @Test func `a body may have the coding that changes nothing`() async throws {
    try await TestServer.run { server in
      for (coding, status) in [("identity", 200), ("Identity", 200), ("gzip", 415), ("identity, gzip", 415)] {
        let answer = try await server.http.post(#"{"query":"{__typename}"}"#, headers: [("Content-Encoding", coding)])
        #expect(answer.status == status, "\(coding)")
      }
    }
  }
}
