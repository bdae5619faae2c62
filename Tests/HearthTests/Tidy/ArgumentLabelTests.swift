import Testing

/// A call shows what each of its arguments is: of two parameters in a row, at most the first has no label.
@Suite("Argument labels")
struct ArgumentLabelTests {
  private struct Parameter {
    let label: String
    let name: String
    let isFunction: Bool
  }

  /// Pairs that are read without labels: two operands of the same kind, a name and what it names, a statement and its
  /// parameters, the beginning of a request.
  private static let pairs: Set<[String]> = [
    ["one", "other"], ["first", "second"], ["row", "column"],
    ["name", "value"], ["name", "property"], ["name", "type"], ["name", "columns"],
    ["sql", "parameters"], ["statement", "parameters"], ["method", "path"],
  ]

  @Test func `two parameters in a row have a label`() throws {
    var functions = 0
    for file in try Checkout.swiftFiles(in: "Sources") {
      let tokens = SwiftTokens.tokens(of: file)
      for (index, token) in tokens.enumerated() where token.text == "func" || token.text == "init" {
        guard !token.isEscaped, let parameters = Self.parameters(after: index, in: tokens) else { continue }
        functions += 1
        for (number, pair) in zip(parameters, parameters.dropFirst()).enumerated() {
          let (first, second) = pair
          guard first.label == "_", second.label == "_" else { continue }
          // It is passed as a trailing closure.
          if second.isFunction, number + 2 == parameters.count { continue }
          // A type without a value: `read(as: Value.self)` reads the same.
          if second.name == ":" || Self.pairs.contains([first.name, second.name]) { continue }
          Issue.record("\(file.path):\(token.line): \(first.name), \(second.name)")
        }
      }
    }
    #expect(functions > 2_000)
  }

  /// The parameters of the function or initializer whose keyword is at an index; nil if the keyword declares none.
  private static func parameters(after keyword: Int, in tokens: [SwiftTokens.Token]) -> [Parameter]? {
    var index = keyword + 1
    // The name, and generic parameters.
    while index < tokens.count, tokens[index].text != "(" {
      if tokens[index].text == "{" || tokens[index].text == "." || index > keyword + 60 { return nil }
      index += 1
    }
    // `.init(` is a call.
    if keyword > 0, tokens[keyword - 1].text == "." || tokens[keyword].text == "self" { return nil }
    var depth = 0
    var parts: [[String]] = [[]]
    while index < tokens.count {
      let text = tokens[index].text
      if text == "(" || text == "[" || text == "{" { depth += 1 }
      if text == ")" || text == "]" || text == "}" { depth -= 1 }
      if depth == 0 { break }
      if text == ",", depth == 1, isBalanced(parts[parts.count - 1]) {
        parts.append([])
      } else if depth > 1 || text != "(" {
        parts[parts.count - 1].append(text)
      }
      index += 1
    }
    return parts.filter { !$0.isEmpty }.map(parameter)
  }

  /// Whether a comma after these tokens is not in a list of generic arguments.
  private static func isBalanced(_ tokens: [String]) -> Bool {
    var open = 0
    for (index, text) in tokens.enumerated() {
      if text == "<" { open += 1 }
      if text == ">", index == 0 || tokens[index - 1] != "-" { open -= 1 }
    }
    return open <= 0
  }

  private static func parameter(_ tokens: [String]) -> Parameter {
    var words = tokens[...]
    while words.first == "@" { words = words.dropFirst(2) }
    let label = words.first ?? ""
    let name = words.dropFirst().first ?? ""
    let isFunction = zip(tokens, tokens.dropFirst()).contains { $0 == "-" && $1 == ">" }
    return Parameter(label: label, name: name, isFunction: isFunction)
  }
}
