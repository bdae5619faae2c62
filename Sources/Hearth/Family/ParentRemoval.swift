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
    // A malformed id and a wrong password are reported together.
    var errors = person == nil ? [notFound] : []
    let password = input?["password"]?.string ?? ""
    if let error = try await context.passwordError(of: password, at: ["input", "password"], person: viewer.member) {
      errors.append(error)
    }
    guard errors.isEmpty, let person else { return Payload(errors: errors) }
    let services = context.services
    let removal = try await context.write(as: viewer) { write in
      try open(person, for: viewer.member, services: services, in: write)
    }
    return Payload(["family": [viewer.family], "removal": removal.map { [$0] } ?? []])
  }

  private static let notFound = UserError(
    field: ["input", "personId"],
    code: .notFound,
    message: "No parent of your family has this id."
  )

  /// Returns the open removal; nil if the parent was removed immediately.
  private static func open(
    _ person: GlobalID,
    for member: GlobalID,
    services: Services,
    in write: FamilyWrite
  ) throws -> GlobalID? {
    let field = ["input", "personId"]
    let found = try write.reader.first(of: invitation, (family: write.family, member: person)) { row in
      (inviter: row.optionalInt64(0), joinedAt: row.optionalInt64(1))
    }
    guard let found else { throw RejectedInput([notFound]) }
    guard person != member else {
      throw RejectedInput(
        field,
        code: .notAllowed,
        reason: .isViewer,
        message: "This is you: leave the family instead."
      )
    }
    try ParentRemovalRow.requireNone(of: write.family, field: field, from: write.reader)
    // A parent who joined in the future did so while the clock was ahead.
    if found.inviter == member.rawValue, let joinedAt = found.joinedAt,
      (-SignInProof.clockTolerance..<immediatePeriod).contains(write.now.milliseconds - joinedAt)
    {
      try takeEffect(on: person, by: member, mail: services.mail, unassignments: services.unassignments, in: write)
      return nil
    }
    if let days = try EndedParentRemoval.daysLeft(of: member, for: person, at: write.now, from: write.reader) {
      throw RejectedInput(
        field,
        code: .notAllowed,
        reason: .tooSoon,
        message: "Your last request ended without effect: you can make another in \(days: days)."
      )
    }
    return try beginWaiting(for: person, requestedBy: member, services: services, in: write)
  }

  /// Begins the waiting period, and notifies the parents of the family.
  private static func beginWaiting(
    for person: GlobalID,
    requestedBy member: GlobalID,
    services: Services,
    in write: FamilyWrite
  ) throws -> GlobalID {
    let days = services.configuration.parentRemovalDays
    let removal = ParentRemovalRow(
      family: write.family,
      id: try KeySequence.next(.parentRemoval, in: write.transaction),
      person: person,
      requester: member,
      requestedAt: write.now,
      effectiveAt: write.now + days * Milliseconds.day
    )
    try write.transaction.run(ParentRemovalRow.table.insert, removal)
    write.record(.familyChanged)
    try notifyParents(of: removal, mail: services.mail, in: write)
    write.transaction.afterCommit { services.parentRemovals.schedule(at: removal.effectiveAt.milliseconds) }
    return removal.id
  }

  /// The requester is notified too, because somebody else may know their password.
  private static func notifyParents(
    of removal: ParentRemovalRow,
    mail: MailQueue,
    in write: FamilyWrite
  ) throws {
    let parents = try FamilyMember.parents(of: write.family, from: write.reader)
    try write.notify(
      parents,
      kind: .parentRemovalRequestedNotification,
      about: removal.person,
      by: removal.requester
    )
    for parent in parents {
      // Each mail is sent on behalf of its recipient, so that queued mails of the requester do not delay it.
      let lane = mail.lane(network: nil, sender: .person(parent))
      try mail.append(.parentRemovalRequested, person: parent, subject: removal.id, lane: lane, in: write.dated)
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
      let ended = try await context.write(as: viewer) { write in
        guard let removal = try ParentRemovalRow.find(of: write.family, from: write.reader), removal.key == key
        else {
          throw RejectedInput(field, code: .notFound, message: "No open removal has this id.")
        }
        if let message = error(removal, viewer) { throw RejectedInput(field, code: .notAllowed, message: message) }
        try ParentRemovalRow.end(removal, in: write)
        write.record(.familyChanged)
        try write.notify(
          FamilyMember.parents(of: write.family, from: write.reader),
          kind: .parentRemovalEndedNotification,
          about: removal.person,
          by: viewer.member
        )
        return removal.key
      }
      return Payload(removed: ended)
    }
  }

  // MARK: Taking effect

  /// Removes `person` from the family, where another parent stays, and notifies both sides.
  static func takeEffect(
    on person: GlobalID,
    by requester: GlobalID,
    mail: MailQueue,
    unassignments: Scheduler,
    in write: FamilyWrite
  ) throws {
    guard let new = try FamilyDeparture.depart(person, unassignments: unassignments, in: write) else { return }
    let parents = try FamilyMember.parents(of: write.family, from: write.reader)
    for (recipients, write) in [(parents, write), ([person], write.inFamily(new))] {
      try write.notify(recipients, kind: .parentRemovedNotification, about: person, by: requester)
    }
    let lane = mail.lane(network: nil, sender: .person(person))
    try mail.append(.parentRemoved, person: person, lane: lane, in: write.dated)
  }

  static let lease = "removals of parents"

  private typealias Due = (family: GlobalID, person: GlobalID, requester: GlobalID)

  /// Carries out the removals whose waiting period is over, while the clock is settled, one in each write.
  static let service = FeatureService(lease) { services in
    let unassignments = services[Unassignment.service]
    let failures = FailedAttempts(of: "The removal of a parent", log: services.log)
    return Scheduler(lease, in: services.work, dueTimes: [ParentRemovalRow.earliest]) { scheduled in
      let seen = services.clockWatch.look()
      if let settlesAt = seen.settlesAt {
        let earliest = try scheduled.reader.number(of: ParentRemovalRow.earliest, ())
        return earliest.map { max($0, settlesAt) }
      }
      let write = DatedWrite(at: Timestamp(seen.now), in: scheduled.transaction)
      let found: Due? = try failures.beginNext(at: seen.now, of: \.family, in: scheduled) { limit in
        try write.reader.all(of: ParentRemovalRow.due, (now: write.now, limit: limit)) { row in
          (family: row.key(0), person: row.key(1), requester: row.key(2))
        }
      }
      guard let found else {
        let next = try write.reader.number(of: ParentRemovalRow.next, write.now)
        return [next, failures.nextRetry(after: seen.now)].compactMap(\.self).min()
      }
      let familyWrite = write.inFamily(found.family)
      try write.transaction.run(ParentRemovalRow.delete, found.family)
      familyWrite.record(.familyChanged)
      try takeEffect(
        on: found.person,
        by: found.requester,
        mail: services.mail,
        unassignments: unassignments,
        in: familyWrite
      )
      return seen.now
    }
  }
}

extension Services {
  /// Removals of parents from families.
  var parentRemovals: Scheduler { self[ParentRemoval.service] }
}
