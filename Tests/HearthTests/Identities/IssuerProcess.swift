import Foundation
import TestSupport
import Testing

@testable import Hearth

/// A provider of identities, with tokens and signatures by PyJWT, as a process of its own.
final class IssuerProcess: Sendable {
  static let isAvailable = PythonScript.has("jwt", "cryptography")

  static let issuer = "https://issuer.example"
  static let clientID = "123"

  let port: Int
  private let server: PythonServer
  private let http: HTTPClient

  init() async throws {
    let server = try await PythonServer("Identity/issuer.py")
    self.server = server
    port = try #require(Int(server.announced), "\(server.announced)")
    http = HTTPClient(port: port)
  }

  /// All three providers are this one.
  func configure(_ configuration: inout Configuration) {
    for provider in IdentityProvider.allCases {
      var settings = ProviderSettings(defaultsFor: provider)
      settings.issuers = [Self.issuer, "issuer.example"]
      settings.keysURL = WebURL("http://127.0.0.1:\(port)/keys")
      settings.clientIDs = [Self.clientID, "456"]
      if provider == .facebook { settings.graphURL = WebURL("http://127.0.0.1:\(port)") }
      settings.timeout = 1_000
      configuration.identityProviders[provider] = settings
    }
  }

  @discardableResult
  private func send(_ path: String, _ body: Value = .object([:])) async throws -> Value {
    let answer = try await http.send("POST", path, body: Array(body.text.utf8))
    try #require(answer.status == 200, "\(answer.text)")
    return try Value(answer.body)["answer"]
  }

  /// `up`, `down`, `failing`, `garbage`, `huge` or `slow`.
  func become(_ mode: String) async throws { try await send("/mode", ["mode": .string(mode)]) }
  func send(cacheControl: String) async throws { try await send("/mode", ["cacheControl": .string(cacheControl)]) }
  func rotate() async throws { try await send("/rotate") }
  var timesAsked: Int { get async throws { try #require(try await send("/asked").int) } }

  /// The claims of a valid token at the start of the tests' time, with changes.
  static func claims(_ given: Value = .object([:])) -> Value {
    let good: Value = [
      "iss": .string(issuer), "aud": .string(clientID), "sub": "000123.abc", "iat": 1_795_247_990,
      "exp": 1_795_248_600, "email": "ada@example.com", "email_verified": true, "name": "Ada Lovelace",
    ]
    return good.merging(given)
  }

  func token(
    _ claims: Value = .object([:]),
    _ algorithm: String = "RS256",
    signing more: Value = .object([:])
  ) async throws -> String {
    let request: Value = ["claims": Self.claims(claims), "algorithm": .string(algorithm)]
    return try #require(try await send("/sign", request.merging(more)).string)
  }

  /// An access token of Facebook's that it will know.
  func accessToken(
    _ token: String,
    about: Value = .object([:]),
    person: Value = .object([:]),
    friends: [Value] = [],
    isEndless: Bool = false
  ) async throws -> String {
    let good: Value = ["app_id": "123", "user_id": "77", "is_valid": true, "type": "USER", "expires_at": 0]
    let ada: Value = ["id": "77", "name": "Ada Lovelace", "email": "ada@example.com"]
    try await send(
      "/tokens",
      [
        "token": .string(token), "about": good.merging(about), "person": ada.merging(person),
        "friends": .array(friends), "endless": .boolean(isEndless),
      ]
    )
    return token
  }
}
