import GraphQL
import Storage

/// A row of `assignment`: a chore and a member it is assigned to. It repeats the chore's status, priority and due time,
/// so that a member's open chores are adjacent, in the order in which they are listed.
struct Assignment: Sendable {
  var family: GlobalID
  var member: GlobalID
  var status: ChoreStatus
  var priorityOrder: Int64
  var dueOrder: Int64
  var chore: GlobalID

  static let table = Table<Assignment>(
    "assignment",
    [
      Column("family_id", \.family),
      Column("member_id", \.member),
      Column("status", \.status),
      Column("priority_order", \.priorityOrder),
      Column("due_order", \.dueOrder),
      Column("chore_id", \.chore),
    ]
  )

  typealias Parameters = (family: GlobalID, chore: GlobalID, member: GlobalID)

  static let ofChore = SQL<ChoreKey>(
    """
    SELECT member_id FROM assignment WHERE family_id = \(\.family) AND chore_id = \(\.chore) ORDER BY member_id
    """
  )
  static let exists = SQL<Parameters>(
    """
    SELECT 1 FROM assignment WHERE family_id = \(\.family) AND chore_id = \(\.chore) AND member_id = \(\.member)
    """
  )
  static let insert: SQL<Parameters> = Assignment.table.insert(
    [
      .setting(\.family, to: "family_id"),
      .setting(\.member, to: "\(\.member)"),
      .setting(\.status, to: "status"),
      .setting(\.priorityOrder, to: "priority_order"),
      .setting(\.dueOrder, to: "due_order"),
      .setting(\.chore, to: "id"),
    ],
    from: "chore WHERE family_id = \(\.family) AND id = \(\.chore)"
  )
  static let update = SQL<ChoreKey>(
    """
    UPDATE assignment SET status = c.status, priority_order = c.priority_order, due_order = c.due_order \
    FROM chore AS c WHERE c.family_id = \(\.family) AND c.id = \(\.chore) \
    AND assignment.family_id = \(\.family) AND assignment.chore_id = \(\.chore)
    """
  )
  static let delete = SQL<ChoreKey>(
    "DELETE FROM assignment WHERE family_id = \(\.family) AND chore_id = \(\.chore)"
  )
  static let deleteOne = SQL<Parameters>(
    """
    DELETE FROM assignment WHERE family_id = \(\.family) AND chore_id = \(\.chore) AND member_id = \(\.member)
    """
  )

  static let someChoresOfMember = SQL<(family: GlobalID, member: GlobalID, limit: Int64)>(
    """
    SELECT chore_id FROM assignment WHERE family_id = \(\.family) \
    AND member_id = \(\.member)\(order: "status, priority_order, due_order, chore_id") LIMIT \(\.limit)
    """
  )

  /// The members to whom a chore is assigned, in the order of their keys.
  static func members(
    assignedTo chore: GlobalID,
    of family: GlobalID,
    from reader: Reader
  ) throws -> [GlobalID] {
    try reader.keys(of: ofChore, (family: family, chore: chore))
  }

  /// Throws if the viewer is a child to whom the chore is not assigned.
  static func require(
    _ viewer: Viewer,
    assignedTo chore: GlobalID,
    message: String,
    from reader: Reader
  ) throws {
    guard viewer.isChild else { return }
    guard try reader.hasRow(exists, (family: viewer.family, chore: chore, member: viewer.member)) else {
      throw FieldError(message, code: .forbidden)
    }
  }

  /// Assigns a chore to a member to whom it is not assigned yet. Copies the status, priority and due time of its row.
  static func insert(_ member: GlobalID, of chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(insert, (family: write.family, chore: chore, member: member))
  }

  /// Copies the chore's status, priority and due time to its rows, after one of them has changed.
  static func update(with chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(update, (family: write.family, chore: chore))
  }

  /// Deletes at most `limit` of the member's assignments and returns their chores.
  static func unassign(_ member: GlobalID, atMost limit: Int64, in write: FamilyWrite) throws -> [GlobalID] {
    let chores = try write.reader.keys(of: someChoresOfMember, (family: write.family, member: member, limit: limit))
    for chore in chores { try write.transaction.run(deleteOne, (family: write.family, chore: chore, member: member)) }
    return chores
  }

  static func deleteAll(of chore: GlobalID, in write: FamilyWrite) throws {
    try write.transaction.run(delete, (family: write.family, chore: chore))
  }
}
