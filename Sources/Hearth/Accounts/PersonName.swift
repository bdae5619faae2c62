/// A person's name, from one field or from its parts.
struct PersonName: Sendable {
  let full: String
  let first: String
  let middle: String?
  let last: String?

  /// Notes what is wrong; nil then. `otherwise` is the name of who gave none, where none is required.
  init?(_ form: inout InputForm, isRequired: Bool, otherwise: String?) {
    let whole = form.line("name", "A name", required: false)
    let parts = ["firstName", "middleName", "lastName"].map { form.line($0, "A name", required: false) }
    guard form.errors.allSatisfy({ !["name", "firstName", "middleName", "lastName"].contains($0.field.last) }) else {
      return nil
    }
    if let first = parts[0] {
      (self.first, middle, last) = (first, parts[1], parts[2])
      full = whole ?? parts.compactMap(\.self).joined(separator: " ")
    } else if let whole = whole ?? parts[2] {
      let words = whole.split(whereSeparator: \.isWhitespace).map(String.init)
      full = whole
      first = words.first ?? whole
      middle = words.count > 2 ? words[1..<(words.count - 1)].joined(separator: " ") : nil
      last = words.count > 1 ? words.last : nil
    } else if let otherwise, !isRequired {
      (full, first, middle, last) = (otherwise, otherwise, nil, nil)
    } else {
      if isRequired { form.refuse("name", code: .blank, "A name is needed.") }
      return nil
    }
  }
}
