import Glibc

/// Writes errors that clients do not see to the standard error, unless the application handles them itself.
@usableFromInline package enum ErrorLog {
  /// Writes a line without buffering.
  @usableFromInline package static let write: ErrorHandler = { error, field in
    _ = Array("\(field): \(error)\n".utf8).withUnsafeBytes {
      Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
    }
  }
}
