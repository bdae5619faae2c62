import GraphQL
import Storage

/// How an invitation is accepted, and an acceptance confirmed.
extension FamilyInvitation {
  private enum Acceptance: Sendable {
    case joined(GlobalID)
    case waiting(GlobalID)
  }

  static let accept = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let token = arguments["token"]?.string ?? ""
    let services = context.services
    let acceptance = try await context.write(as: viewer) { write in
      try redeem(token, for: viewer.member, services: services, in: write)
    }
    switch acceptance {
    case .joined(let family):
      try await context.move(to: family)
      return Payload(["family": [family]])
    case .waiting(let invitation): return Payload(["invitation": [invitation]])
    }
  }

  /// - Parameter write: the write of the person's own family.
  private static func redeem(
    _ token: String,
    for person: GlobalID,
    services: Services,
    in write: FamilyWrite
  ) throws -> Acceptance {
    let grant = try OneTimeToken.grant(for: token, as: .familyInvitation, at: write.now, from: write.reader)
    // The token is older than the table of invitations, so its subject is the family.
    let isOld = grant.subject.kind == .family
    let known = try isOld ? nil : FamilyInvitationRow.find(grant.subject, from: write.reader)
    guard let family = isOld ? grant.subject : known?.family else {
      throw OneTimeToken.notFound("token")
    }
    if family == write.family { return .joined(family) }
    try FamilyMember.requireAlone(person, of: write.family, ["token"], isViewer: true, from: write.reader)
    let address = try write.reader.first(of: verifiedAddress, person) { row in row.string(0) }
    if let known, let address, address == known.emailKey {
      // While a removal is open, the members of the family cannot change, but others must not learn of it. A person who
      // only waits for confirmation changes nothing yet.
      guard try ParentRemovalRow.find(of: family, from: write.reader) == nil else {
        let message: UserError.Message = "The family cannot accept anybody at this moment: try again later."
        throw RejectedInput(["token"], code: .conflict, reason: .familyNotAccepting, message: message)
      }
      try join(
        person,
        from: write.family,
        invitation: known,
        field: ["token"],
        confirmedBy: nil,
        services: services,
        in: write.inFamily(family)
      )
      return .joined(family)
    }
    let invitation = try claim(known, with: token, by: person, services.rateLimits, in: write.inFamily(family))
    return .waiting(invitation)
  }

  /// Makes a person wait for confirmation, and notifies the parents of the family. If they wait already, nothing
  /// changes.
  ///
  /// - Parameter known: nil if the token is older than the table of invitations: this creates the invitation.
  private static func claim(
    _ known: FamilyInvitationRow.Found?,
    with token: String,
    by person: GlobalID,
    _ limits: RateLimits,
    in write: FamilyWrite
  ) throws -> GlobalID {
    if let known, known.claimant == person { return known.key }
    guard known?.claimant == nil else {
      throw RejectedInput(
        ["token"],
        code: .conflict,
        reason: .invitationInUse,
        message: "Another person has used this invitation and waits for confirmation."
      )
    }
    // Withdrawing and using the token again would notify the parents each time.
    try limits.takeRequest(from: person, to: write.family, in: write.dated)
    let key: GlobalID
    if let known {
      key = known.key
    } else {
      key = try FamilyInvitationRow.insert(to: nil, by: nil, in: write)
      // Afterwards the invitation is like any other, and the token can be used again until it ends.
      try OneTimeToken.transfer(token, to: key, in: write.transaction)
    }
    try FamilyInvitationRow.claim(key, by: person, in: write.dated)
    write.record(.familyChanged)
    try write.notify(
      FamilyMember.parents(of: write.family, from: write.reader),
      kind: .familyInvitationClaimedNotification,
      about: key,
      by: person
    )
    return key
  }

  /// `confirmFamilyInvitation`: the input names the person, so that a parent confirms exactly the person that they were
  /// shown.
  static let confirm = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let input = arguments["input"]
    let cipher = context.cipher
    let key = cipher.key(of: input?["invitationId"])
    let person = cipher.person(of: input?["personId"])
    let services = context.services
    try await context.write(as: viewer) { write in
      let field = ["input", "invitationId"]
      guard let found = try FamilyInvitationRow.find(key, from: write.reader), found.family == write.family,
        found.expiresAt > write.now
      else { throw RejectedInput([FamilyInvitationRow.notFound(field)]) }
      guard let claimant = found.claimant, claimant == person else { throw isNotWaiting }
      try ParentRemovalRow.requireNone(of: write.family, field: field, from: write.reader)
      guard let old = try FamilyMember.family(of: claimant, from: write.reader) else { throw isNotWaiting }
      try FamilyMember.requireAlone(
        claimant,
        of: old,
        ["input", "personId"],
        isViewer: false,
        from: write.reader
      )
      try join(
        claimant,
        from: old,
        invitation: found,
        field: field,
        confirmedBy: viewer.member,
        services: services,
        in: write
      )
    }
    return Payload(["family": [viewer.family]])
  }

  private static var isNotWaiting: RejectedInput {
    RejectedInput(["input", "personId"], code: .notFound, message: "This person is not waiting for confirmation.")
  }

  /// The maximum number of parents who join a family. A child signs in with the password of any of them, so a wrong one
  /// is compared with the hashes of all.
  static let maximumParents = 50

  /// Moves a person who is the only member of their family, with everything that the family has.
  ///
  /// - Parameter write: the write of the family that they join.
  private static func join(
    _ person: GlobalID,
    from old: GlobalID,
    invitation: FamilyInvitationRow.Found,
    field: [String],
    confirmedBy parent: GlobalID?,
    services: Services,
    in write: FamilyWrite
  ) throws {
    let parents = try FamilyMember.parents(of: write.family, from: write.reader)
    guard parents.count < maximumParents else {
      let message: UserError.Message = "A family can have \(maximum: maximumParents) parents."
      throw RejectedInput(field, code: .conflict, reason: .tooManyParents, message: message)
    }
    try FamilyMerge.requireFewRows(of: old, field: field, from: write.reader)
    try RepetitionLimits.requireRoom(forThoseOf: old, field: field, in: write)
    try FamilyMerge.move(old, services: services, in: write)
    try Unassignment.end(of: person, in: write)
    try FamilyMember.noteJoining(person, invitedBy: parent ?? invitation.inviter, in: write.dated)
    try FamilyMember.moveSessions(of: person, to: write.family, in: write.transaction)
    // Another person may wait for confirmation with the same token.
    try end(invitation.key, joiner: person, by: person, in: write.dated)
    try FamilyInvitationRow.endClaims(of: person, in: write.dated)
    write.record(.parentJoined, subject: person)
    write.record(.familyChanged)
    // The person is notified only if they had to wait.
    let recipients = parents + (parent == nil ? [] : [person])
    try write.notify(recipients.filter { $0 != parent }, kind: .parentJoinedNotification, about: person, by: person)
  }
}
