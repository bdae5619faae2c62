import Storage

/// Erases an adult.
enum ErasedPerson {
  typealias Pair = (person: GlobalID, emailKey: String?)

  static let found = SQL<GlobalID>(
    """
    SELECT p.created_at, p.deactivated_at, a.email_key, coalesce(a.email_verified, 0) FROM person AS p \
    LEFT JOIN account AS a ON a.id = p.id WHERE p.id = \(\.self) AND p.erased_at IS NULL
    """
  )
  static let clear = SQL<(person: GlobalID, name: String, now: Timestamp)>(
    """
    UPDATE person SET name = \(\.name), first_name = \(\.name), middle_name = NULL, last_name = NULL, \
    date_of_birth = NULL, gender = \(Gender.unspecified), theme = \(Theme.sunrise), avatar = NULL, name_key = '', \
    current_city = NULL, hometown = NULL, company = NULL, high_schools = NULL, colleges = NULL, social_media = NULL, \
    family_since = 0, invited_by = NULL, joined_family_at = NULL, deactivated_at = coalesce(deactivated_at, \(\.now)), \
    erase_at = NULL, erased_at = \(\.now) WHERE id = \(\.person)
    """
  )
  static let deleteAccount = SQL<GlobalID>("DELETE FROM account WHERE id = \(\.self)")
  static let deleteContactInfo = SQL<GlobalID>("DELETE FROM contact_info WHERE person_id = \(\.self)")
  static let deleteRequests = SQL<String>("DELETE FROM contact_request WHERE invited_key = \(\.self) AND to_id IS NULL")
  static let deleteRejections = SQL<GlobalID>(
    "DELETE FROM contact_rejection WHERE from_id = \(\.self) OR to_id = \(\.self)"
  )
  static let deleteExclusions = SQL<GlobalID>("DELETE FROM group_exclusion WHERE person_id = \(\.self)")
  static let forgetGroupInviter = SQL<GlobalID>(
    """
    UPDATE group_member \(index: "group_member_by_inviter") SET invited_by = NULL WHERE invited_by = \(\.self)
    """
  )
  static let forgetInviter = SQL<MemberKey>(
    "UPDATE person SET invited_by = NULL WHERE family_id = \(\.family) AND invited_by = \(\.member)"
  )
  static let invitations = SQL<Pair>(
    "SELECT id FROM family_invitation WHERE invited_by = \(\.person) OR email_key = \(\.emailKey)"
  )
  static let deleteRemovals = SQL<GlobalID>(
    "DELETE FROM parent_removal WHERE person_id = \(\.self) OR requested_by = \(\.self)"
  )
  static let deleteEndedRemovals = SQL<GlobalID>(
    "DELETE FROM ended_parent_removal WHERE person_id = \(\.self) OR requested_by = \(\.self)"
  )
  static let formerFamilies = SQL<GlobalID>(
    "SELECT family_id FROM former_parent WHERE person_id = \(\.self)\(order: "family_id")"
  )
  static let deleteTokens = SQL<Pair>(
    """
    DELETE FROM one_time_token WHERE subject_id = \(\.person) OR issued_by = \(\.person) OR email_key = \(\.emailKey)
    """
  )
  static let deleteMail = SQL<GlobalID>("DELETE FROM mail WHERE person_id = \(\.self) OR subject_id = \(\.self)")
  static let addressedMails = SQL<Void>("SELECT id, address, person_id IS NULL FROM mail WHERE address IS NOT NULL")
  static let deleteAddressedMail = SQL<Int64>("DELETE FROM mail WHERE id = \(\.self)")
  static let deleteNotifications = SQL<GlobalID>("DELETE FROM notification WHERE recipient_id = \(\.self)")
  static let deleteNotificationsBy = SQL<GlobalID>("DELETE FROM notification WHERE actor_id = \(\.self)")
  static let deleteNotificationsAbout = SQL<GlobalID>(
    "DELETE FROM notification WHERE subject_id = \(\.self) AND \(Kind.person.isKind(of: "subject_id"))"
  )
  /// The texts of a member's point entries, whose numbers are part of the family's history.
  static let clearReasons = SQL<MemberKey>(
    """
    UPDATE point_entry SET reason = NULL WHERE family_id = \(\.family) AND member_id = \(\.member) \
    AND reason IS NOT NULL
    """
  )
  /// Events that are old enough to be deleted by the sweeper.
  static let deleteEvents = SQL<(family: GlobalID, member: GlobalID, before: Timestamp)>(
    """
    DELETE FROM family_event WHERE family_id = \(\.family) AND subject_id = \(\.member) \
    AND recorded_at < \(\.before)
    """
  )
  static let hasOthers = SQL<MemberKey>(
    "SELECT 1 FROM person WHERE family_id = \(\.family) AND id <> \(\.member) AND erased_at IS NULL"
  )

  /// Deactivates a person of a restored backup, and schedules their erasure. Does nothing if they are erased already.
  static func schedule(_ person: GlobalID, unassignments: Scheduler, in write: FamilyWrite) throws {
    let isActive = try write.reader.first(of: found, person) { row in row.isNull(1) }
    guard let isActive else { return }
    if isActive {
      try DeactivateAccount.leave(person, unassignments: unassignments, in: write)
      // The others were notified when it happened.
      try write.transaction.writeCollected()
      try write.transaction.run(deleteNotificationsAbout, person)
    }
    try write.transaction.run(DeleteAccount.schedule, (person: person, eraseAt: write.now))
    try ImmediateErasure.mark(person, in: write)
  }

