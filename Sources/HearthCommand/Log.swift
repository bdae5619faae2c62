import Logging

enum Log {
  /// Everything but the ready line goes to standard error.
  static func standardError(level: Logger.Level) -> Logger {
    var logger = Logger(label: "hearth") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
  }
}
