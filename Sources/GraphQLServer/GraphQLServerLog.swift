import Glibc

/// Writes lines to the standard streams without buffering. Output of `print` to a pipe is buffered.
enum GraphQLServerLog {
  static func write(_ error: any Error, field: String) { write("\(field): \(error)", to: STDERR_FILENO) }

  static func announce(_ url: String) { write("GraphQL is served at \(url)", to: STDOUT_FILENO) }

  private static func write(_ line: String, to descriptor: Int32) {
    _ = Array("\(line)\n".utf8).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
