extension ServerSetting {
  /// Identity providers, passwords and the log.
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
    ServerSetting("READ_ONLY", default: "false", "`true` rejects mutations: see [read-only mode](#read-only-mode)") {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let isReadOnly = Bool(text) else { throw given.invalid("must be true or false.") }
      configuration.isReadOnly = isReadOnly
    },
    ServerSetting(
      "REQUEST_LOG",
      default: "off",
      "`off`, `text` or `json`: a line for each request; with `:N`, as in `json:100`, for one of N: see [request log](#request-log)"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard configuration.requestLog.set(text) else {
        throw given.invalid("must be off, text or json, or like json:100 for one request of 100.")
      }
    },
    ServerSetting(
      "SLOW_LOG",
      default: "off",
      "the milliseconds from which a request is logged with its SQL statements, or `off`"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard configuration.requestLog.set(slow: text) else {
        throw given.invalid("must be off, or a number of milliseconds from 1 to 3600000.")
      }
    },
    .option(
      nil,
      variable: "LOG_LEVEL",
      default: "info",
      "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`"
    ),
  ]
}
