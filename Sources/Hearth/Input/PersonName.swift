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
    let words = Self.words(of: whole)
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
    let words = Self.words(of: whole)
    let first = words.first ?? whole
    let rest = Self.partsAfterFirst(words.dropFirst(), middle: middle, last: last)
    let full = Self.whole(of: [first, rest.middle, rest.last])
    self.init(full: full, first: first, middle: rest.middle, last: rest.last)
  }

  /// Splits the words of a whole name after the first name, which is given too. The whole name stays as it is given.
  init(splitting whole: String, first: String, middle: String?, last: String?) {
    let (words, beginning) = (Self.words(of: whole), Self.words(of: first))
    let hasBeginning = words.starts(with: beginning)
    // The whole name can begin with other words, such as a title. Then the middle name is not looked for between the
    // first name and the last name.
    guard hasBeginning || last == nil else {
      self.init(full: whole, first: first, middle: middle, last: last)
      return
    }
    // Without a last name, such a beginning is taken as one word, such as a short form of the first name.
    let rest = Self.partsAfterFirst(words.dropFirst(hasBeginning ? beginning.count : 1), middle: middle, last: last)
    self.init(full: whole, first: first, middle: rest.middle, last: rest.last)
  }

  /// Splits the words after the first name, with the parts that are given in place of those of the split.
  private static func partsAfterFirst(
    _ rest: ArraySlice<String>,
    middle: String?,
    last: String?
  ) -> (middle: String?, last: String?) {
    var words = Array(rest)
    if let last {
      let ending = Self.words(of: last)
      if words.suffix(ending.count) == ending[...] { words.removeLast(ending.count) }
    }
    if let middle {
      let beginning = Self.words(of: middle)
      if words.starts(with: beginning) { words.removeFirst(beginning.count) }
    }
    let lastName = last ?? words.popLast()
    return (middle ?? (words.isEmpty ? nil : words.joined(separator: " ")), lastName)
  }

  private static func words(of name: String) -> [String] { name.split(whereSeparator: \.isWhitespace).map(String.init) }

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
    if let whole, let first {
      self.init(splitting: whole, first: first, middle: middle, last: last)
    } else if let first {
      self.init(full: Self.whole(of: [first, middle, last]), first: first, middle: middle, last: last)
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