  /// Erases a person, and their family if they were the last of its adults, or a portion of what they have: the erasure
  /// is complete when the person is not due any more. Does nothing if they are erased already.
  static func erase(_ person: GlobalID, services: FeatureServices, in write: FamilyWrite) throws {
    let known = try write.reader.first(of: found, person) { row in
      (
        createdAt: row.int64(0), deactivatedAt: row.optionalInt64(1), emailKey: row.optionalString(2),
        isVerified: row.bool(3)
      )
    }
    guard let known else { return }
    try Sessions.endAll(of: person, in: write.transaction)
    let end = known.deactivatedAt ?? write.now.milliseconds
    guard try ErasedResponses.deletePortion(leftAt: end, in: write) else { return }
    let isLast = try !write.reader.hasRow(hasOthers, (family: write.family, member: person))
    if isLast {
      guard try ErasedFamily.erasePortion(services: services, in: write) else {
        return try services.pictures.removeUnused(write.transaction)
      }
    } else {
      let limit = Erasure.maximumAtOnce
      guard try Assignees.unassign(person, atMost: limit, in: write) < limit else { return }
    }
    // So that what this write has added is deleted too.
    try write.transaction.writeCollected()
    for former in try write.reader.keys(of: formerFamilies, person) {
      try write.transaction.run(forgetInviter, (family: former, member: person))
      try deleteFamilyRecords(of: person, in: write.inFamily(former))
    }
    // An address that was not verified may be somebody else's: what others have sent to it stays.
    let ownKey = known.isVerified ? known.emailKey : nil
    try deleteRelations(of: person, emailKey: ownKey, in: write)
    if let key = known.emailKey {
      try deleteMails(to: key, fromOthers: known.isVerified, transaction: write.transaction)
    }
    try deleteMessages(of: person, emailKey: ownKey, in: write)
    try write.transaction.run(LinkIdentity.deleteAll, person)
    try write.transaction.run(deleteContactInfo, person)
    try SearchIndex.remove(person, in: write.transaction)
    try write.transaction.run(EmailChange.delete, person)
    try write.transaction.run(deleteAccount, person)
    try write.transaction.run(clear, (person: person, name: Erasure.name, now: write.now))
    if isLast { try ErasedFamily.finish(in: write) }
    Erasure.removeArchives(of: person, services: services, after: write.transaction)
    try Erasure.finish(
      ErasureRecord.Entry(key: person, createdAt: known.createdAt),
      services: services,
      in: write.dated
    )
  }

  private static func deleteRelations(of person: GlobalID, emailKey: String?, in write: FamilyWrite) throws {
    try ContactBook.remove(person, in: write.transaction)
    if let emailKey { try write.transaction.run(deleteRequests, emailKey) }
    try Membership.removeEverywhere(person, in: write.dated)
    // Rows of `former_parent` stay: the history of those families refers to the person, who has no name any more.
    for statement in [deleteRejections, deleteExclusions, forgetGroupInviter, deleteRemovals, deleteEndedRemovals] {
      try write.transaction.run(statement, person)
    }
    try write.transaction.run(forgetInviter, (family: write.family, member: person))
    try FamilyInvitationRow.clearClaims(of: person, in: write.transaction)
    let sent = try write.reader.keys(of: invitations, (person: person, emailKey: emailKey))
    for invitation in sent {
      try FamilyInvitation.end(invitation, by: nil, in: write.dated)
    }
  }

  private static func deleteMessages(of person: GlobalID, emailKey: String?, in write: FamilyWrite) throws {
    try write.transaction.run(deleteTokens, (person: person, emailKey: emailKey))
    for statement in [
      deleteMail, deleteNotifications, deleteNotificationsBy, deleteNotificationsAbout, PushQueue.deleteOfRecipient,
      NotificationSettings.delete, ErasedFamily.deleteEvents, ErasedFamily.deleteFeed,
    ] {
      try write.transaction.run(statement, person)
    }
    try ErasedResponses.deleteAll(of: person, in: write.transaction)
    try deleteFamilyRecords(of: person, in: write)
  }

  /// Deletes the mails to an address. Their addresses are compared here: `lower` of SQLite changes ASCII letters only.
  /// - Parameter fromOthers: whether also those that a member has sent, such as invitations.
  private static func deleteMails(to emailKey: String, fromOthers: Bool, transaction: WriteTransaction) throws {
    let mails = try transaction.reader.all(of: addressedMails, ()) { row in
      (id: row.int64(0), address: row.string(1), isOfNobody: row.bool(2))
    }
    for mail in mails where (fromOthers || mail.isOfNobody) && EmailAddress.key(of: mail.address) == emailKey {
      try transaction.run(deleteAddressedMail, mail.id)
    }
  }

  /// Deletes the family's events about a member, the texts of their points, and the responses to the family's requests.
  static func deleteFamilyRecords(of member: GlobalID, in write: FamilyWrite) throws {
    let before = write.now - FeedWindow.length
    try write.transaction.run(clearReasons, (family: write.family, member: member))
    try write.transaction.run(deleteEvents, (family: write.family, member: member, before: before))
    try ErasedResponses.deleteOfFamily(in: write)
  }
}
