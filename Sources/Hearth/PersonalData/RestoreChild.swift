import GraphQL
import Storage

/// `restoreChild`: returns a deleted child to the family before it is erased.
enum RestoreChild {
  static let deleted = SQL<(family: GlobalID, child: GlobalID, now: Timestamp)>(
    """
    SELECT name, username, removed_at, erase_at FROM child \
    WHERE family_id = \(\.family) AND id = \(\.child) AND erase_at > \(\.now)
    """
  )
  /// The points stay: they are the sum of the point entries.
  static let restore = SQL<(family: GlobalID, child: GlobalID, username: String, key: String)>(
    """
    UPDATE child SET removed_at = NULL, erase_at = NULL, username = \(\.username), username_key = \(\.key) \
    WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )
  static let newestContract = SQL<(family: GlobalID, child: GlobalID)>(
    """
    SELECT id FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child) ORDER BY id DESC LIMIT 1
    """
  )
  static let cancelErasure = SQL<(family: GlobalID, child: GlobalID)>(
    "UPDATE child SET erase_at = NULL WHERE family_id = \(\.family) AND id = \(\.child)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let child = context.cipher.key(of: arguments["id"])
    let now = context.now
    let key = try await context.write { transaction in
      try restore(child, to: viewer.family, at: now, in: transaction)
    }
    return Payload(["child": [key]])
  }

  static func restore(
    _ child: GlobalID?,
    to family: GlobalID,
    at now: Int64,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    guard let child,
      let found = try transaction.reader.first(
        of: deleted,
        (family: family, child: child, now: Timestamp(now)),
        { row in (name: row.string(0), username: row.string(1), removedAt: row.int64(2), eraseAt: row.int64(3)) }
      )
    else {
      throw RejectedInput(["id"], code: .notFound, message: "No deleted child of the family has this id.")
    }
    // A child that was removed before stays removed. Otherwise another family's parents could make a child of it that
    // came along with the parent who had removed it.
    guard found.eraseAt <= found.removedAt + AccountReturn.period else {
      try transaction.run(cancelErasure, (family: family, child: child))
      FamilyEvent.record(.familyChanged, subject: family, of: family, at: now, in: transaction)
      return child
    }
    // The username became available when the child was removed.
    let isTaken = try Username.isTaken(found.username, from: transaction.reader)
    let username = isTaken ? try Username.makeFree(for: found.name, in: transaction) : found.username
    try transaction.run(restore, (family: family, child: child, username: username, key: username.lowercased()))
    FamilyEvent.record(.childChanged, subject: child, of: family, at: now, in: transaction)
    // The removal has ended it, when it was not visible any more.
    if let contract = try transaction.reader.key(of: newestContract, (family: family, child: child)) {
      FamilyEvent.record(.contractChanged, subject: contract, of: family, at: now, in: transaction)
    }
    FamilyEvent.record(.familyChanged, subject: family, of: family, at: now, in: transaction)
    return child
  }
}
