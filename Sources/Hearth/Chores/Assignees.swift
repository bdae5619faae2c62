import GraphQL
import Storage

/// The members to whom a chore is assigned: as an input names them, as the chore's row holds them, and as `assignment`
/// does.
enum Assignees {
  static let maximumCount = 100

  static let isMember = SQL(
    """
    SELECT EXISTS (SELECT 1 FROM child WHERE family_id = ?1 AND id = ?2 AND removed_at IS NULL) \
    OR EXISTS (SELECT 1 FROM person WHERE id = ?2 AND family_id = ?1 AND deactivated_at IS NULL)
    """
  )
  static let ofChore = SQL(
    "SELECT member_id FROM assignment WHERE family_id = ?1 AND chore_id = ?2 ORDER BY member_id"
  )
  static let assign = SQL(
    """
    INSERT INTO assignment (family_id, member_id, status, priority_order, due_order, chore_id) \
    SELECT family_id, ?3, status, -priority, ifnull(due_at, 9223372036854775807), id FROM chore \
    WHERE family_id = ?1 AND id = ?2
    """
  )

  // MARK: In a chore's row

  static func bytes(of members: [GlobalID]) -> [UInt8] {
    members.map(\.rawValue).sorted().flatMap { key in withUnsafeBytes(of: key.littleEndian) { Array($0) } }
  }

  /// Hands each of them to `body`, in order.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (GlobalID) -> Void) {
    for place in 0..<(bytes.count / 8) {
      let key = bytes.loadUnaligned(fromByteOffset: place * 8, as: Int64.self)
      body(GlobalID(rawValue: Int64(littleEndian: key)))
    }
  }

  // MARK: In an input

  /// The members that `assigneeIds` names, each once, in the order given.
  static func read(_ form: inout InputForm, _ context: RequestContext) throws -> [GlobalID] {
    guard let family = context.viewer?.family else { return [] }
    let given = form["assigneeIds"]?.list ?? []
    guard given.count <= maximumCount else {
      form.refuse("assigneeIds", code: .tooLong, "A chore can have \(maximumCount) assignees at most.")
      return []
    }
    var assignees: [GlobalID] = []
    for (place, value) in given.enumerated() {
      let key = context.services.cipher.key(of: value.string ?? "").map(member)
      guard let key, try isMember(key, of: family, context.reader) else {
        form.refuse("assigneeIds", String(place), code: .notFound, notFoundMessage)
        continue
      }
      if !assignees.contains(key) { assignees.append(key) }
    }
    return assignees
  }

  private static let notFoundMessage = "Nobody in the family has this id."

  /// Parents may name themselves by their account.
  static func member(_ key: GlobalID) -> GlobalID { key.kind == .account ? key.viewed(as: .person) : key }

  static func isMember(_ key: GlobalID, of family: GlobalID, _ reader: Reader) throws -> Bool {
    let statement = try reader.statement(isMember)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, key.rawValue)
    return try statement.first { row in row.bool(0) } ?? false
  }

  // MARK: In `assignment`

  static func all(of chore: GlobalID, in family: GlobalID, _ transaction: WriteTransaction) throws -> [GlobalID] {
    let statement = try transaction.statement(ofChore)
    try statement.bind(1, family.rawValue)
    try statement.bind(2, chore.rawValue)
    var members: [GlobalID] = []
    try statement.forEachRow { row in members.append(GlobalID(rawValue: row.int64(0))) }
    return members
  }

  /// Assigns a chore, as its row stands, to members who had it not.
  static func assign(
    _ members: [GlobalID],
    to chore: GlobalID,
    of family: GlobalID,
    _ transaction: WriteTransaction
  ) throws {
    for (place, member) in members.enumerated() {
      // Who was there when the form was read may be gone by now.
      guard try isMember(member, of: family, transaction.reader) else {
        throw Refused(["input", "assigneeIds", String(place)], .notFound, notFoundMessage)
      }
      try transaction.run(assign, family.rawValue, chore.rawValue, member.rawValue)
    }
  }
}
