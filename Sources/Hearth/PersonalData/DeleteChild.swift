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
    let input = arguments["input"]
    let child = context.cipher.key(of: input?["id"])
    let field = ["input", "password"]
    if let error = try await SignInProof.error(
      password: input?["password"]?.string,
      field: field,
      for: viewer,
      in: context
    ) {
      return Payload(errors: [error])
    }
    let isMailed = await context.takeIfAvailable(.childMail, by: .person(viewer.member))
    let (services, now) = (context.services, context.now)
    let key = try await context.write { transaction in
      try ParentRemovalRow.requireNone(of: viewer.family, field: ["input", "id"], from: transaction.reader)
      let eraseAt = now + AccountReturn.period
      return try delete(
        child,
        of: viewer.family,
        eraseAt: eraseAt,
        isMailed: isMailed,
        at: now,
        services: services,
        in: transaction
      )
    }
    return Payload(["child": [key]])
  }

  /// Removes a child and schedules its erasure.
  ///
  /// - Parameter eraseAt: in milliseconds.
  static func delete(
    _ child: GlobalID?,
    of family: GlobalID,
    eraseAt: Int64,
    isMailed: Bool,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    let notFound = RejectedInput([ChildRow.notFound(["input", "id"])])
    guard let child else { throw notFound }
    if try ChildRow.exists(child, of: family, from: transaction.reader) {
      _ = try RemoveChild.remove(child, of: family, at: now, services: services, in: transaction)
    }
    try transaction.run(schedule, (family: family, child: child, eraseAt: Timestamp(eraseAt)))
    guard transaction.changedRows > 0 else { throw notFound }
    FamilyEvent.record(.familyChanged, subject: family, of: family, at: now, in: transaction)
    if isMailed {
      for parent in try FamilyMember.parents(of: family, from: transaction.reader) {
        let lane = services.mail.lane(network: nil, sender: .person(parent))
        try services.mail.append(
          .childDeletion,
          person: parent,
          subject: child,
          in: lane,
          at: now,
          transaction: transaction
        )
      }
    }
    transaction.afterCommit { services.erasures.schedule(at: eraseAt) }
    return child
  }
}
