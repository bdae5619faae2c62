import GraphQL
import Storage

extension ServerSetting {
  /// All settings, in the order of the operating guide and of `hearth serve --help`.
  package static let all = options + telemetry + database + access + limits + accounts + pushes + sizes + providers

  /// Options of the command.
  private static let options: [ServerSetting] = [
    .option("host", variable: "HOST", default: "`127.0.0.1`", "the address or name to listen on"),
    .option("port", variable: "PORT", default: "`8080`", "the port; 0 picks a free one"),
    .option("data", variable: "DATA", default: "`data`", "the data folder, which is created if it does not exist"),
    .option("loops", variable: "LOOPS", default: "one per core", "event loops"),
    .option("config", variable: "CONFIG", default: "none", "a file with settings"),
    .option(
      "accept-lost-log",
      variable: nil,
      default: "off",
      "starts even if the write-ahead log is missing: see [after a crash](#after-a-crash)"
    ),
    .option(
      "demo",
      variable: nil,
      default: "off",
      "fills an empty data folder with a family whose passwords are public: never use it on a server that others can reach"
    ),
  ]
}
