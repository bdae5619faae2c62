import TestSupport
import Testing

@testable import Hearth

/// Floods of requests from one network, behind a proxy that says where requests come from.
@Suite("One network cannot close the door for others")
struct FloodTests {
  private static let attacker = "203.0.113.7"

  private static func run(
    configure: (inout Configuration) -> Void = { _ in },
    _ body: (TestServer) async throws -> Void
  ) async throws {
    try await TestServer.run(
      configure: {
        $0.clientAddressHeader = "x-forwarded-for"
        configure(&$0)
      },
      body
    )
  }

  private static func post(
    _ http: HTTPClient,
    _ document: String,
    _ variables: Value = .null,
    from address: String
  ) async throws -> Value {
    let body: Value = ["query": .string(document), "variables": variables]
    return try Value(try await http.post(body.text, headers: [("X-Forwarded-For", address)]).body)
  }

  private static func register(_ email: String, name: String = "Ada Lovelace", from address: String, _ http: HTTPClient)
    async throws -> Value
  {
    let form = Household.form(email).setting("name", .string(name))
    return try await post(http, Documents.register, ["input": form], from: address)
  }

  private static func resets(_ emails: some Sequence<String>) -> String {
    let fields = emails.enumerated().map {
      "a\($0.offset): requestPasswordReset(email: \"\($0.element)\") { requested }"
    }
    return "mutation { \(fields.joined(separator: " ")) }"
  }

  @Test func `H2: requests for made-up addresses do not keep mails from accounts`() async throws {
    try await Self.run { server in
      let http = server.http
      for number in 0..<200 {
        let answer = try await Self.register("p\(number)@example.com", from: "198.51.\(number / 10).1", http)
        #expect(answer["data.register.credentials.accessToken"] != .null)
      }
      await server.deliverMail()
      for document in 0..<300 {
        let emails = (0..<9).map { "f\(document).\($0)@x.example" }
        let answer = try await Self.post(http, Self.resets(emails), from: Self.attacker)
        // The network has 240.
        #expect(answer["errors"].each("extensions.code") == (document < 26 ? [] : ["RATE_LIMITED"]))
        #expect(answer["errors"].list.allSatisfy { $0["extensions.retryAfter"] == 15 })
      }
      #expect(try server.rows("SELECT count(*) FROM mail WHERE kind = 2", columns: 1) == [[240]])
      for number in 0..<200 {
        let answer = try await Self.post(http, Self.resets(["p\(number)@example.com"]), from: "192.0.2.9")
        #expect(answer == ["data": ["a0": ["requested": true]]])
      }
      await server.deliverMail()
      let sent = try server.rows("SELECT count(*) FROM mail WHERE kind = 2 AND sent_at IS NOT NULL", columns: 1)
      #expect(sent == [[200]])
      // Requests for unknown addresses were looked up, and nothing was sent.
      let waiting = try server.rows("SELECT count(*) FROM mail WHERE due_at IS NOT NULL", columns: 1)
      #expect(waiting == [[0]])
    }
  }

  @Test func `a document holds at most nine fields that cost a hash or a mail`() async throws {
    try await TestServer.run { server in
      let register =
        "register(input: {email: \"EMAIL\", password: \"password-1\", name: \"A B\", dateOfBirth: \"1990-01-01\"})"
      for field in [
        register + " { userErrors { code } }",
        "signIn(input: {email: \"EMAIL\", password: \"x\"}) { userErrors { code } }",
        "signInChild(input: {username: \"EMAIL\", password: \"x\"}) { userErrors { code } }",
        "requestPasswordReset(email: \"EMAIL\") { requested }",
        "inviteParent(email: \"EMAIL\") { userErrors { code } }",
        "inviteContact(email: \"EMAIL\", offer: []) { userErrors { code } }",
        "changePassword(oldPassword: \"a\", newPassword: \"b\") { userErrors { code } }",
        "matchAddressBook(entries: []) { matches { entry } }",
      ] {
        let document = { (count: Int) in
          let fields = (0..<count).map { "a\($0): " + field.replacing("EMAIL", with: "e\($0)@example.com") }
          return "mutation { \(fields.joined(separator: " ")) }"
        }
        #expect(try await server.visitor.post(document(9)).json["errors.0.extensions.code"] != "COST_EXCEEDED")
        let refused = try await server.visitor.post(document(10)).json
        #expect(refused["errors"].each("extensions.code") == ["COST_EXCEEDED"], "\(field)")
        #expect(refused["data"] == .null)
      }
    }
  }

