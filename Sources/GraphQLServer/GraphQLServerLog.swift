import Glibc

/// Writes lines to the standard output without buffering. Output of `print` to a pipe is buffered.
enum GraphQLServerLog {
  static func announce(_ url: String) {
    _ = Array("GraphQL is served at \(url)\n".utf8).withUnsafeBytes {
      Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
    }
  }
}
