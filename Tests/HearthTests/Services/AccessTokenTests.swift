import Foundation
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
      #expect(await server.services.tokens.verify(Array(token.utf8)[...]) == nil)
      let answer = try await server.visitor.with(token: token).ask("{ family { id } }")
      #expect(answer["errors.0.extensions.code"] == "TOKEN_MALFORMED", "\(answer)")
    }
  }
}