  @Test func `H3: a burst of registrations does not keep another network from signing in`() async throws {
    // The hashes take long enough for the queue to be full.
    try await Self.run(configure: { $0.passwordCost = 13 }) { server in
      _ = try await Self.register("ada@example.com", from: "192.0.2.1", server.http)
      let flood = (0..<100).map { number in
        Task {
          // A network has 65,536 of these.
          let address = "2001:db8:7:\(String(number, radix: 16))::1"
          return try await Self.register("f\(number)@x.example", from: address, server.http)
        }
      }
      let http = server.http
      var codes: [Value] = []
      for _ in 0..<12 {
        let input = A02SignInTests.input("ada@example.com", Household.password)
        let answer = try await Self.post(http, Documents.signIn, input, from: "192.0.2.2")
        codes.append(answer["errors.0.extensions.code"])
        #expect(answer["data.signIn.credentials.accessToken"] != .null, "\(answer)")
      }
      #expect(Set(codes) == [.null])
      for registration in flood { _ = try await registration.value }
    }
  }

  @Test func `H3, M4: a network has twenty registrations, then one every thirty seconds, with or without an account`()
    async throws
  {
    try await Self.run { server in
      let http = server.http
      _ = try await Self.register("ada@example.com", from: "192.0.2.1", http)
      // A slow caller gets an error.
      let taken = try await Self.register("ada@example.com", from: Self.attacker, http)
      #expect(taken["data.register.userErrors"].each("code") == ["TAKEN"])
      for number in 1..<20 {
        _ = try await Self.register("e\(number)@x.example", from: Self.attacker, http)
      }
      var answers: Set<String> = []
      for email in ["ada@example.com", "nobody@x.example"] {
        let answer = try await Self.register(email, from: Self.attacker, http)
        #expect(answer["errors.0.extensions"] == ["code": "RATE_LIMITED", "retryAfter": 30])
        answers.insert(answer.text)
      }
      #expect(answers.count == 1)
      let other = try await Self.register("grace@example.com", from: "192.0.2.3", http)
      #expect(other["data.register.credentials.accessToken"] != .null)
      server.clock.advance(seconds: 30)
      let again = try await Self.register("ada@example.com", from: Self.attacker, http)
      #expect(again["data.register.userErrors"].each("code") == ["TAKEN"])
    }
  }

  @Test func `M4: addresses that differ by a tag or dots are one mailbox, from wherever they are registered`()
    async throws
  {
    try await Self.run { server in
      let http = server.http
      let address = { (number: Int) in "\(number % 2 == 0 ? "victim" : "v.ic.tim")+\(number)@example.com" }
      var codes: [Value] = []
      for number in 0..<20 {
        let answer = try await Self.register(address(number), from: "198.51.100.\(number)", http)
        codes.append(answer["errors.0.extensions.code"])
      }
      #expect(codes == Array(repeating: .null, count: 4) + Array(repeating: "RATE_LIMITED", count: 16))
      #expect(try await server.mails().count == 4)
      // Resets are counted separately: registrations in someone's name do not block their reset mails.
      for number in 0..<6 {
        let document = Self.resets([address(number % 4)])
        #expect(try await Self.post(http, document, from: "198.51.100.1") == ["data": ["a0": ["requested": true]]])
      }
      #expect(try await server.mails().count == 7)
    }
  }

