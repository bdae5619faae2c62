/// Writes Swift source.
struct SwiftWriter: SourceWriter {
  var text = ""
  var depth = 0

  mutating func block(_ head: String, end: String = "}", _ body: (inout SwiftWriter) -> Void) {
    line(head + " {")
    // The cases of a switch are not indented.
    let indentation = head.hasPrefix("switch ") ? 0 : 1
    depth += indentation
    body(&self)
    depth -= indentation
    line(end)
  }

  /// Writes an initializer or function. If the line is too long, each argument gets its own line.
  mutating func arguments(of head: String, _ arguments: [String], _ body: (inout SwiftWriter) -> Void) {
    let together = "\(head)(\(arguments.joined(separator: ", ")))"
    guard depth * 2 + together.count > 110 else { return block(together, end: "}", body) }
    line("\(head)(")
    for (index, argument) in arguments.enumerated() {
      line("  " + argument + (index + 1 < arguments.count ? "," : ""))
    }
    block(")", end: "}", body)
  }

  mutating func comment(_ description: String?) {
    guard let description else { return }
    for part in lines(of: description) { line(part.isEmpty ? "///" : "/// " + part) }
  }

  /// Writes a multiline string literal, with enough `#` that its content cannot end it.
  mutating func string(_ content: String, after head: String) {
    var marks = "#"
    while content.contains("\"\"\"" + marks) || content.contains("\\" + marks) { marks += "#" }
    line("\(head)\(marks)\"\"\"")
    depth += 1
    for part in lines(of: content) { line(String(part)) }
    line("\"\"\"\(marks)")
    depth -= 1
  }
}

/// The lines of a document or a description, which can end with any line terminator of GraphQL.
func lines(of text: String) -> [Substring] {
  text.split(omittingEmptySubsequences: false) { ["\n", "\r\n", "\r"].contains($0) }
}

/// The text of a string literal on one line.
func literal(_ text: String) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": literal += "\\" + String(scalar)
    case "\n": literal += "\\n"
    default: literal.unicodeScalars.append(scalar)
    }
  }
  return literal + "\""
}
