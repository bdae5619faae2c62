import Foundation
import TestSupport
import Testing

@testable import Hearth

/// Push services and a webhook as a process of their own, which verifies signatures and decrypts with other people's
/// implementations: `Tests/Push/push_service.py`.
final class PushServiceProcess: Sendable {
  static let isAvailable = PythonScript.has("jwt", "cryptography", "http_ece", "standardwebhooks", "h2")

  let port: Int
  private let settings: PushSettings
  private let webhookSecret: String
  private let certificate: TemporaryDirectory
  private let server: PythonServer

  init() async throws {
    certificate = try await SMTPServerProcess.certificate()
    server = try await PythonServer(
      "Push/push_service.py",
      arguments: [certificate.path + "/certificate.pem", certificate.path + "/key.pem"]
    )
    let announced = try Value(Array(server.announced.utf8))
    port = try #require(announced["0"].int)
    var settings = PushSettings()
    settings.allowsPrivateHosts = true
    webhookSecret = try #require(announced["2"].string)
    let secret: WebhookSecret = try #require(WebhookSecret(webhookSecret))
    settings.webhook = Webhook(
      url: try #require(WebURL("http://127.0.0.1:\(port)/webhook")),
      secret: secret
    )
    let key = try #require(announced["3"].string)
    let applePort = try #require(announced["1"].int)
    var apple = try #require(ApplePushSettings(key: key))
    (apple.keyID, apple.teamID, apple.topic) = ("KEY", "TEAM", "com.example.home")
    apple.url = "https://127.0.0.1:\(applePort)"
    apple.sandboxURL = "https://127.0.0.1:\(applePort)/sandbox"
    apple.authorities = certificate.path + "/certificate.pem"
    settings.apple = apple
    var google = try #require(GooglePushSettings(Data(announced["4"].text.utf8)))
    google.url = "http://127.0.0.1:\(port)"
    settings.google = google
    self.settings = settings
  }

  /// The settings of a server in a process of its own, for the webhook alone.
  var webhookEnvironment: [String: String] {
    ["HEARTH_WEBHOOK_URL": "http://127.0.0.1:\(port)/webhook", "HEARTH_WEBHOOK_SECRET": webhookSecret]
  }

  /// Sets it up as all push services. Without `webhook` there is no webhook.
  func configure(_ configuration: inout Configuration, webhook: Bool = false) {
    configuration.push = settings
    // Hours pass in the tests.
    configuration.accessTokenLifetime = 86_400
    if !webhook { configuration.push.webhook = nil }
  }

  @discardableResult
  private func control(_ command: Value) async throws -> Value {
    let answer = try await HTTPClient(port: port).send("POST", "/control", body: Array(command.text.utf8))
    try #require(answer.status == 200, "\(answer.text)")
    return try Value(answer.body)
  }

  /// `up` or another mode of the process, for paths with a prefix.
  func become(_ mode: String, for prefix: String = "/") async throws {
    try await control(["mode": .string(mode), "of": .string(prefix)])
  }

  /// A browser's push subscription, as the input of `registerDevice`.
  func subscription(_ name: String) async throws -> Value {
    ["web": try await control(["subscribe": .string(name)])["subscription"]]
  }

  /// What arrived, once there are `count` messages.
  func messages(_ count: Int = 0) async throws -> [Value] {
    let received = try await control(["await": .number(Double(count))])["received"].list
    let wrong = received.filter { $0["kind"] == "wrong" }
    #expect(wrong.isEmpty, "\(wrong)")
    return received.filter { $0["kind"] != "attempt" && $0["kind"] != "wrong" }
  }

  /// The number of requests that did not end with a message, once there are `count` requests in all.
  func attempts(_ count: Int = 0) async throws -> Int {
    try await control(["attempts": .number(Double(count))])["received"].list.count { $0["kind"] == "attempt" }
  }

  /// How many access tokens were granted.
  var grants: Int { get async throws { try #require(try await control([:])["granted"].int) } }
}
