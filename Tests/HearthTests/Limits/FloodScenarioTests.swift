import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Adversary findings H1 to H3 and M1 to M3 together: everything that one network can send, at once.
@Suite("One network floods, another is served")
struct FloodScenarioTests {
  @Test(.timeLimit(.minutes(3)))
  func `a person signs in, resets a password, invites and uploads 3 MB while another network floods`() async throws {
    try await TestServer.run(configure: { $0.clientAddressHeader = "x-forwarded-for" }) { server in
      let ada = try await Household(on: server)
      try await withThrowingTaskGroup(of: Int.self) { group in
        let flood = Flood(port: server.port)
        for kind in Flood.Kind.allCases {
          group.addTask {
            var answers = 0
            while !flood.isOver {
              try await flood.send(kind, number: answers)
              answers += 1
            }
            return answers
          }
        }
        await flood.hasBegun()
        try await Self.useNormally(ada, server)
        flood.end()
        // Each kind of attack went on to the end.
        for try await answers in group { #expect(answers > 0) }
      }
    }
  }

  private static func useNormally(_ ada: Household, _ server: TestServer) async throws {
    let visitor = Client(port: server.port, from: "192.0.2.9")
    let signIn = try await visitor.perform(Documents.signIn, A02SignInTests.input(ada.email, Household.password))
    let token: String = try #require(signIn["credentials.accessToken"].string, "\(signIn)")
    let app = visitor.with(token: token)
    let reset = try await visitor.perform(Documents.requestReset, ["email": .string(ada.email)])
    #expect(reset["requested"] == true, "\(reset)")
    let invitation = try await app.perform(
      Documents.inviteContact,
      ["email": "grace@example.com", "offer": ["WORK"]]
    )
    #expect(invitation["contactRequest.id"] != .null, "\(invitation)")
    let photo = SamplePicture.jpeg(trailer: Array(repeating: 7, count: 3 << 20))
    let item = try await app.perform(Documents.addItem, ["name": "Bicycle"], files: ["photo": photo])
    #expect(item["item.id"] != .null, "\(item)")
    await server.deliverMail()
    // The other addresses of reset requests have no account.
    for mail in ["kind = 2", "address = 'grace@example.com'"] {
      let sent = try server.rows("SELECT count(*) FROM mail WHERE \(mail) AND sent_at IS NOT NULL", columns: 1)
      #expect(sent == [[1]], "\(mail)")
    }
  }
}

/// The requests of a hostile network, one of each kind at a time.
private final class Flood: Sendable {
  enum Kind: CaseIterable { case jsonBombs, registrations, signIns, resets, newDocuments, heldBodies }

  let port: Int
  private let begun = Gate()
  private let hasEnded = Mutex(false)

  init(port: Int) { self.port = port }

  /// Returns when a request has been answered.
  func hasBegun() async { await begun.pass() }

  var isOver: Bool { hasEnded.withLock { $0 } }

  func end() { hasEnded.withLock { $0 = true } }

  func send(_ kind: Kind, number: Int) async throws {
    // A network of IPv6 has 65,536 of these.
    let address = "2001:db8:7:\(String(number % 65_536, radix: 16))::1"
    let client = Client(port: port, from: address)
    switch kind {
    case .jsonBombs:
      let keys = (0..<60_000).map { #""\#($0)":1"# }.joined(separator: ",")
      try await ignoringEnd {
        _ = try await client.http.post(#"{"query":"{__typename}","variables":{"x":{\#(keys)}}}"#)
      }
    case .registrations:
      _ = try await client.post(Documents.register, ["input": Household.form("f\(number)@x.example")])
    case .signIns:
      _ = try await client.post(Documents.signIn, A02SignInTests.input("f\(number)@x.example", "password-1"))
    case .resets:
      let fields = (0..<9).map {
        #"a\#($0): requestPasswordReset(email: "f\#(number).\#($0)@x.example") { requested }"#
      }
      _ = try await client.post("mutation { \(fields.joined(separator: " ")) }")
    case .newDocuments:
      let fields = (0..<90).map { "a\($0): __schema { types { name } }" }.joined(separator: " ")
      _ = try await client.post("{ \(fields) } # \(number)")
    case .heldBodies:
      try await ignoringEnd {
        _ = try await TestThread { [port] in
          let socket = try TestSocket(port: port)
          let head = "POST /graphql HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: \(address)\r\n"
          try socket.send(Array((head + "Content-Length: 1000000\r\n\r\n").utf8) + Array(repeating: 32, count: 65_000))
        }.value
      }
    }
    begun.open()
  }

  /// The server ends connections that send more than they may.
  private func ignoringEnd(_ body: () async throws -> Void) async throws {
    do { try await body() } catch is ConnectionEnded {} catch is TestSocket.Failure {}
  }
}
