extension ServerSetting {
  /// Identity providers and passwords.
  static let providers: [ServerSetting] = [
    ServerSetting(
      providers: "CLIENT_IDS",
      default: "none",
      "your apps' comma-separated client ids at the provider; without one the provider is disabled"
    ) { given, settings in
      settings.clientIDs = given.list ?? settings.clientIDs
    },
    ServerSetting(
      providers: "APP_SECRET",
      of: [.facebook],
      default: "none",
      "the app's secret, which authenticates inspections of Facebook's access tokens"
    ) { given, settings in
      if let secret = given.text { settings.applicationSecret = ApplicationSecret(secret) }
    },
    ServerSetting(providers: "ISSUER", default: "the provider's", "the accepted issuers of tokens") { given, settings in
      settings.issuers = given.list ?? settings.issuers
    },
    ServerSetting(providers: "KEYS_URL", default: "the provider's", "the URL of the provider's signing keys") {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.keysURL = url }
    },
    ServerSetting(
      providers: "GRAPH_URL",
      of: [.facebook],
      default: "Facebook's",
      "the URL where access tokens are inspected"
    ) {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.graphURL = url }
    },
    .number(
      "PASSWORD_COST",
      property: \.passwordCost,
      in: 10...20,
      "the base-2 logarithm of scrypt's cost: each increment doubles the time and memory of a sign-in"
    ),
  ]
}
