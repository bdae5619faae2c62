import GraphQL
import Storage

enum AddChore {
  static let maximumAssignees = 100

  static let isMember = SQL(
    """
    SELECT EXISTS (SELECT 1 FROM child WHERE family_id = ?1 AND id = ?2) \
    OR EXISTS (SELECT 1 FROM person WHERE id = ?2 AND family_id = ?1)
    """
  )
  static let insert = SQL(
    """
    INSERT INTO chore \
    (family_id, id, name, notes, priority, due_at, frequency, status, created_by, created_at, updated_at, assignees) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9, ?9, ?10)
    """
  )
  static let assign = SQL(
    """
    INSERT INTO assignment (family_id, member_id, status, priority_order, due_order, chore_id) \
    SELECT family_id, ?3, status, -priority, ifnull(due_at, 9223372036854775807), id FROM chore \
    WHERE family_id = ?1 AND id = ?2
    """
  )

  private struct NewChore: Sendable {
    let name: String
    let notes: String?
    let priority: Int64
    let dueAt: Int64?
    let frequency: Frequency
    let assignees: [GlobalID]
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", "A name")
    let notes = form.lines("notes", "A note")
    let priority = form.integer("priority", "A priority", in: 1...10)
    let assignees = try assignees(&form, of: viewer, context)
    guard form.errors.isEmpty, let name else { return Payload(errors: form.errors) }
    let chore = NewChore(
      name: name,
      notes: notes,
      priority: priority ?? 5,
      dueAt: form["dueAt"]?.int,
      frequency: form.choice("frequency", default: .once),
      assignees: assignees
    )
    let now = context.now
    let key = try await context.write { transaction in
      try insert(chore, by: viewer, at: now, transaction)
    }
    return Payload(["chore": [key]])
  }

  /// Each once, in the order given.
  private static func assignees(
    _ form: inout InputForm,
    of viewer: Viewer,
    _ context: RequestContext
  ) throws -> [GlobalID] {
    let given = form["assigneeIds"]?.list ?? []
    guard given.count <= maximumAssignees else {
      form.refuse("assigneeIds", code: .tooLong, "A chore can have \(maximumAssignees) assignees at most.")
      return []
    }
    var assignees: [GlobalID] = []
    for (place, value) in given.enumerated() {
      let key = context.services.cipher.key(of: value.string ?? "").map(member)
      guard let key, try isMember(key, of: viewer.family, context.reader) else {
        form.refuse("assigneeIds", String(place), code: .notFound, "Nobody in the family has this id.")
        continue
      }
      if !assignees.contains(key) { assignees.append(key) }
    }
    return assignees
  }

  /// Parents may name themselves by their account.
  private static func member(_ key: GlobalID) -> GlobalID { key.kind == .account ? key.viewed(as: .person) : key }

  private static func isMember(_ key: GlobalID, of family: GlobalID, _ reader: Reader) throws -> Bool {
    let statement = try reader.statement(isMember)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    return try statement.first { row in row.bool(0) } ?? false
  }

  private static func insert(
    _ chore: NewChore,
    by viewer: Viewer,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> GlobalID {
    let key = try KeySequence.next(.chore, transaction)
    let statement = try transaction.statement(insert)
    try statement.bind(1, viewer.family.rawValue)
    try statement.bind(2, key.rawValue)
    try statement.bind(3, chore.name)
    try statement.bind(4, chore.notes)
    try statement.bind(5, chore.priority)
    try statement.bind(6, chore.dueAt)
    try statement.bind(7, chore.frequency.stored)
    try statement.bind(8, viewer.member.rawValue)
    try statement.bind(9, now)
    try Assignees.bytes(of: chore.assignees).withUnsafeBytes { try statement.bind(10, blob: $0) }
    try statement.run()
    for (place, member) in chore.assignees.enumerated() {
      // Who was there when the form was read may be gone by now.
      guard try isMember(member, of: viewer.family, transaction.reader) else {
        throw Refused(["input", "assigneeIds", String(place)], .notFound, "Nobody in the family has this id.")
      }
      let assigning = try transaction.statement(assign)
      try assigning.bind(1, viewer.family.rawValue)
      try assigning.bind(2, key.rawValue)
      try assigning.bind(3, member.rawValue)
      try assigning.run()
    }
    return key
  }
}
