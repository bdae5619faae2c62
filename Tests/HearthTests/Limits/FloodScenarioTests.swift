import Synchronization
import TestSupport
import Testing

@testable import Hearth

/// Adversary findings H1 to H3 and M1 to M3 together: everything that one network can send, at once.
@Suite("One network floods, another is served")
struct FloodScenarioTests {
  /// How many requests of the flood may be answered while those of the person are. What the person waits for is counted
  /// and not timed, because a busy machine makes the flood as slow as the person: 46 to 102 were answered.
  private static let limit = 2_000

  @Test(.timeLimit(.minutes(10)))
  func `a person signs in, resets a password, invites and uploads 3 MB while another network floods`() async throws {
    try await TestServer.run(configure: { $0.clientAddressHeader = "x-forwarded-for" }) { server in
      let ada = try await Household(on: server)
      let mallory = try await Household(on: server, email: "mallory@example.com")
      try await mallory.verifyEmail(on: server)
      try await withThrowingTaskGroup(of: Void.self) { group in
        let flood = Flood(port: server.port, token: mallory.parent.token)
        for kind in Flood.Kind.allCases {
          group.addTask {
            var number = 0
            while !flood.isOver {
              try await flood.send(kind, number: number)
              number += 1
            }
          }
        }
        await flood.hasBegun()
        let before = flood.answered.count
        try await Self.useNormally(ada, inviting: "grace", server)
        let meanwhile = flood.answered.count - before
        // The attack went on.
        #expect(meanwhile > 0)
        #expect(meanwhile < Self.limit)
        try await Self.receiveMails(ada, inviting: "grace", server)
        flood.end()
        try await group.waitForAll()
      }
    }
  }

  /// Every request of the person is served the first time.
  private static func useNormally(_ person: Household, inviting name: String, _ server: TestServer) async throws {
    let visitor = Client(port: server.port, from: "192.0.2.9")
    let signIn = try await visitor.perform(Documents.signIn, A02SignInTests.input(person.email, Household.password))
    let token: String = try #require(signIn["credentials.accessToken"].string, "\(signIn)")
    let app = visitor.with(token: token)
    let reset = try await visitor.perform(Documents.requestReset, ["email": .string(person.email)])
    #expect(reset["requested"] == true, "\(reset)")
    let invitation = try await app.perform(
      Documents.inviteContact,
      ["email": "\(name)@example.com", "offer": ["WORK"]]
    )
    #expect(invitation["contactRequest.id"] != .null, "\(invitation)")
    let photo = SamplePicture.jpeg(trailer: Array(repeating: 7, count: 3 << 20))
    let item = try await app.perform(Documents.addItem, ["name": "Bicycle"], files: ["photo": photo])
    #expect(item["item.id"] != .null, "\(item)")
  }

  /// The mails of the person are sent, whatever mails the flood has caused.
  private static func receiveMails(_ person: Household, inviting name: String, _ server: TestServer) async throws {
    await server.deliverMail()
    for mail in ["kind = 2 AND address = '\(person.email)'", "address = '\(name)@example.com'"] {
      let sent = try server.rows("SELECT count(*) FROM mail WHERE \(mail) AND sent_at IS NOT NULL", columns: 1)
      #expect(sent == [[1]], "\(mail)")
    }
  }
}

/// The requests of a hostile network, one of each kind at a time.
private final class Flood: Sendable {
  enum Kind: CaseIterable {
    case jsonBombs, registrations, signIns, resets, invitations, newDocuments, heldBodies, idleUploads, slowReaders
    case churn

    /// Whether the client waits for the response.
    var isAnswered: Bool {
      switch self {
      case .heldBodies, .idleUploads, .slowReaders: false
      default: true
      }
    }
  }

  let port: Int
  private let token: String?
  private let begun = Counter()
  /// The requests that were answered.
  let answered = Counter()
  private let hasEnded = Mutex(false)
  /// The newest connections whose clients neither send nor read any more.
  private let held = Mutex<[TestSocket]>([])

  /// - Parameter token: of an attacker who has an account.
  init(port: Int, token: String?) {
    self.port = port
    self.token = token
  }

  /// Returns when a request of each kind has been answered, or is held.
  func hasBegun() async { await begun.wait(for: Kind.allCases.count) }

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
        _ = try await client.http.post(
          #"{"query":"{__typename}","variables":{"x":{\#(keys)}}}"#,
          headers: [("Authorization", "Bearer \(token ?? "")")]
        )
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
    case .invitations:
      let fields = (0..<9).map {
        #"a\#($0): inviteContact(email: "f\#(number).\#($0)@x.example", offer: [WORK]) { userErrors { code } }"#
      }
      _ = try await client.with(token: token).post("mutation { \(fields.joined(separator: " ")) }")
    case .newDocuments: _ = try await client.post(Self.introspection(90, number: number))
    case .heldBodies:
      try await hold(head(address, length: 1_000_000) + Array(repeating: 32, count: 65_000))
    case .idleUploads:
      let form = "GraphQL-Require-Preflight: 1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
      try await hold(head(address, form, length: 20_000_000) + Array("--x\r\n".utf8))
    case .slowReaders:
      let body = (["query": .string(Self.introspection(30, number: number % 20))] as Value).text
      try await hold(head(address, length: body.utf8.count) + Array(body.utf8))
    case .churn:
      try await ignoringEnd {
        let body = #"{"query":"{__typename}"}"#
        let request = head(address, "Connection: close\r\n", length: body.utf8.count) + Array(body.utf8)
        try await TestThread { [port] in
          for _ in 0..<20 {
            let socket = try TestSocket(port: port)
            try socket.send(request)
            _ = try socket.receiveAll()
          }
        }.value
      }
    }
    if kind.isAnswered { answered.increment() }
    if number == 0 { begun.increment() }
  }

  private static func introspection(_ fields: Int, number: Int) -> String {
    "{ \((0..<fields).map { "a\($0): __schema { types { name } }" }.joined(separator: " ")) } # \(number)"
  }

  private func head(_ address: String, _ lines: String = "", length: Int) -> [UInt8] {
    let type = lines.contains("Content-Type") ? "" : "Content-Type: application/json\r\n"
    return Array(
      ("POST /graphql HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: \(address)\r\n\(type)\(lines)"
        + "Authorization: Bearer \(token ?? "")\r\nContent-Length: \(length)\r\n\r\n").utf8
    )
  }

  /// Sends what there is to send, and then neither sends nor reads.
  private func hold(_ bytes: [UInt8]) async throws {
    try await ignoringEnd {
      let socket = try await TestThread { [port] in
        let socket = try TestSocket(port: port, receiveBuffer: 4096)
        try socket.send(bytes)
        return socket
      }.value
      held.withLock { held in
        held.append(socket)
        if held.count > 100 { held.removeFirst() }
      }
    }
  }

  /// The server ends connections that send more than they may.
  private func ignoringEnd(_ body: () async throws -> Void) async throws {
    do { try await body() } catch is ConnectionEnded {} catch is TestSocket.Failure {}
  }
}
