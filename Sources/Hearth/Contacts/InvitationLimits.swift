import GraphQL
import Storage

/// How many invitations one person sends.
enum InvitationLimits {
  /// The mails that one person may have waiting.
  static let maximumWaiting: Int64 = 500

  /// Whether one person has more than so many mails waiting. Reads no more than these.
  static let hasMoreWaiting = SQL<(person: GlobalID, count: Int64)>(
    """
    SELECT 1 FROM mail \(index: "mail_invitations") WHERE person_id = \(\.person) \
    AND kind IN (\(MailKind.familyInvitation), \(MailKind.contactInvitation)) AND due_at IS NOT NULL \
    LIMIT 1 OFFSET \(\.count)
    """
  )

  /// Somebody whose address is not verified may be anybody: they invite a few.
  static func take(of viewer: Viewer, _ context: RequestContext) throws {
    let isVerified = try VerifiedAddress.isVerified(viewer.member, context.reader)
    try context.take(isVerified ? .invitation : .unverifiedInvitation, by: .person(viewer.member))
  }

  /// While mail cannot be sent, invitations do not pile up. To be called within the write that queues one.
  static func requireRoom(for person: GlobalID, _ transaction: WriteTransaction) throws {
    let waiting = (person: person, count: maximumWaiting - 1)
    guard try !transaction.reader.hasRow(hasMoreWaiting, waiting) else {
      throw FieldError.rateLimited(for: 60_000)
    }
  }
}
