import GraphQL
import Storage

/// `removeChild`: removes the child from the family and all lists, ends its sessions, releases its username and deletes
/// its picture. Its row stays for its finished chores.
enum RemoveChild {
  /// The username is replaced by one that nobody can choose, because it begins with a space.
  static let remove = SQL<(family: GlobalID, child: GlobalID, now: Timestamp)>(
    """
    UPDATE child SET removed_at = \(\.now), username_key = ' ' || id, contract_id = NULL, avatar = NULL \
    WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let child = context.cipher.key(of: arguments["id"])
    let unassignments = context.services.unassignments
    let key = try await context.write(as: viewer) { write in
      try ParentRemovalRow.requireNone(of: write.family, field: ["id"], from: write.reader)
      return try remove(child, unassignments: unassignments, in: write)
    }
    return Payload(removed: key)
  }

  static func remove(_ child: GlobalID?, unassignments: Scheduler, in write: FamilyWrite) throws -> GlobalID {
    guard let child else { throw RejectedInput([Child.notFound(["id"])]) }
    try ContractTransition.endBeforeRemoval(of: child, in: write)
    try write.transaction.run(remove, (family: write.family, child: child, now: write.now))
    guard write.transaction.changedRows > 0 else { throw RejectedInput([Child.notFound(["id"])]) }
    try Unassignment.begin(of: child, unassignments: unassignments, in: write)
    write.record(.childRemoved, subject: child)
    try Sessions.endAll(of: child, in: write.transaction)
    return child
  }
}
