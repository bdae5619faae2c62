import Foundation

extension ServerSetting {
  /// How notifications leave the server.
  static let pushes: [ServerSetting] = [
    ServerSetting(
      "WEB_PUSH_HOSTS",
      default: "`\(Configuration().push.webHosts.joined(separator: ","))`",
      "the push services of browsers that can be registered: comma-separated hosts, `*.` for all below one, or `*`; see [notifications](#notifications)"
    ) { given, configuration throws(InvalidSetting) in
      guard let hosts = given.list else { return }
      guard hosts.allSatisfy({ !$0.contains("/") && !$0.contains(":") }) else {
        throw given.invalid("must list hosts, like push.example.com, without https:// and ports.")
      }
      configuration.push.webHosts = hosts.map { $0.lowercased() }
    },
    ServerSetting(
      "WEBHOOK_URL",
      default: "none",
      "the URL of your server that receives every notification: see [webhook](#webhook)"
    ) { given, configuration throws(InvalidSetting) in
      if let url = try given.url() { configuration.push.webhook = Webhook(url: url) }
    },
    // It depends on `WEBHOOK_URL`, so it comes after it.
    ServerSetting(
      "WEBHOOK_SECRET",
      default: "none",
      "the key of the webhook's signatures, required with it: at least 24 bytes in Base64"
    ) { given, configuration throws(InvalidSetting) in
      guard configuration.push.webhook != nil else {
        if given.text != nil { throw given.invalid("needs HEARTH_WEBHOOK_URL, which is not set.") }
        return
      }
      guard let secret = given.text.flatMap(WebhookSecret.init) else {
        throw given.invalid("must be at least 24 bytes in Base64, as HEARTH_WEBHOOK_URL is set.")
      }
      configuration.push.webhook?.secret = secret
    },
    ServerSetting(
      "APPLE_PUSH_KEY",
      default: "none",
      "the `.p8` file with your key for Apple's push service; without it nothing is sent there"
    ) { given, configuration throws(InvalidSetting) in
      guard let path = given.text else { return }
      let text = String(decoding: try given.content(ofFile: path), as: UTF8.self)
      guard let settings = ApplePushSettings(key: text) else {
        throw given.invalid("must be a file with a P-256 private key in PEM.")
      }
      configuration.push.apple = settings
    },
    .apple("APPLE_PUSH_KEY_ID", property: \.keyID, "the id of that key, required with it"),
    .apple("APPLE_PUSH_TEAM_ID", property: \.teamID, "the id of your team at Apple, required with it"),
    .apple("APPLE_PUSH_TOPIC", property: \.topic, "the bundle id of your app, required with it"),
    ServerSetting(
      "GOOGLE_PUSH_ACCOUNT",
      default: "none",
      "the JSON file of a service account for Google's push service (FCM); without it nothing is sent there"
    ) { given, configuration throws(InvalidSetting) in
      guard let path = given.text else { return }
      guard let settings = GooglePushSettings(Data(try given.content(ofFile: path))) else {
        throw given.invalid("must be the JSON file of a service account.")
      }
      configuration.push.google = settings
    },
  ]

  /// A part of the settings for Apple's push service, which must be set if there is a key.
  private static func apple(
    _ name: String,
    property: any WritableKeyPath<ApplePushSettings, String> & Sendable,
    _ description: String
  ) -> ServerSetting {
    ServerSetting(name, default: "none", description) { given, configuration throws(InvalidSetting) in
      guard configuration.push.apple != nil else { return }
      guard let text = given.text, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
        throw given.invalid("must be set, as HEARTH_APPLE_PUSH_KEY is.")
      }
      configuration.push.apple?[keyPath: property] = text
    }
  }
}
