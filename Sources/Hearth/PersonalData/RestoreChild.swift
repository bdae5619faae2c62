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
  static let newestContract = SQL<ChildKey>(
    """
    SELECT id FROM contract WHERE family_id = \(\.family) AND child_id = \(\.child) ORDER BY id DESC LIMIT 1
    """
  )
  static let cancelErasure = SQL<ChildKey>(
    "UPDATE child SET erase_at = NULL WHERE family_id = \(\.family) AND id = \(\.child)"
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    guard let child = context.cipher.key(of: arguments["id"]) else { throw notFound }
    _ = try await context.write(as: viewer) { write in try restore(child, in: write) }
    return Payload(["child": [child]])
  }

  private static let notFound = RejectedInput(
    ["id"],
    code: .notFound,
    message: "No deleted child of the family has this id."
  )

  /// Cancels the erasure of a child. Returns false if the child stays removed, because it was removed before it was
  /// deleted.
  static func restore(_ child: GlobalID, in write: FamilyWrite) throws -> Bool {
    let found = try write.reader.first(of: deleted, (family: write.family, child: child, now: write.now)) { row in
      (name: row.string(0), username: row.string(1), removedAt: row.int64(2), eraseAt: row.int64(3))
    }
    guard let found else { throw notFound }
    // A child that was removed before stays removed. Otherwise another family's parents could make a child of it that
    // came along with the parent who had removed it.
    guard found.eraseAt <= found.removedAt + AccountReturn.period else {
      try write.transaction.run(cancelErasure, (family: write.family, child: child))
      write.record(.familyChanged)
      return false
    }
    // The username became available when the child was removed.
    let isTaken = try Username.isTaken(found.username, from: write.reader)
    let username = isTaken ? try Username.makeFree(for: found.name, in: write.transaction) : found.username
    try write.transaction.run(
      restore,
      (family: write.family, child: child, username: username, key: username.lowercased())
    )
    try Unassignment.end(of: child, in: write)
    write.record(.childChanged, subject: child)
    // The removal has ended it, when it was not visible any more.
    if let contract = try write.reader.key(of: newestContract, (family: write.family, child: child)) {
      write.record(.contractChanged, subject: contract)
    }
    write.record(.familyChanged)
    return true
  }
}
