import Foundation
import GraphQLTransport
import Testing

@testable import Hearth

@Suite("Access tokens")
struct AccessTokenTests {
  /// A token that anybody can write.
  private static func forged(_ claims: String) -> String {
    let parts = [#"{"alg":"HS256","typ":"JWT"}"#, claims, String(repeating: "x", count: 32)]
    return parts.map { Base64URL.encode(Data($0.utf8)) }.joined(separator: ".")
  }

  @Test(arguments: ["1e300", "-1e300", "1e17", "9.3e15", "-9.3e15", "0.5", "4000000000"])
  func `the expiry of a token that is not signed can be any number`(expiry: String) async throws {
    try await TestServer.run { server in
      let token = Self.forged(#"{"sid":"8","iat":1,"exp":\#(expiry)}"#)
      let now = server.clock.clock.now()
      let isLater = try #require(Double(expiry)) > Double(now / 1000)
      #expect(await server.services.tokens.isWellFormed(Array(token.utf8)[...], at: now) == isLater)
      #expect(await server.services.tokens.verify(Array(token.utf8)[...], at: now) == nil)
      let answer = try await server.visitor.with(token: token).ask("{ family { id } }")
      #expect(answer["errors.0.extensions.code"] == "TOKEN_MALFORMED", "\(answer)")
    }
  }
  @Test func `a token is valid for the lifetime of tokens at most, whatever expiry its forger has chosen`() async throws
  {
    let cipher = try #require(IdentifierCipher(secret: Array(0..<16)))
    let key = SigningKeys(current: Array(0..<32))
    let tokens = await AccessTokens(key, cipher: cipher, lifetime: 900)
    let forger = await AccessTokens(key, cipher: cipher, lifetime: 100_000_000)
    let (session, now): (GlobalID, Int64) = (GlobalID(.session, number: 1), 1_760_000_000_500)
    let forged = try await forger.issue(for: session, at: now)
    #expect(forged.expiresAt > now + 900_000)
    let capped = try #require(await tokens.verify(Array(forged.token.utf8)[...], at: now))
    #expect(capped.session == session && capped.expiresAt == now + 900_000)
    let own = try await tokens.issue(for: session, at: now)
    for time in [now, now + 600_000] {
      let verified = try #require(await tokens.verify(Array(own.token.utf8)[...], at: time))
      #expect(verified.session == session && verified.expiresAt == own.expiresAt)
    }
  }

  @Test func `a token that was verified before its key was revoked is not cached after that`() async throws {
    try await TestServer.run { server in
      let (services, ended) = (server.services, server.services.endedSessions)
      let viewer = Viewer(
        session: GlobalID(.session, number: 1),
        member: GlobalID(.person, number: 1),
        family: GlobalID(.family, number: 1)
      )
      let token = Array("a verified token".utf8)[...]
      var cache = SessionCache()
      let verified = ended.currentCount
      ended.invalidateTokens(areRevoked: true)
      // Another request of the loop empties the cache before the token is added.
      let other = cache.admission(for: Array("another token".utf8)[...], at: 0, services)
      #expect(other == nil)
      let late = cache.admit(viewer, token: token, expiresAt: 1, since: verified, of: ended)
      #expect(late == nil)
      let cached = cache.admission(for: token, at: 0, services)
      #expect(cached == nil)
      // A token that was verified with the new keys, also after a session has ended.
      let now = ended.currentCount
      ended.note([GlobalID(.session, number: 2)], change: .ended)
      let admitted = cache.admit(viewer, token: token, expiresAt: 1, since: now, of: ended)
      #expect(admitted?.viewer == viewer)
      let known = cache.admission(for: token, at: 0, services)
      #expect(known?.viewer == viewer)
    }
  }
}
