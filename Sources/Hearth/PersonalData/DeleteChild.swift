import GraphQL
import Storage

/// `deleteChild`: removes a child from the family now, and erases it thirty days later.
enum DeleteChild {
  /// An earlier erasure is not put off.
  static let schedule = SQL<(family: GlobalID, child: GlobalID, eraseAt: Timestamp)>(
    """
    UPDATE child SET erase_at = \(\.eraseAt) WHERE family_id = \(\.family) AND id = \(\.child) \
    AND (erase_at IS NULL OR erase_at > \(\.eraseAt)) AND erased_at IS NULL
    """
  )

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments["input"], at: ["input"])
    let child = context.cipher.key(of: form["id"])
    // A malformed id and a wrong password are reported together.
    if child == nil { form.reject([Child.notFound(["input", "id"])]) }
    try await form.requireSignInProof(of: viewer, in: context)
    guard form.errors.isEmpty else { return Payload(errors: form.errors) }
    let isMailed = await context.takeIfAvailable(.childMail, by: .person(viewer.member))
    let services = context.services
    let key = try await context.write(as: viewer) { write in
      try ParentRemovalRow.requireNone(of: write.family, field: ["input", "id"], from: write.reader)
      let eraseAt = write.now.milliseconds + AccountReturn.period
      return try delete(child, eraseAt: eraseAt, isMailed: isMailed, services: services, in: write)
    }
    return Payload(["child": [key]])
  }

  /// Removes a child and schedules its erasure.
  ///
  /// - Parameter eraseAt: in milliseconds.
  static func delete(
    _ child: GlobalID?,
    eraseAt: Int64,
    isMailed: Bool,
    services: Services,
    in write: FamilyWrite
  ) throws -> GlobalID {
    let notFound = RejectedInput([Child.notFound(["input", "id"])])
    guard let child else { throw notFound }
    if try Child.exists(child, of: write.family, from: write.reader) {
      _ = try RemoveChild.remove(child, unassignments: services.unassignments, in: write)
    }
    try write.transaction.run(schedule, (family: write.family, child: child, eraseAt: Timestamp(eraseAt)))
    guard write.transaction.changedRows > 0 else { throw notFound }
    write.record(.familyChanged)
    if isMailed {
      for parent in try FamilyMember.parents(of: write.family, from: write.reader) {
        let lane = services.mail.lane(network: nil, sender: .person(parent))
        try services.mail.append(.childDeletion, person: parent, subject: child, lane: lane, in: write.dated)
      }
    }
    write.transaction.afterCommit { services.erasures.schedule(at: eraseAt) }
    return child
  }
}
