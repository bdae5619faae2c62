import TestSupport
import Testing

@testable import Hearth

/// The product over WebSocket: the same responses as over HTTP, and sessions that end.
@Suite("WebSocket")
struct WebSocketTests {
  private static let whoAmI = "{ viewer { ... on Account { person { name } } } }"
  private static let ada = #"{"data":{"viewer":{"person":{"name":"Ada Lovelace"}}}}"#

  private func socket(_ server: TestServer, _ client: Client) async throws -> LiveSocket {
    let socket = try await LiveSocket.open(server.port)
    try await socket.initialize(client.token)
    return socket
  }

  @Test func `queries and mutations are answered as over HTTP`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let socket = try await socket(server, ada.parent)
      try await socket.subscribe("1", Self.whoAmI)
      #expect(try await socket.receive() == next("1", Self.ada))
      #expect(try await socket.receive() == complete("1"))
      try await socket.subscribe(
        "2",
        "mutation ($input: AddItemInput!) { addItem(input: $input) { item { name } userErrors { code } } }",
        #","variables":{"input":{"name":"Tent"}}"#
      )
      #expect(
        try await socket.receive()
          == next("2", #"{"data":{"addItem":{"item":{"name":"Tent"},"userErrors":[]}}}"#)
      )
      #expect(try await socket.receive() == complete("2"))
      let items = try await ada.parent.ask("{ family { items(first: 5) { nodes { name } } } }")
      #expect(items["data.family.items.nodes"] == [["name": "Tent"]])
    }
  }

  @Test func `a person's connections are counted over all loops, and each member's for themselves`() async throws {
    try await TestServer.run(loops: 2, configure: { $0.connectionsPerPerson = 3 }) { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let phone = try await A16SignOutTests.signIn(server).client
      let phones = try await socket(server, phone)
      var open: [LiveSocket] = []
      for _ in 0..<2 { open.append(try await socket(server, ada.parent)) }
      let rejected =
        "TOO_MANY_CONNECTIONS: You have 3 open live connections, which is the maximum: close one, or try again later."
      for client in [ada.parent, phone] {
        let socket = try await LiveSocket.open(server.port)
        let token = try #require(client.token)
        try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
        #expect(try await socket.receive() == .close(1013, rejected))
      }
      open.append(try await socket(server, try await ada.signIn("mia")))
      // A session that ends makes room for others.
      #expect(try await phone.perform(Documents.signOut)["signedOut"] == true)
      #expect(try await phones.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      open.append(try await socket(server, ada.parent))
      for socket in open {
        try await socket.subscribe("1", "{ __typename }")
        #expect(try await socket.receive() == next("1", #"{"data":{"__typename":"Query"}}"#))
      }
    }
  }

  @Test func `a family's connections are limited too, however many children it has`() async throws {
    try await TestServer.run(loops: 2, configure: { $0.connectionsPerPerson = 1 }) { server in
      let ada = try await Household(on: server)
      let ben = try await Household(on: server, email: "ben@example.com", name: "Ben Other")
      var open: [LiveSocket] = []
      for number in 1...5 {
        _ = try await ada.addChild("Mia", username: "mia\(number)")
        open.append(try await socket(server, try await ada.signIn("mia\(number)")))
      }
      let rejected =
        "TOO_MANY_CONNECTIONS: Your family has 5 open live connections, which is the maximum: "
        + "close one, or try again later."
      let token = try #require(ada.parent.token)
      // A rejected connection does not count for the person, who would then get another error.
      for _ in 0..<2 {
        let more = try await LiveSocket.open(server.port)
        try await more.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
        #expect(try await more.receive() == .close(1013, rejected))
      }
      open.append(try await socket(server, ben.parent))
      for socket in open {
        try await socket.subscribe("1", "{ __typename }")
        #expect(try await socket.receive() == next("1", #"{"data":{"__typename":"Query"}}"#))
      }
    }
  }

  @Test func `without a token it is a visitor's`() async throws {
    try await TestServer.run { server in
      let socket = try await socket(server, server.visitor)
      try await socket.subscribe("1", "{ family { id } }")
      guard case .text(let text) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(text.contains("UNAUTHENTICATED"))
      #expect(text.contains("as Authorization in the payload of connection_init"))
    }
  }

  @Test func `a token without its scheme closes it, and the reason names the form`() async throws {
    try await TestServer.run { server in
      let token = try #require(try await Household(on: server).parent.token)
      let socket = try await LiveSocket.open(server.port)
      try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"\#(token)"}}"#)
      let reason = "TOKEN_MALFORMED: Authorization must be `Bearer`, a space and an access token."
      #expect(try await socket.receive() == .close(4403, reason))
    }
  }

  @Test func `a token that is not good is forbidden, and why`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server).client
      _ = try await phone.perform(Documents.signOut)
      server.clock.advance(seconds: 60)
      let tokens = ["nonsense": "TOKEN_MALFORMED", phone.token ?? "": "TOKEN_REVOKED"]
      for (token, code) in tokens {
        let socket = try await LiveSocket.open(server.port)
        try await socket.send(#"{"type":"connection_init","payload":{"Authorization":"Bearer \#(token)"}}"#)
        guard case .close(4403, let reason) = try await socket.receive() else { return #expect(Bool(false), "\(code)") }
        #expect(reason.hasPrefix(code))
      }
      server.clock.advance(days: 1)
      let socket = try await LiveSocket.open(server.port)
      try await socket.send(
        #"{"type":"connection_init","payload":{"authorization":"Bearer \#(ada.parent.token ?? "")"}}"#
      )
      guard case .close(4403, let reason) = try await socket.receive() else { return #expect(Bool(false)) }
      #expect(reason.hasPrefix("TOKEN_EXPIRED"))
    }
  }

  @Test func `signing out closes every open socket of the session, and no other`() async throws {
    try await TestServer.run(loops: 2) { server in
      let ada = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server).client
      // More sockets than loops.
      var open: [LiveSocket] = []
      for _ in 0..<5 { open.append(try await socket(server, phone)) }
      let tablet = try await socket(server, ada.parent)
      #expect(try await phone.perform(Documents.signOut)["signedOut"] == true)
      for socket in open {
        #expect(try await socket.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      }
      try await tablet.subscribe("1", Self.whoAmI)
      #expect(try await tablet.receive() == next("1", Self.ada))
    }
  }

  @Test func `signing out in a socket is answered before it is closed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let socket = try await socket(server, ada.parent)
      try await socket.subscribe("1", "mutation { signOut { signedOut } }")
      #expect(try await socket.receive() == next("1", #"{"data":{"signOut":{"signedOut":true}}}"#))
      #expect(try await socket.receive() == complete("1"))
      #expect(try await socket.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
    }
  }

  @Test func `a deactivated account's and a removed child's sockets are closed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let id = try await ada.addChild("Mia", username: "mia")
      let child = try await socket(server, try await ada.signIn("mia"))
      #expect(try await ada.parent.perform(Documents.removeChild, ["id": .string(id)]).userErrors == [])
      #expect(try await child.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
      let parent = try await socket(server, ada.parent)
      let outcome = try await ada.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(outcome["deactivated"] == true, "\(outcome)")
      #expect(try await parent.receive() == .close(4403, "SESSION_ENDED: The session has ended: sign in again."))
    }
  }

  @Test func `a renewed token keeps the socket`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      let phone = try await A16SignOutTests.signIn(server)
      let socket = try await socket(server, phone.client)
      server.clock.advance(seconds: 14 * 60)
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": .string(phone.refreshToken)])
      let token: String = try #require(refreshed["credentials.accessToken"].string)
      try await socket.send(#"{"type":"ping","payload":{"Authorization":"Bearer \#(token)"}}"#)
      #expect(try await socket.receive() == .text(#"{"type":"pong","payload":{"renewed":true}}"#))
      server.clock.advance(seconds: 5 * 60)
      try await socket.subscribe("1", Self.whoAmI)
      #expect(try await socket.receive() == next("1", Self.ada))
    }
  }
}
