import GraphQL
import Storage

/// The input fields that `addChore` and `updateChore` share, as changes of a new or a stored row.
struct ChoreForm: Sendable {
  private(set) var row = RowPatch<Chore>()
  let name: String?
  let nameKey: String?
  let image: PictureChange
  let frequency: Frequency?
  let status: ChoreStatus?
  /// Nil when an update leaves the assignees as they are.
  let assignees: [GlobalID]?

  /// Reads an input. An absent field changes nothing. A field that is `null` clears its column; if the column is never
  /// NULL, an update rejects it and an addition uses the default.
  init(_ form: inout InputForm, isNew: Bool, _ context: RequestContext) async throws {
    image = try await form.picture("image", context)
    if !isNew {
      for (field, what) in [("priority", "A priority"), ("frequency", "A frequency"), ("status", "A status")]
      where form.gives(field) && form[field] == nil {
        form.reject(field, code: .blank, "\(what) is needed.")
      }
    }
    name = form.line("name", subject: "A name", required: isNew || form.gives("name"))
    frequency = form["frequency"]?.string.flatMap(Frequency.init)
    status = form["status"]?.string.flatMap(ChoreStatus.init)
    assignees = isNew || form.gives("assigneeIds") ? try await Assignees.read(&form, context) : nil
    nameKey = name.map(NameKey.key)
    row.set(\.name, to: name)
    row.set(\.nameKey, to: nameKey)
    row.apply(form.patch("notes", form.lines("notes", subject: "A note")), to: \.notes)
    row.set(\.priority, to: form.integer("priority", subject: "A priority", in: 1...10))
    row.apply(form.patch("dueAt", form["dueAt"]?.int.map(Timestamp.init)), to: \.dueAt)
    row.set(\.frequency, to: frequency)
    row.set(\.status, to: status)
    row.set(\.assignees, to: assignees.map(KeyList.init))
    row.set(\.updatedAt, to: Timestamp(context.now))
  }

  /// The changes with the picture, whose row this inserts. Must be called within a write that was given `image`.
  func changes(_ transaction: WriteTransaction) throws -> RowPatch<Chore> {
    var changes = row
    changes.apply(try image.patch(transaction), to: \.image)
    return changes
  }
}
