extension ServerSetting {
  /// All settings, in the order of the operating guide and of `hearth serve --help`.
  package static let all: [ServerSetting] = [
    options, telemetry, database, access, limits, accounts, pushes, sizes, providers, operation,
  ].flatMap { $0 }

  /// Options of the command. Their defaults are those of `ServerOptions`.
  private static let options: [ServerSetting] = [
    .option("host", variable: "HOST", default: "`\(ServerOptions().host)`", "the address or name to listen on"),
    .option("port", variable: "PORT", default: "`\(ServerOptions().port)`", "the port; 0 picks a free one"),
    .option(
      "data",
      variable: "DATA",
      default: "`\(ServerOptions().dataDirectory)`",
      "the data folder, which is created if it does not exist"
    ),
    .option("loops", variable: "LOOPS", default: "one per core", "event loops"),
    .option("config", variable: "CONFIG", default: "none", "a file with settings"),
    .option(
      "accept-lost-log",
      variable: nil,
      default: "off",
      "starts even if the write-ahead log is missing or damaged: see [after a crash](#after-a-crash)"
    ),
    .option(
      "demo",
      variable: nil,
      default: "off",
      "fills an empty data folder with a family whose passwords are public: never use it on a server that others can reach"
    ),
    .option(
      "without-delivery",
      variable: nil,
      default: "off",
      "sends no mails, pushes or webhooks, which stay in their queues: for [trying a backup](#backup)"
    ),
  ]
}
