extension InputValue {
  /// The value as shown in messages. The length is bounded for any input.
  package var shown: String { shown(depth: 2) }

  private func shown(depth: Int) -> String {
    switch self {
    case .null: return "null"
    case .int(let number): return String(number)
    case .float(let number):
      return number.rounded() == number && abs(number) < 1e21 ? String(format(number)) : Self.shown(number)
    case .boolean(let truth): return String(truth)
    case .upload: return "a file"
    case .enumeration(let name): return name
    case .string(let text): return Self.shown(text)
    case .list(let items):
      if items.isEmpty { return "[]" }
      if depth == 0 { return "[Array]" }
      let shown = items.prefix(10).map { $0.shown(depth: depth - 1) }
      let more = items.count - shown.count
      return "[" + (shown + (more > 0 ? ["... \(more) more item\(more == 1 ? "" : "s")"] : [])).joined(separator: ", ")
        + "]"
    case .object(let fields):
      if fields.isEmpty { return "{}" }
      if depth == 0 { return "[Object]" }
      return "{ " + fields.prefix(20).map { "\($0.name): \($0.value.shown(depth: depth - 1))" }.joined(separator: ", ")
        + " }"
    }
  }

  /// As JavaScript and other servers write it: `1e-7`, where Swift writes `1e-07`.
  private static func shown(_ number: Double) -> String {
    let text = "\(number)"
    guard let mark = text.firstIndex(of: "e") else { return text }
    let digits = text.index(mark, offsetBy: 2)
    return String(text[..<digits]) + text[digits...].drop { $0 == "0" }
  }

  /// Processes only the start of a long text, because one character can have as many bytes as the whole request.
  private static func shown(_ text: String) -> String {
    if text.utf8.count <= 200 { return "\"\(text)\"" }
    let beginning = String(text.unicodeScalars.prefix(1000)).prefix(200)
    return beginning.utf8.count == text.utf8.count ? "\"\(text)\"" : "\"\(beginning)…\""
  }

  private func format(_ whole: Double) -> String {
    if let number = Int64(exactly: whole) { return String(number) }
    return "\(whole)"
  }
}
