/// Writes TypeScript source.
struct TypeScriptWriter: SourceWriter {
  var text = ""
  var depth = 0

  mutating func block(_ head: String, end: String = "}", _ body: (inout TypeScriptWriter) -> Void) {
    line(head)
    depth += 1
    body(&self)
    depth -= 1
    line(end)
  }

  mutating func comment(_ description: String?) {
    guard let description else { return }
    let lines = lines(of: description.replacing("*/", with: "*\\/"))
    guard lines.count > 1 else { return line("/** \(lines.first ?? "") */") }
    line("/**")
    for part in lines { line(part.isEmpty ? " *" : " * " + part) }
    line(" */")
  }

  /// Appends a template literal. Its content keeps its indentation.
  mutating func template(_ content: String, after head: String, end: String) {
    text += head + "`" + Self.escaped(content) + "`" + end + "\n"
  }

  private static func escaped(_ content: String) -> String {
    content.replacing("\\", with: "\\\\").replacing("`", with: "\\`").replacing("${", with: "\\${")
  }
}
