import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Tokens and feed positions reveal no counts")
struct HiddenCountTests {
  /// The claims of an access token.
  private static func claims(of token: String?) throws -> Value {
    let part = try #require(token?.split(separator: ".").dropFirst().first)
    let text = part.replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return try Value(Array(try #require(Data(base64Encoded: String(padded)))))
  }

  @Test func `the session in an access token is the id that its owner sees, and not a number`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let other = try await Household(on: server, email: "other@example.com")
      for household in [ada, other] {
        let claims = try Self.claims(of: household.parent.token)
        let id = try await household.parent.ask(Documents.sessions)["data.viewer.sessions.0.id"]
        #expect(claims["sid"] == id)
      }
    }
  }

  @Test func `an access token of before the upgrade is good until it expires`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let session = try server.rows("SELECT id FROM session", columns: 1)[0][0]
      let old = try await server.services.tokens.issue(
        sid: String(session, radix: 36),
        at: server.clock.clock.now()
      )
      let app = server.visitor.with(token: old.token)
      #expect(try await app.ask(Documents.whoAmI)["data.viewer.id"] == .string(ada.accountID))
      server.clock.advance(seconds: 15 * 60)
      #expect(try await app.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_EXPIRED")
    }
  }

  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"

  @Test func `positions neither rise with what is written nor can be made up, wherever they are sent`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let device = try await Listener.open(server.port, ada.parent, Self.items).listening()
      let stream = try await EventStream.open(server.port, ada.parent, Self.items)
      let acknowledged: String = try #require(device.position)
      var positions: [String] = [acknowledged, try await stream.position()]
      #expect(positions[0] == positions[1])
      for number in 0..<30 {
        _ = try await ada.addItem("Item \(number)")
        let event = try await device.next()
        #expect(event["data.familyChanged.item.name"] == .string("Item \(number)"))
        positions.append(try #require(event["extensions.position"].string))
      }
      let form = /[0-9a-f][0-9a-hjkmnp-tv-z]{12}/
      for position in positions { #expect(position.wholeMatch(of: form) != nil, "\(position)") }
      let rising = positions.dropFirst().sorted()
      #expect(rising != Array(positions.dropFirst()))
      // Each is good to go on from, though it says nothing.
      let again = try await Listener.open(server.port, ada.parent, Self.items, after: positions[16])
      #expect(try await again.next()["data.familyChanged.item.name"] == "Item 15")
      let streamed = try await EventStream.open(server.port, ada.parent, Self.items, after: positions[31])
      _ = try await ada.addItem("Last")
      #expect(try await streamed.next()["data.familyChanged.item.name"] == "Last")
    }
  }

  /// A number would reveal how many positions there are if it were accepted.
  @Test(arguments: ["1", "7", "12", "1000000", "9223372036854775807", "99999999999999999999", "0000000000000"])
  func `a number, as positions were before the upgrade, is always a gap`(number: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for _ in 0..<3 { _ = try await ada.addItem() }
      let device = try await Listener.open(server.port, ada.parent, Self.items, after: number)
      #expect(try await device.rejection() == "FEED_GAP")
    }
  }

  @Test func `an invalid position is rejected, including an id`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for text in [ada.familyID, ada.accountID, "", "-1", "one", "1.5", " 1"] {
        let device = try await Listener.open(server.port, ada.parent, Self.items, after: text)
        #expect(try await device.rejection() == "BAD_USER_INPUT", "\(text)")
      }
      // One in 128 invented texts decrypts to a position, which is beyond the newest one.
      let device = try await Listener.open(server.port, ada.parent, Self.items, after: "fzzzzzzzzzzzz")
      #expect(["BAD_USER_INPUT", "FEED_GAP"].contains(try await device.rejection()))
    }
  }
}
