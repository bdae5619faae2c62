import GraphQL
import GraphQLTransport
import Storage

/// `inviteParent` and `acceptFamilyInvitation`.
enum FamilyInvitation {
  static let isParent = SQL(
    """
    SELECT 1 FROM account AS a JOIN person AS p ON p.id = a.id \
    WHERE a.email_key = ?1 AND p.family_id = ?2 AND p.deactivated_at IS NULL
    """
  )
  static let hasChild = SQL("SELECT 1 FROM child WHERE family_id = ?1 AND removed_at IS NULL")
  static let hasOtherParent = SQL(
    "SELECT 1 FROM person WHERE family_id = ?1 AND id <> ?2 AND deactivated_at IS NULL"
  )
  static let moveSessions = SQL("UPDATE session SET family_id = ?2 WHERE member_id = ?1 RETURNING id")

  static let invite = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    var form = InputForm(arguments)
    if let address = form.emailAddress("email") {
      let finding = try context.reader.statement(isParent)
      try finding.bind(1, address.key)
      try finding.bind(2, viewer.family.rawValue)
      if try finding.first({ _ in true }) == true {
        form.refuse("email", code: .taken, "This is the address of a parent of your family already.")
      } else {
        let (services, now) = (context.services, context.now)
        try InvitationLimits.take(of: viewer, context)
        try context.take(.invitationMail, by: .mailbox(address.mailboxKey))
        let lane = MailLane(network: context.client, sender: .person(viewer.member))
        try await context.write { transaction in
          try InvitationLimits.requireRoom(for: viewer.member, transaction)
          try services.mail.append(
            .familyInvitation,
            person: viewer.member,
            address: address,
            subject: viewer.family,
            in: lane,
            at: now,
            transaction
          )
        }
      }
    }
    return form.errors.isEmpty ? Payload(["family": [viewer.family]]) : Payload(errors: form.errors)
  }

  static let accept = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let token = arguments["token"]?.string ?? ""
    let (services, now) = (context.services, context.now)
    let family = try await context.write { transaction in
      let family = try OneTimeToken.redeem(token, .familyInvitation, at: now, transaction).subject
      if family != viewer.family { try move(viewer, to: family, at: now, services, transaction) }
      return family
    }
    context.viewer = Viewer(session: viewer.session, member: viewer.member, family: family)
    return Payload(["family": [family]])
  }

  /// Whoever is alone in their family goes over to the other, with all that the family has.
  private static func move(
    _ viewer: Viewer,
    to family: GlobalID,
    at now: Int64,
    _ services: Services,
    _ transaction: WriteTransaction
  ) throws {
    let finding = try transaction.statement(hasChild)
    try finding.bind(1, viewer.family.rawValue)
    guard try finding.first({ _ in true }) == nil else {
      throw Refused(["token"], .conflict, "Your own family has children, so you cannot move to another.")
    }
    let others = try transaction.statement(hasOtherParent)
    try others.bind(1, viewer.family.rawValue)
    try others.bind(2, viewer.member.rawValue)
    guard try others.first({ _ in true }) == nil else {
      throw Refused(["token"], .conflict, "Your own family has another parent, so you cannot move to another.")
    }
    try FamilyMerge.move(viewer.family, into: family, at: now, services, transaction)
    let sessions = try transaction.statement(moveSessions)
    try sessions.bind(1, viewer.member.rawValue)
    try sessions.bind(2, family.rawValue)
    var keys: [GlobalID] = []
    try sessions.forEachRow { row in keys.append(GlobalID(rawValue: row.int64(0))) }
    // They go on, but every loop has to look up anew whose they are.
    let moved = keys
    transaction.afterCommit { services.endedSessions.append(moved, .rightsChanged, at: services.clock.now()) }
  }
}
