import Glibc

/// Lines for the standard streams, written at once: what `print` writes to a pipe waits in a buffer.
enum GraphQLServerLog {
  static func write(_ error: any Error, _ field: String) { write("\(field): \(error)", to: STDERR_FILENO) }

  static func announce(_ url: String) { write("GraphQL is served at \(url)", to: STDOUT_FILENO) }

  private static func write(_ line: String, to descriptor: Int32) {
    _ = Array("\(line)\n".utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
