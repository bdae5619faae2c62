import GraphQLTransport
import Storage

/// The members of a family: parents with active accounts, and children that are not removed.
enum FamilyMember {
  static let exists = SQL<MemberKey>(
    """
    SELECT 1 WHERE EXISTS (\
    SELECT 1 FROM \(rows: .child, of: \.family) AS c WHERE c.id = \(\.member) AND c.removed_at IS NULL) \
    OR EXISTS (\
    SELECT 1 FROM \(rows: .person, of: \.family) AS p WHERE p.id = \(\.member) AND p.deactivated_at IS NULL)
    """
  )

  static func exists(_ member: GlobalID, of family: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(exists, (family: family, member: member))
  }

  static let keys = SQL<GlobalID>(
    """
    SELECT id FROM child WHERE family_id = \(\.self) AND removed_at IS NULL UNION ALL \
    SELECT id FROM person WHERE family_id = \(\.self) AND deactivated_at IS NULL
    """
  )

  /// All members, to check several: on PostgreSQL, `exists` takes a round trip for each.
  static func keys(of family: GlobalID, from reader: Reader) throws -> Set<GlobalID> {
    Set(try reader.keys(of: keys, family))
  }

  static let family = SQL<GlobalID>(
    "SELECT family_id FROM person WHERE id = \(\.self) AND deactivated_at IS NULL"
  )
  static let hasChild = SQL<GlobalID>("SELECT 1 FROM child WHERE family_id = \(\.self) AND removed_at IS NULL")
  static let hasDeletedChild = SQL<GlobalID>("SELECT 1 FROM child WHERE family_id = \(\.self) AND erase_at IS NOT NULL")
  static let hasParent = SQL<GlobalID>(
    "SELECT 1 FROM person WHERE family_id = \(\.self) AND deactivated_at IS NULL"
  )
  static let parents = SQL<GlobalID>(
    "SELECT id FROM person WHERE family_id = \(\.self) AND deactivated_at IS NULL\(order: "id")"
  )
  static let parentsOfFamilies = SQL<[Int64]>(
    """
    SELECT k.slot, p.id FROM \(table: \.self) AS k \(join: .asWritten) person AS p ON p.family_id = k.value \
    WHERE p.deactivated_at IS NULL\(order: "k.slot, p.id")
    """
  )
  static let hasOtherParent = SQL<MemberKey>(
    """
    SELECT 1 FROM person WHERE family_id = \(\.family) AND id <> \(\.member) AND deactivated_at IS NULL
    """
  )
  static let noteJoining = SQL<(person: GlobalID, inviter: GlobalID?, now: Timestamp)>(
    "UPDATE person SET invited_by = \(\.inviter), joined_family_at = \(\.now) WHERE id = \(\.person)"
  )
  static let moveSessions = SQL<MemberKey>(
    "UPDATE session SET family_id = \(\.family) WHERE member_id = \(\.member) RETURNING id"
  )

  static func family(of person: GlobalID, from reader: Reader) throws -> GlobalID? {
    try reader.key(of: family, person)
  }

  /// The parents of a family, in the order of their keys.
  static func parents(of family: GlobalID, from reader: Reader) throws -> [GlobalID] {
    try reader.keys(of: parents, family)
  }

  /// The parents of several families, by one statement.
  static func parents(of families: Set<GlobalID>, from reader: Reader) throws -> [GlobalID: [GlobalID]] {
    let families = families.map(\.rawValue)
    var parents: [GlobalID: [GlobalID]] = [:]
    try reader.forEachRow(of: parentsOfFamilies, families) { row in
      let family = GlobalID(rawValue: families[Int(row.int64(0))])
      parents[family, default: []].append(row.key(1))
    }
    return parents
  }

  static func hasParent(of family: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(hasParent, family)
  }

  static func hasChild(of family: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(hasChild, family)
  }

  static func hasParent(besides person: GlobalID, of family: GlobalID, from reader: Reader) throws -> Bool {
    try reader.hasRow(hasOtherParent, (family: family, member: person))
  }

  /// Throws unless `person` is the only member of their family. Only then can they move to another family together with
  /// everything that theirs has. A deleted child would come along, and the other family's parents could restore it.
  static func requireAlone(
    _ person: GlobalID,
    of family: GlobalID,
    _ field: [String],
    isViewer: Bool,
    from reader: Reader
  ) throws {
    guard try !hasChild(of: family, from: reader) else {
      throw RejectedInput(
        field,
        code: .conflict,
        reason: .hasChildren,
        message: isViewer
          ? "Your own family has children, so you cannot move to another."
          : "Their own family has children, so they cannot move to another."
      )
    }
    guard try !reader.hasRow(hasDeletedChild, family) else {
      throw RejectedInput(
        field,
        code: .conflict,
        reason: .hasDeletedChild,
        message: isViewer
          ? "Your own family has a child that can still be restored, so you cannot move to another."
          : "Their own family has a child that can still be restored, so they cannot move to another."
      )
    }
    guard try !hasParent(besides: person, of: family, from: reader) else {
      throw RejectedInput(
        field,
        code: .conflict,
        reason: .hasOtherParent,
        message: isViewer
          ? "Your own family has another parent, so you cannot move to another."
          : "Their own family has another parent, so they cannot move to another."
      )
    }
  }

  static func noteJoining(_ person: GlobalID, invitedBy inviter: GlobalID?, in write: DatedWrite) throws {
    try write.transaction.run(noteJoining, (person: person, inviter: inviter, now: write.now))
  }

  /// Moves the sessions of a person to their new family. Every loop loads the person's rights again before it answers
  /// another request of theirs.
  static func moveSessions(of person: GlobalID, to family: GlobalID, in transaction: WriteTransaction) throws {
    let moved = try transaction.reader.keys(of: moveSessions, (family: family, member: person))
    EndedSessions.publish(moved, change: .rightsChanged, in: transaction)
  }
}

/// Identifies a member of a family.
typealias MemberKey = (family: GlobalID, member: GlobalID)
