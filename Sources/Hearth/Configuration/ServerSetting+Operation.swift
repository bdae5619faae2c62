extension ServerSetting {
  /// The log level if `LOG_LEVEL` is not set. The command reads the variable.
  package static let standardLogLevel = "info"

  /// What operators change and see of a running server: the read-only mode and the logs.
  static let operation: [ServerSetting] = [
    .flag(
      "READ_ONLY",
      property: \.isReadOnly,
      "whether mutations are rejected, `yes` or `no`: see [read-only mode](#read-only-mode)"
    ),
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
      default: standardLogLevel,
      "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`"
    ),
  ]
}
