import GraphQL
import Storage

/// Limits on the invitations of one person.
enum InvitationLimits {
  /// The maximum number of queued invitation mails per person.
  static let maximumWaiting: Int64 = 500

  /// Whether a person has more than `count` invitation mails queued. Reads at most `count` + 1 rows.
  static let hasMoreWaiting = SQL<(person: GlobalID, count: Int64)>(
    """
    SELECT 1 FROM mail \(index: "mail_invitations") WHERE \(Mail.waitingInvitations(of: \.person)) \
    LIMIT 1 OFFSET \(\.count)
    """
  )

  /// People without a verified address have a lower limit, because anybody can register with any address.
  static func take(of viewer: Viewer, in context: RequestContext) async throws {
    let isVerified = try await context.read { reader in try VerifiedAddress.isVerified(viewer.member, from: reader) }
    try await context.take(isVerified ? .invitation : .unverifiedInvitation, by: .person(viewer.member))
  }

  /// Keeps invitations from accumulating while mail cannot be sent. Must be called within the write that queues one.
  static func requireRoom(for person: GlobalID, from reader: Reader) throws {
    let waiting = (person: person, count: maximumWaiting - 1)
    guard try !reader.hasRow(hasMoreWaiting, waiting) else {
      throw FieldError.rateLimited(for: Milliseconds.minute)
    }
  }
}
