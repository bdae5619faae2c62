import GraphQL
import Storage

/// `updateProfile`: the public properties of a person apart from their name.
enum UpdateProfile {
  static let update: PatchStatement<Person, GlobalID> = Person.table.update(
    [
      \.currentCity, \.hometown, \.company, \.highSchools, \.colleges, \.socialMedia, \.avatar,
    ],
    where: "id = \(\.self)"
  )

  static let maximumOfList = 20

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let profile = profile(&form)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    try await context.write(as: viewer) { write in
      try apply(profile, to: viewer.member, in: write.transaction)
      write.record(.parentChanged, subject: viewer.member)
      write.dated.recordChange(ofAccount: viewer.member)
    }
    return Payload(["person": [viewer.member]])
  }

  private static func profile(_ form: inout InputForm) -> RowPatch<Person> {
    var row = RowPatch<Person>()
    row.apply(form.linePatch("currentCity", subject: "A city"), to: \.currentCity)
    row.apply(form.linePatch("hometown", subject: "A hometown"), to: \.hometown)
    row.apply(form.linePatch("company", subject: "A company"), to: \.company)
    row.apply(form.listPatch("highSchools", subject: "A school"), to: \.highSchools)
    row.apply(form.listPatch("colleges", subject: "A college"), to: \.colleges)
    row.apply(form.listPatch("socialMedia", subject: "A link", of: 300), to: \.socialMedia)
    return row
  }

  /// Updates a person's profile and their entry in the search index.
  static func apply(_ profile: RowPatch<Person>, to person: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(update, patch: profile, parameters: person)
    try SearchIndex.update(person, in: transaction)
  }
}

extension InputForm {
  fileprivate mutating func linePatch(_ field: String, subject: StaticString) -> Patch<String> {
    patch(field, value: line(field, subject: subject, required: false))
  }

  /// A list of distinct lines, stored as one text with a line for each; cleared if there are none.
  fileprivate mutating func listPatch(_ field: String, subject: StaticString, of maximum: Int = 100) -> Patch<String> {
    patch(field, value: list(field, subject: subject, of: maximum))
  }

  private mutating func list(_ field: String, subject: StaticString, of maximum: Int) -> String? {
    let given = self[field]?.list ?? []
    guard given.count <= UpdateProfile.maximumOfList else {
      reject(
        field,
        code: .tooLong,
        message: "The list can have at most \(maximum: UpdateProfile.maximumOfList) entries."
      )
      return nil
    }
    var lines: [String] = []
    for (index, value) in given.enumerated() {
      var entry = InputForm(.object([InputField(name: String(index), value: value)]), at: path(field))
      let line = entry.line(String(index), subject: subject, maximum: maximum)
      if let line, field == "socialMedia", !Self.isSafeLink(line) {
        entry.reject(
          String(index),
          code: .invalid,
          message: "Links can have no other scheme than http:// and https://."
        )
      }
      reject(entry.errors)
      if let line, !lines.contains(line) { lines.append(line) }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Other people follow these links, so schemes such as `javascript:` are rejected.
  private static func isSafeLink(_ text: String) -> Bool {
    // A colon and a mark that follows it are one character.
    !text.utf8.contains(UInt8(ascii: ":")) || ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
  }
}
