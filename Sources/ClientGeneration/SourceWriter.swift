/// Writes source text line by line. What each language adds is in `SwiftWriter` and `TypeScriptWriter`.
protocol SourceWriter {
  var text: String { get set }
  /// The levels by which lines are indented.
  var depth: Int { get set }
}

extension SourceWriter {
  mutating func line(_ line: String = "") {
    text += line.isEmpty ? "\n" : String(repeating: "  ", count: depth) + line + "\n"
  }
}
