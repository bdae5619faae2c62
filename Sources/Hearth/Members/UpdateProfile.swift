import GraphQL
import Storage

/// `updateProfile`: what somebody tells everybody of themselves, beside their name.
enum UpdateProfile {
  static let update = SQL(
    """
    UPDATE person SET current_city = iif(?2 & 1, ?3, current_city), hometown = iif(?2 & 2, ?4, hometown), \
    company = iif(?2 & 4, ?5, company), high_schools = iif(?2 & 8, ?6, high_schools), \
    colleges = iif(?2 & 16, ?7, colleges), social_media = iif(?2 & 32, ?8, social_media) WHERE id = ?1
    """
  )

  /// The fields of `UpdateProfileInput`, in the order of the statement's parameters.
  private static let lines = [("currentCity", "A city"), ("hometown", "A hometown"), ("company", "A company")]
  private static let lists = [("highSchools", "A school"), ("colleges", "A college"), ("socialMedia", "A link")]
  static let maximumOfList = 20

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    var texts: [String?] = []
    for (field, what) in lines { texts.append(form.line(field, what, required: false)) }
    for (field, what) in lists {
      let maximum = field == "socialMedia" ? 300 : 100
      texts.append(form.list(field, what, of: maximum, maximumCount: maximumOfList))
    }
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    // A bit for each field that is given: what is absent stays as it is.
    let given = (lines + lists).enumerated().reduce(0 as Int64) { bits, field in
      form.gives(field.element.0) ? bits | 1 << Int64(field.offset) : bits
    }
    let values = texts
    try await context.write { transaction in
      let statement = try transaction.statement(update)
      try statement.bind(1, viewer.member.rawValue)
      try statement.bind(2, given)
      for (place, text) in values.enumerated() { try statement.bind(3 + place, text) }
      try statement.run()
      try SearchIndex.update(viewer.member, transaction)
    }
    return Payload(["person": [viewer.member]])
  }
}

extension InputForm {
  /// Lines of text, each once, as one text with a line for each; nil where there are none.
  fileprivate mutating func list(
    _ field: String,
    _ what: String,
    of maximum: Int,
    maximumCount: Int
  ) -> String? {
    let given = self[field]?.list ?? []
    guard given.count <= maximumCount else {
      refuse(field, code: .tooLong, "There can be \(maximumCount) of them at most.")
      return nil
    }
    var lines: [String] = []
    for (place, value) in given.enumerated() {
      var entry = InputForm(.object([InputField(name: String(place), value: value)]), at: path(field))
      let line = entry.line(String(place), what, maximum: maximum)
      if let line, field == "socialMedia", !Self.isSafeLink(line) {
        entry.refuse(String(place), code: .invalid, "A link can be one of the web only: https://…")
      }
      refuse(entry.errors)
      if let line, !lines.contains(line) { lines.append(line) }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Links are shown to others, who will follow them: `javascript:` is none.
  private static func isSafeLink(_ text: String) -> Bool {
    !text.contains(":") || ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }
}
