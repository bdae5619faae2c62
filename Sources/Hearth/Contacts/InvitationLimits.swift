import GraphQL
import Storage

/// How many invitations one person sends.
enum InvitationLimits {
  /// The mails that one person may have waiting.
  static let maximumWaiting: Int64 = 500

  /// Whether one person has more than so many mails waiting. Reads no more than these.
  static let hasMoreWaiting = SQL(
    """
    SELECT 1 FROM mail INDEXED BY mail_invitations \
    WHERE person_id = ?1 AND kind IN (4, 5) AND due_at IS NOT NULL LIMIT 1 OFFSET ?2
    """
  )

  static let isVerified = SQL("SELECT email_verified FROM account WHERE id = ?1")

  /// Somebody whose address is not verified may be anybody: they invite a few.
  static func take(of viewer: Viewer, _ context: RequestContext) throws {
    let statement = try context.reader.statement(isVerified)
    try statement.bind(1, viewer.member.rawValue)
    let isVerified = try statement.first { row in row.bool(0) } ?? false
    try context.take(isVerified ? .invitation : .unverifiedInvitation, by: .person(viewer.member))
  }

  /// While mail cannot be sent, invitations do not pile up. To be called within the write that queues one.
  static func requireRoom(for person: GlobalID, _ transaction: WriteTransaction) throws {
    let finding = try transaction.statement(hasMoreWaiting)
    try finding.bind(1, person.rawValue)
    try finding.bind(2, maximumWaiting - 1)
    guard try finding.first({ _ in true }) == nil else {
      throw FieldError.rateLimited(for: 60_000)
    }
  }
}
