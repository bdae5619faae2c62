import GraphQL
import Storage

/// `requestParentRemoval`, `objectToParentRemoval` and `cancelParentRemoval`.
///
/// A removal takes effect after a waiting period (`Configuration.parentRemovalDays`), unless the parent objects or the
/// requester cancels it. A stolen password therefore cannot remove anybody immediately, and the parent has time to
/// object. The parent who sent an invitation can remove the person who accepted it immediately within a day, in case it
/// reached the wrong person.
enum ParentRemoval {
  /// How long after a parent joined their inviter can remove them immediately, in milliseconds. The time while their
  /// account is deactivated does not count.
  static let immediatePeriod: Int64 = Milliseconds.day

  static let invitation = SQL<MemberKey>(
    """
    SELECT invited_by, joined_family_at FROM person \
    WHERE id = \(\.member) AND family_id = \(\.family) AND deactivated_at IS NULL
    """
  )

  // MARK: Requesting

  static let request = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let input = arguments["input"]
    let person = context.cipher.person(of: input?["personId"])
    let password = input?["password"]?.string ?? ""
    try await context.requirePassword(password, at: ["input", "password"], of: viewer)
    let (services, now) = (context.services, context.now)
    let removal = try await context.write { transaction in
      try open(person, for: viewer, at: now, services: services, in: transaction)
    }
    return Payload(["family": [viewer.family], "removal": removal.map { [$0] } ?? []])
  }

  /// Returns the open removal; nil if the parent was removed immediately.
  private static func open(
    _ person: GlobalID?,
    for viewer: Viewer,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws -> GlobalID? {
    let field = ["input", "personId"]
    let found = try person.flatMap { person in
      try transaction.reader.first(of: invitation, (family: viewer.family, member: person)) { row in
        (inviter: row.optionalInt64(0), joinedAt: row.optionalInt64(1))
      }
    }
    guard let person, let found else {
      throw RejectedInput(field, code: .notFound, message: "No parent of your family has this id.")
    }
    guard person != viewer.member else {
      throw RejectedInput(field, code: .notAllowed, message: "This is you: leave the family instead.")
    }
    try ParentRemovalRow.requireNone(of: viewer.family, field: field, from: transaction.reader)
    // A parent who joined in the future did so while the clock was ahead.
    if found.inviter == viewer.member.rawValue, let joinedAt = found.joinedAt,
      (-SignInProof.clockTolerance..<immediatePeriod).contains(now - joinedAt)
    {
      try takeEffect(
        on: person,
        in: viewer.family,
        by: viewer.member,
        at: now,
        services: services,
        mail: services.mail,
        transaction: transaction
      )
      return nil
    }
    if let days = try EndedParentRemoval.daysLeft(of: viewer.member, for: person, at: now, in: transaction) {
      throw RejectedInput(
        field,
        code: .notAllowed,
        message: "Your last request ended without effect: you can make another in \(days: days)."
      )
    }
    return try beginWaiting(for: person, requestedBy: viewer, at: now, services: services, in: transaction)
  }

  /// Begins the waiting period, and notifies the parents of the family.
  private static func beginWaiting(
    for person: GlobalID,
    requestedBy viewer: Viewer,
    at now: Int64,
    services: Services,
    in transaction: WriteTransaction
  ) throws -> GlobalID {
    let days = services.configuration.parentRemovalDays
    let removal = ParentRemovalRow(
      family: viewer.family,
      id: try KeySequence.next(.parentRemoval, in: transaction),
      person: person,
      requester: viewer.member,
      requestedAt: Timestamp(now),
      effectiveAt: Timestamp(now + days * Milliseconds.day)
    )
    try transaction.run(ParentRemovalRow.table.insert, removal)
    FamilyEvent.record(.familyChanged, subject: viewer.family, of: viewer.family, at: now, in: transaction)
    try notifyParents(of: removal, mail: services.mail, in: transaction)
    transaction.afterCommit { services.parentRemovals.schedule(at: removal.effectiveAt.milliseconds) }
    return removal.id
  }

  /// The requester is notified too, because somebody else may know their password.
  private static func notifyParents(
    of removal: ParentRemovalRow,
    mail: MailQueue,
    in transaction: WriteTransaction
  ) throws {
    let parents = try FamilyMember.parents(of: removal.family, from: transaction.reader)
    try Notifications.notify(
      parents,
      of: removal.family,
      kind: .parentRemovalRequestedNotification,
      about: removal.person,
      by: removal.requester,
      at: removal.requestedAt.milliseconds,
      in: transaction
    )
    for parent in parents {
      // Each mail is sent on behalf of its recipient, so that queued mails of the requester do not delay it.
      let lane = mail.lane(network: nil, sender: .person(parent))
      try mail.append(
        .parentRemovalRequested,
        person: parent,
        subject: removal.id,
        in: lane,
        at: removal.requestedAt.milliseconds,
        transaction: transaction
      )
    }
  }

  // MARK: Ending

  static let object = ending { removal, viewer in
    removal.person == viewer.member ? nil : "Only the parent whose removal was requested can object."
  }
  static let cancel = ending { removal, viewer in
    removal.requester == viewer.member ? nil : "Only the parent who requested the removal can cancel it."
  }

  private static func ending(
    error: @escaping @Sendable (ParentRemovalRow.Found, Viewer) -> UserError.Message?
  ) -> FieldBinding {
    .mutation(.single("removalId")) { arguments, context in
      let viewer = try context.requireParent()
      let field = ["input", "removalId"]
      let key = context.cipher.key(of: arguments["input"]?["removalId"])
      let now = context.now
      let ended = try await context.write { transaction in
        guard let removal = try ParentRemovalRow.find(of: viewer.family, from: transaction.reader), removal.key == key
        else {
          throw RejectedInput(field, code: .notFound, message: "No open removal has this id.")
        }
        if let message = error(removal, viewer) { throw RejectedInput(field, code: .notAllowed, message: message) }
        try ParentRemovalRow.end(removal, of: viewer.family, at: now, in: transaction)
        FamilyEvent.record(.familyChanged, subject: viewer.family, of: viewer.family, at: now, in: transaction)
        try Notifications.notify(
          FamilyMember.parents(of: viewer.family, from: transaction.reader),
          of: viewer.family,
          kind: .parentRemovalEndedNotification,
          about: removal.person,
          by: viewer.member,
          at: now,
          in: transaction
        )
        return removal.key
      }
      return Payload(removed: ended)
    }
  }

  // MARK: Taking effect

  /// Removes `person` from `family`, where another parent stays, and notifies both sides.
  static func takeEffect(
    on person: GlobalID,
    in family: GlobalID,
    by requester: GlobalID,
    at now: Int64,
    services: some SessionEnding,
    mail: MailQueue,
    transaction: WriteTransaction
  ) throws {
    guard let new = try FamilyDeparture.depart(person, from: family, at: now, services: services, in: transaction)
    else { return }
    let parents = try FamilyMember.parents(of: family, from: transaction.reader)
    for (recipients, theirFamily) in [(parents, family), ([person], new)] {
      try Notifications.notify(
        recipients,
        of: theirFamily,
        kind: .parentRemovedNotification,
        about: person,
        by: requester,
        at: now,
        in: transaction
      )
    }
    let lane = mail.lane(network: nil, sender: .person(person))
    try mail.append(.parentRemoved, person: person, in: lane, at: now, transaction: transaction)
  }

  static let lease = "removals of parents"

  /// Carries out the removals whose waiting period is over, while the clock is settled.
  static let service = FeatureService(lease) { services in
    Scheduler(lease, in: services.work, dueTimes: [ParentRemovalRow.earliest]) { _, transaction in
      let seen = services.clockWatch.look()
      if let settlesAt = seen.settlesAt {
        let earliest = try transaction.reader.first(of: ParentRemovalRow.earliest, ()) { row in row.int64(0) }
        return earliest.map { max($0, settlesAt) }
      }
      let now = seen.now
      let due = try transaction.reader.first(of: ParentRemovalRow.due, Timestamp(now)) { row in
        (
          family: row.key(0), person: row.key(1),
          requester: row.key(2)
        )
      }
      if let due {
        try transaction.run(ParentRemovalRow.delete, due.family)
        FamilyEvent.record(.familyChanged, subject: due.family, of: due.family, at: now, in: transaction)
        try takeEffect(
          on: due.person,
          in: due.family,
          by: due.requester,
          at: now,
          services: services,
          mail: services.mail,
          transaction: transaction
        )
      }
      // If the next one is already due, the scheduler runs again immediately.
      return try transaction.reader.first(of: ParentRemovalRow.earliest, ()) { row in row.int64(0) }
    }
  }
}

extension Services {
  /// Removals of parents from families.
  var parentRemovals: Scheduler { self[ParentRemoval.service] }
}
