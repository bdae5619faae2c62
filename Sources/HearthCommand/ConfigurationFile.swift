import Foundation

/// A file of `HEARTH_NAME=value` lines, in the format of systemd and container tools. Empty lines and lines that begin
/// with `#` are ignored, and quotation marks around a value are removed.
struct ConfigurationFile {
  let variables: [String: String]

  init(path: String) throws {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandError("The configuration file \(path) cannot be read.")
    }
    var variables: [String: String] = [:]
    // The line ends of Windows are a single character in Swift, which is not equal to "\n".
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      // The line itself is not shown, because it can contain a secret.
      guard parts.count == 2, parts[0].hasPrefix("HEARTH_") else {
        throw CommandError("\(path):\(index + 1) is not of the form HEARTH_NAME=value.")
      }
      variables[parts[0].trimmingCharacters(in: .whitespaces)] = Self.unquoted(
        parts[1].trimmingCharacters(in: .whitespaces)
      )
    }
    self.variables = variables
  }

  private static func unquoted(_ value: String) -> String {
    for quote in ["\"", "'"] where value.count >= 2 && value.hasPrefix(quote) && value.hasSuffix(quote) {
      return String(value.dropFirst().dropLast())
    }
    return value
  }
}