  @Test func `M1: an account with an unverified address can invite few people`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let invite = { (number: Int) in
        let input: Value = ["email": .string("f\(number)@x.example"), "offer": []]
        return try await ada.parent.perform(Documents.inviteContact, input)
      }
      for number in 0..<20 { #expect(try await invite(number).userErrors == []) }
      #expect(try await invite(20).codes == ["RATE_LIMITED"])
      try await ada.verifyEmail(on: server)
      #expect(try await invite(20).userErrors == [])
    }
  }

  @Test func `a network opens a thousand live connections, then one every tenth of a second`() async throws {
    try await Self.run { server in
      let open = { (address: String) in
        try await server.http.get(
          "/graphql?query=%7B__typename%7D",
          accept: "text/event-stream",
          headers: [("X-Forwarded-For", address)]
        )
      }
      let limits = server.services.rateLimits
      let attacker = RateLimits.Caller(network: ClientNetwork(Self.attacker))
      for _ in 0..<1_000 { #expect(limits.take(.connection, by: attacker, at: server.clock.clock.now()) == nil) }
      let refused = try await open(Self.attacker)
      #expect(refused.status == 429)
      #expect(refused.headers["retry-after"] == "1")
      #expect(refused.json["errors.0.extensions"] == ["code": "RATE_LIMITED", "retryAfter": 1])
      server.clock.advance(seconds: 1)
      let socket = try await server.http.send(
        "GET",
        "/graphql",
        headers: [
          ("X-Forwarded-For", Self.attacker), ("Connection", "Upgrade"), ("Upgrade", "websocket"),
          ("Sec-WebSocket-Version", "13"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
          ("Sec-WebSocket-Protocol", "graphql-transport-ws"),
        ]
      )
      #expect(socket.status == 101)
    }
  }

  @Test func `a family uploads 2,000 MiB at once, then one each 30 seconds; others are not affected`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben Other")
      let photo = SamplePicture.jpeg(trailer: [])
      // A little more than two, which count as three.
      let large = SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: 2 << 20))
      func upload(_ photo: [UInt8], by person: Household, from address: String) async throws -> Outcome {
        let app = Client(port: server.port, token: person.parent.token, from: address)
        return try await app.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
      }
      let family = try #require(server.services.cipher.key(of: ada.familyID))
      let app = RateLimits.Caller(network: ClientNetwork("198.51.100.8"), subject: .family(family))
      let now = server.clock.clock.now()
      #expect(server.services.rateLimits.take(.upload, count: 1_996, by: app, at: now) == nil)
      for photo in [photo, large] {
        #expect(try await upload(photo, by: ada, from: "198.51.100.8")["item.id"] != .null)
      }
      // From wherever.
      for address in ["198.51.100.8", "198.51.100.9"] {
        let rejected = try await upload(photo, by: ada, from: address)
        #expect(rejected.errors.each("extensions") == [["code": "RATE_LIMITED", "retryAfter": 30]])
      }
      // An item without a picture is not an upload.
      #expect(try await ada.parent.perform(Documents.addItem, ["input": ["name": "Tent"]])["item.id"] != .null)
      #expect(try await upload(photo, by: ben, from: "198.51.100.8")["item.id"] != .null)
      server.clock.advance(seconds: 30)
      #expect(try await upload(photo, by: ada, from: "198.51.100.8")["item.id"] != .null)
    }
  }

  @Test func `pictures from one network are limited, even of another person`() async throws {
    try await Self.run { server in
      let ada = try await Household(on: server)
      let attacker = RateLimits.Caller(network: ClientNetwork(Self.attacker))
      let now = server.clock.clock.now()
      for _ in 0..<4_000 { #expect(server.services.rateLimits.take(.upload, by: attacker, at: now) == nil) }
      let photo = SamplePicture.jpeg(trailer: [])
      for (address, codes) in [(Self.attacker, ["RATE_LIMITED"]), ("192.0.2.9", [])] as [(String, [Value])] {
        let app = Client(port: server.port, token: ada.parent.token, from: address)
        let answer = try await app.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
        #expect(answer.errors.each("extensions.code") == codes, "\(address)")
      }
    }
  }

  @Test func `new documents with introspection are limited by network; known ones and other documents are not`()
    async throws
  {
    try await Self.run { server in
      let http = server.http
      for number in 0..<20 {
        let answer = try await Self.post(http, "{ a\(number): __schema { queryType { name } } }", from: Self.attacker)
        #expect(answer["errors"] == .null)
      }
      for document in ["{ b: __schema { queryType { name } } }", "{ b: __type(name: \"Query\") { name } }"] {
        let rejected = try await Self.post(http, document, from: Self.attacker)
        #expect(rejected["errors"].each("extensions.code") == ["RATE_LIMITED"])
        #expect(rejected["errors.0.extensions.retryAfter"] != .null)
      }
      for (accept, status) in [("application/graphql-response+json", 429), ("application/json", 200)] {
        let document = #"{"query":"{ d: __schema { queryType { name } } }"}"#
        let rejected = try await http.post(document, accept: accept, headers: [("X-Forwarded-For", Self.attacker)])
        #expect(rejected.codes == ["RATE_LIMITED"] && rejected.status == status, "\(rejected.status) \(rejected.text)")
        let seconds = rejected.json["errors.0.extensions.retryAfter"].int
        #expect(rejected.headers["retry-after"] == (status == 429 ? seconds.map { "\($0)" } : nil))
      }
      for document in ["{ a1: __schema { queryType { name } } }", "{ x: __typename }"] {
        #expect(try await Self.post(http, document, from: Self.attacker)["errors"] == .null)
      }
      let other = try await Self.post(http, "{ c: __schema { queryType { name } } }", from: "198.51.100.9")
      #expect(other["errors"] == .null)
    }
  }
}
