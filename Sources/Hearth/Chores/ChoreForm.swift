import GraphQL
import Storage

/// The input fields that `addChore` and `updateChore` share, as changes of a new or a stored row.
struct ChoreForm<Changes: RowChanges<Chore>>: Sendable {
  private(set) var row: Changes
  let name: String?
  let image: PictureChange
  let frequency: Frequency?
  /// A status that an update changes by `ChoreTransition.setStatus`, not by its patch.
  let status: ChoreStatus?
  /// Nil when an update leaves the assignees as they are.
  let assignees: [GlobalID]?

  /// Reads an input. An absent field changes nothing. A field that is `null` clears its column; if the column is never
  /// NULL, an update rejects it and an addition uses the default.
  init(_ form: inout InputForm, of row: Changes, isNew: Bool, in context: RequestContext) async throws {
    self.row = row
    image = try await form.picture("image", in: context)
    if context.configuration.choresRequirePicture, form["image"] == nil, isNew || form.gives("image") {
      form.reject("image", code: .blank, message: "A picture is required.")
    }
    if !isNew {
      let required: [(field: String, words: StaticString)] = [
        ("priority", "A priority"), ("frequency", "A frequency"), ("status", "A status"),
      ]
      for (field, what) in required
      where form.gives(field) && form[field] == nil {
        form.reject(field, code: .blank, message: "\(words: what) is needed.")
      }
    }
    name = form.line("name", subject: "A name", required: isNew || form.gives("name"))
    frequency = form["frequency"]?.string.flatMap(Frequency.init)
    status = form["status"]?.string.flatMap(ChoreStatus.init)
    assignees = isNew || form.gives("assigneeIds") ? try await Assignees.read(&form, in: context) : nil
    self.row.set(\.name, to: name)
    self.row.set(\.nameKey, to: name.map { NameKey.shortened(NameKey.key(of: $0)) })
    self.row.apply(form.patch("notes", value: form.lines("notes", subject: "A note")), to: \.notes)
    self.row.set(\.priority, to: form.integer("priority", subject: "A priority", in: 1...10))
    self.row.apply(form.patch("dueAt", value: form["dueAt"]?.int.map(Timestamp.init)), to: \.dueAt)
    self.row.set(\.frequency, to: frequency)
    if isNew { self.row.set(\.status, to: status) }
    self.row.set(\.assignees, to: assignees.map(KeyList.init))
    self.row.set(\.updatedAt, to: Timestamp(context.now))
  }

  /// The changes with the picture, whose row this inserts. Must be called within a write that was given `image`.
  func changes(_ transaction: WriteTransaction) throws -> Changes {
    var changes = row
    changes.apply(try image.patch(transaction), to: \.image)
    return changes
  }
}
