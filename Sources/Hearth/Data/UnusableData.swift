import Storage

/// Why the data cannot be used, as a sentence for operators.
package struct UnusableData: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  init(at path: String, _ error: DatabaseError) {
    description =
      switch error.code {
      case .destinationExists, .destinationUnusable, .foreignLog, .foreignFile, .databaseMissing: error.message
      case .logMissing:
        error.message
          + " Restore the log or a backup, or start with --accept-lost-log to continue without them."
      case .inUse: "The database is in use by another process, which needs it alone."
      default: "The database \(path) cannot be used: \(error.message)"
      }
  }

  /// Runs `body`, which opens or reads the data at `path`.
  static func naming<Value>(
    _ path: String,
    _ body: (_ path: String) throws(DatabaseError) -> Value
  ) throws(UnusableData) -> Value {
    do throws(DatabaseError) {
      return try body(path)
    } catch {
      throw UnusableData(at: path, error)
    }
  }
}
