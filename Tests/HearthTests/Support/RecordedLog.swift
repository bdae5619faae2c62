import Logging
import Synchronization

/// The messages that a server has logged.
final class RecordedLog: Sendable {
  private let lines = Mutex<[String]>([])

  /// Each with its metadata.
  var messages: [String] { lines.withLock { $0 } }

  /// For the server.
  var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

  private struct Handler: LogHandler {
    let log: RecordedLog
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let line = "\(event.message) \(event.metadata ?? [:])"
      log.lines.withLock { $0.append(line) }
    }
  }
}
