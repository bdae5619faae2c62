/// A person's name, given as a whole or in parts.
struct PersonName: Sendable {
  let full: String
  let first: String
  let middle: String?
  let last: String?

  init(full: String, first: String, middle: String?, last: String?) {
    self.full = full
    self.first = first
    self.middle = middle
    self.last = last
  }

  /// Takes the first word as the first name, the last word as the last name, and all others as the middle name.
  init(splitting whole: String) {
    let words = whole.split(whereSeparator: \.isWhitespace).map(String.init)
    full = whole
    first = words.first ?? whole
    middle = words.count > 2 ? words[1..<(words.count - 1)].joined(separator: " ") : nil
    last = words.count > 1 ? words.last : nil
  }

  /// Splits a whole name, with the parts that are given in place of those of the split. With a last name, all words
  /// before it are the first name and the middle name.
  init(splitting whole: String, middle: String?, last: String?) {
    guard middle != nil || last != nil else {
      self.init(splitting: whole)
      return
    }
    var words = whole.split(whereSeparator: \.isWhitespace).map(String.init)
    if let last {
      let ending = last.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.count > ending.count, words.suffix(ending.count) == ending[...] { words.removeLast(ending.count) }
    }
    var lastName = last
    if lastName == nil && words.count > 1 { lastName = words.removeLast() }
    let middleName = middle ?? (words.count > 1 ? words.dropFirst().joined(separator: " ") : nil)
    let first = words.first ?? whole
    self.init(full: Self.whole(of: [first, middleName, lastName]), first: first, middle: middleName, last: lastName)
  }

  /// Reports errors to `form`, and returns nil if there is no valid name.
  ///
  /// - Parameter fallback: the name to use if none is given and none is required.
  init?(_ form: inout InputForm, isRequired: Bool, fallback: String?) {
    let whole = form.line("name", subject: "A name", required: false)
    // A first name that is given, but empty, is an error as it is in updates.
    let first = form.line("firstName", subject: "A first name", required: form["firstName"] != nil)
    let middle = form.line("middleName", subject: "A name", required: false)
    let last = form.line("lastName", subject: "A name", required: false)
    guard form.errors.allSatisfy({ !["name", "firstName", "middleName", "lastName"].contains($0.field.last) }) else {
      return nil
    }
    if let first {
      self.init(full: whole ?? Self.whole(of: [first, middle, last]), first: first, middle: middle, last: last)
    } else if let whole {
      self.init(splitting: whole, middle: middle, last: last)
    } else if let next = middle ?? last {
      // The next part takes the place of the first name.
      self.init(full: Self.whole(of: [middle, last]), first: next, middle: nil, last: middle == nil ? nil : last)
    } else if let fallback, !isRequired {
      self.init(full: fallback, first: fallback, middle: nil, last: nil)
    } else {
      if isRequired { form.reject("name", code: .blank, message: "A name is required.") }
      return nil
    }
  }

  /// As much of the parts as a name has room for.
  private static func whole(of parts: [String?]) -> String {
    var whole = parts.compactMap(\.self).joined(separator: " ").prefix(InputForm.maximumLine)
    while whole.last?.isWhitespace == true { whole.removeLast() }
    return String(whole)
  }

  /// The changes that an update makes to a name: as a whole, in parts, or both.
  struct Changes: Sendable {
    private let full: String?
    private let first: String?
    private let middle: String?
    private let last: String?
    private let givesMiddle: Bool
    private let givesLast: Bool

    /// Reports errors to `form`. A name and a first name can be changed, but not removed.
    init(_ form: inout InputForm) {
      full = form.line("name", subject: "A name", required: form.gives("name"))
      first = form.line("firstName", subject: "A first name", required: form.gives("firstName"))
      middle = form.line("middleName", subject: "A name", required: false)
      last = form.line("lastName", subject: "A name", required: false)
      givesMiddle = form.gives("middleName")
      givesLast = form.gives("lastName")
    }

    func applied(to known: PersonName) -> PersonName {
      guard first != nil || givesMiddle || givesLast else {
        return full.map(PersonName.init(splitting:)) ?? known
      }
      let first = first ?? known.first
      let middle = givesMiddle ? middle : known.middle
      let last = givesLast ? last : known.last
      return PersonName(
        full: full ?? PersonName.whole(of: [first, middle, last]),
        first: first,
        middle: middle,
        last: last
      )
    }
  }
}
