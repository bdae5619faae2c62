import JSON

extension InputValue {
  /// Creates an input value from a JSON value that is neither a list nor an object, without coercion to a type.
  package init(leaf json: JSONValue) {
    switch json.kind {
    case .boolean: self = .boolean(json.bool ?? false)
    case .string: self = .string(json.string ?? "")
    case .number:
      if json.isInteger, let number = json.int64 {
        self = .int(number)
      } else {
        self = .float(json.double ?? .infinity)
      }
    case .null, .array, .object: self = .null
    }
  }
}

extension JSONValue {
  /// The value as shown in messages, like `InputValue.shown`. The length is bounded for any input.
  func shown(in given: GivenVariables) -> String { shown(depth: 2, given) }

  /// The value of a number as shown in messages. From 2^53 on, where no `Double` is known to be exact, it is shown as
  /// sent, with all of its digits. The JSON reader limits their number.
  var shownNumber: String {
    if int64 == nil, (double ?? .infinity).magnitude >= 0x1p53 { return String(decoding: rawBytes, as: UTF8.self) }
    return InputValue(leaf: self).shown
  }

  private func shown(depth: Int, _ given: GivenVariables) -> String {
    switch kind {
    case .null: return given.file(at: self) == nil ? "null" : "a file"
    case .number: return shownNumber
    case .boolean, .string: return InputValue(leaf: self).shown
    case .array:
      guard nodeCount > 1, let elements else { return "[]" }
      if depth == 0 { return "[Array]" }
      var shown: [String] = []
      var more = 0
      for element in elements {
        if shown.count < 10 { shown.append(element.shown(depth: depth - 1, given)) } else { more += 1 }
      }
      if more > 0 { shown.append("... \(more) more item\(more == 1 ? "" : "s")") }
      return "[" + shown.joined(separator: ", ") + "]"
    case .object:
      guard nodeCount > 1, let members else { return "{}" }
      if depth == 0 { return "[Object]" }
      let shown = members.prefix(20).map { member in
        let name = String((member.key.string ?? "").unicodeScalars.prefix(200))
        return "\(name): \(member.value.shown(depth: depth - 1, given))"
      }
      return "{ " + shown.joined(separator: ", ") + " }"
    }
  }
}
